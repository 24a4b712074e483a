// Names of regions, where they have the most room in sight.
import { labelPlace } from '../../../core/geometry/region_label';
import type { Region } from '../../../core/geometry/regions';
import type { Frame, Point } from '../frame';
import { meet, shortened, textWidth, type LabelBox } from './label_place';

const letter = 7.6; // on average
const wideLetter = 9; // … of the widest fonts that browsers have for it

export interface RegionName extends LabelBox {
  action: number;
  text: string;
}

export function regionNames(
  frame: Frame,
  regions: Region[],
  actions: string[],
  avoid: Point[],
  visible: { width: number; height: number },
): RegionName[] {
  return regions.flatMap(({ action, polygon }) => {
    const place = labelPlace(inSight(polygon.map((point) => frame.at(point)), visible), 22, avoid);
    if (place.width <= 24) return [];
    // A short name may reach over the edge a little; of a long one as much is shown as has room.
    const name = actions[action];
    const fits = name.length <= 7 || textWidth(name, letter) <= place.width + 20;
    const text = fits ? name : shortened(name, Math.max(4, Math.floor((place.width - 8) / letter)));
    return [{ action, text, x: place.x, y: place.y, width: textWidth(text, letter), height: 18 }];
  });
}

// Names reach over the edges of their regions and of their panels. One that would touch an earlier one is cut shorter, or
// left out. [panel]
export function keptApart(panels: RegionName[][]): RegionName[][] {
  const kept: RegionName[] = [];
  const place = (name: RegionName): RegionName[] => {
    const width = textWidth(name.text, wideLetter);
    const met = kept.filter((other) => meet({ ...name, width }, { ...other, width: textWidth(other.text, wideLetter) }));
    // Around its middle, a name gives way on both sides.
    const room = Math.min(width, ...met.map((other) => 2 * Math.abs(name.x - other.x) - textWidth(other.text, wideLetter)));
    const letters = Math.floor(room / wideLetter);
    if (met.length > 0 && letters < 4) return [];
    const text = met.length > 0 ? shortened(name.text, letters) : name.text;
    const placed = { ...name, text, width: textWidth(text, letter) };
    kept.push(placed);
    return [placed];
  };
  return panels.map((names) => names.flatMap(place));
}

// The part of a convex polygon inside the picture's frame: zoomed in, names stay in sight.
function inSight(polygon: Point[], visible: { width: number; height: number }): Point[] {
  const inside: ((p: Point) => number)[] = [
    (p) => p[0],
    (p) => visible.width - p[0],
    (p) => p[1],
    (p) => visible.height - p[1],
  ];
  const kept = inside.reduce((points, f) => cutBy(points, f), polygon);
  return kept.length > 2 ? kept : polygon;
}

function cutBy(points: Point[], inside: (p: Point) => number): Point[] {
  return points.flatMap((p, i) => {
    const q = points[(i + 1) % points.length];
    const [f, g] = [inside(p), inside(q)];
    const t = f / (f - g);
    const crossing: Point[] = f >= 0 !== g >= 0 ? [[p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]] : [];
    return f >= 0 ? [p, ...crossing] : crossing;
  });
}
