// Where the data speak and where the boundary is extrapolated: far from every belief a patient ever had, the fitted line
// goes on, but nothing was observed there.
import type { Panel } from '../../core/geometry/simplex_layout';
import type { Cloud } from './layers/dots';
import { isOn } from './layers/dots';
import { boxOf, type Point } from './frame';

export const nearEnough = 0.08; // of a side: 8 percentage points of belief, about

export interface Nearness {
  isNear(point: Point): boolean;
  // The far part, as rows of rectangles.
  farPath(place: (p: Point) => Point): string;
}

const cellsAcross = 300; // fine enough that no steps show

export function nearnessOf(panel: Panel, cloud: Cloud): Nearness {
  const box = boxOf(panel.outline);
  const cell = (box.right - box.left) / cellsAcross;
  const columns = cellsAcross + 1;
  const rows = Math.ceil((box.bottom - box.top) / cell) + 1;
  const indexOf = ([x, y]: Point) => {
    const column = Math.min(columns - 1, Math.max(0, Math.round((x - box.left) / cell)));
    const row = Math.min(rows - 1, Math.max(0, Math.round((y - box.top) / cell)));
    return row * columns + column;
  };
  const near = dilated(occupied(panel, cloud, indexOf, rows * columns), rows, columns, nearEnough * cellsAcross);

  function farPath(place: (p: Point) => Point): string {
    let path = '';
    for (let row = 0; row < rows; ++row) {
      for (let column = 0; column < columns; ) {
        if (near[row * columns + column]) {
          ++column;
          continue;
        }
        const from = column;
        while (column < columns && !near[row * columns + column]) ++column;
        path += rectangle(place, from - 0.5, row - 0.5, column - 0.5);
      }
    }
    return path;
  }

  function rectangle(place: (p: Point) => Point, from: number, top: number, to: number): string {
    const [x0, y0] = place([box.left + from * cell, box.top + top * cell]);
    const [x1, y1] = place([box.left + to * cell, box.top + (top + 1) * cell]);
    // A little overlap, so that no hairlines show between rows.
    return `M${x0.toFixed(1)} ${y0.toFixed(1)}H${x1.toFixed(1)}V${(y1 + 0.1).toFixed(1)}H${x0.toFixed(1)}Z`;
  }

  return { isNear: (point) => near[indexOf(point)] === 1, farPath };
}

// A stretch of the boundary, cut where nearness changes.
export function piecesOf(segment: [Point, Point], nearness: Nearness): { points: [Point, Point]; near: boolean }[] {
  const [p, q] = segment;
  const steps = 80;
  const at = (i: number): Point => [p[0] + (i / steps) * (q[0] - p[0]), p[1] + (i / steps) * (q[1] - p[1])];
  const pieces: { points: [Point, Point]; near: boolean }[] = [];
  for (let i = 0; i < steps; ++i) {
    const near = nearness.isNear(at(i + 0.5));
    const last = pieces[pieces.length - 1];
    if (last && last.near === near) last.points[1] = at(i + 1);
    else pieces.push({ points: [at(i), at(i + 1)], near });
  }
  return pieces;
}

function occupied(panel: Panel, { beliefs, S, visits }: Cloud, indexOf: (p: Point) => number, size: number): Uint8Array {
  const cells = new Uint8Array(size);
  for (let i = 0; i < visits.length; ++i) {
    if (!(visits[i] > 0)) continue;
    const belief = beliefs.subarray(i * S, (i + 1) * S);
    if (isOn(panel, belief)) cells[indexOf(panel.project(belief))] = 1;
  }
  return cells;
}

function dilated(cells: Uint8Array, rows: number, columns: number, radius: number): Uint8Array {
  const reach = Math.floor(radius);
  const disc: [number, number][] = [];
  for (let dy = -reach; dy <= reach; ++dy) {
    for (let dx = -reach; dx <= reach; ++dx) if (dx * dx + dy * dy <= radius * radius) disc.push([dx, dy]);
  }
  const near = new Uint8Array(cells.length);
  cells.forEach((full, index) => {
    if (!full) return;
    const [row, column] = [Math.floor(index / columns), index % columns];
    for (const [dx, dy] of disc) {
      const [y, x] = [row + dy, column + dx];
      if (y >= 0 && y < rows && x >= 0 && x < columns) near[y * columns + x] = 1;
    }
  });
  return near;
}
