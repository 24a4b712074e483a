// Many beliefs in one picture: counted in hexagons (on a bar: in upright strips) instead of drawn one over another.
import type { Panel } from './panel';
import type { Point } from './polygon';

export interface Bin {
  centre: Point;
  cell: Point[];
  count: number; // visits
}

export interface Density {
  bins: Bin[]; // those with any
  most: number; // the fullest
  total: number; // all visits counted on this panel
}

// `beliefs` is flat, [i·S + s]; `weights[i]` visits stand behind each. On a face, a belief counts if at least `leastShare` of it
// lies there. `size`: of a bin, side to side.
export function densityBins(
  panel: Panel,
  beliefs: Float64Array,
  S: number,
  weights: ArrayLike<number>,
  size = 14,
  leastShare = 0.5,
): Density {
  const place = panel.shape === 'bar' ? stripOf(panel, size) : hexagonOf(size);
  const counts = new Map<number, number>();
  let total = 0;
  for (let i = 0; i < weights.length; ++i) {
    if (!(weights[i] > 0)) continue;
    const belief = beliefs.subarray(i * S, (i + 1) * S);
    const share = panel.share(belief);
    if (!(share > 0) || share < leastShare - 1e-9) continue;
    const key = place.keyOf(panel.project(belief));
    counts.set(key, (counts.get(key) ?? 0) + weights[i]);
    total += weights[i];
  }
  let most = 0;
  const bins = [...counts].map(([key, count]) => {
    most = Math.max(most, count);
    const centre = place.centreOf(key);
    return { centre, cell: place.cellOf(centre), count };
  });
  return { bins, most, total };
}

interface Grid {
  keyOf(point: Point): number;
  centreOf(key: number): Point;
  cellOf(centre: Point): Point[];
}

const COLUMNS = 1 << 15; // keys are row · COLUMNS + column; no picture has so many

function stripOf(panel: Panel, size: number): Grid {
  const [[left], [right]] = panel.corners;
  const heights = panel.outline.map((p) => p[1]);
  const [top, bottom] = [Math.min(...heights), Math.max(...heights)];
  const strips = Math.max(1, Math.round((right - left) / size));
  const width = (right - left) / strips;
  return {
    keyOf: ([x]) => Math.min(strips - 1, Math.max(0, Math.floor((x - left) / width))),
    centreOf: (key) => [left + (key + 0.5) * width, (top + bottom) / 2],
    cellOf: ([x]) => [
      [x - width / 2, top],
      [x + width / 2, top],
      [x + width / 2, bottom],
      [x - width / 2, bottom],
    ],
  };
}

// Hexagons standing on a corner: rows 3/4 of their height apart, every other row shifted by half.
function hexagonOf(size: number): Grid {
  const radius = size / Math.sqrt(3);
  const rise = 1.5 * radius;
  const centre = (row: number, column: number): Point => [(column + (row & 1 ? 0.5 : 0)) * size, row * rise];
  return {
    // The nearest centre is in one of the two rows around the point.
    keyOf: ([x, y]) => {
      let best = 0;
      let nearest = Infinity;
      const low = Math.floor(y / rise);
      for (const row of [low, low + 1]) {
        const column = Math.round(x / size - (row & 1 ? 0.5 : 0));
        const [cx, cy] = centre(row, column);
        const far = (x - cx) ** 2 + (y - cy) ** 2;
        if (far < nearest) [nearest, best] = [far, row * COLUMNS + column];
      }
      return best;
    },
    centreOf: (key) => centre(Math.floor(key / COLUMNS), key % COLUMNS),
    cellOf: ([x, y]) =>
      [0, 1, 2, 3, 4, 5].map((i): Point => {
        const angle = (Math.PI / 3) * i + Math.PI / 6;
        return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
      }),
  };
}
