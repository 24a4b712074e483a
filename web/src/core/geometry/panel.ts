// One picture of beliefs: a triangle (or a bar) whose corners stand for states, and the way from a belief to a point and back.
import { affineThrough, middle, valueAt, type Affine, type Point } from './polygon';

export const REST = -1; // as a corner: all other states together

export interface Panel {
  shape: 'bar' | 'triangle' | 'right'; // right: the first corner has the right angle, its legs are axes
  states: number[]; // corners: states, or REST
  labels: string[]; // their names
  corners: Point[];
  outline: Point[]; // what is coloured: the triangle, or the bar around the stretch between two corners
  title: string;
  beliefs: Float64Array[]; // at the corners
  project(belief: ArrayLike<number>): Point;
  lift(x: number, y: number): Float64Array | null; // the belief at a point; null outside
  extend(x: number, y: number): Float64Array; // the same beyond the edges: means lie there too
  share(belief: ArrayLike<number>): number; // how much of the belief lies here; 1: all of it
}

export interface PanelPlace {
  shape: Panel['shape'];
  corners: Point[];
  outline: Point[];
}

const OUTSIDE = 1e-9; // how far a weight may fall below zero by rounding

// `spread`: how REST is divided among the states it stands for, summing to one.
export function makePanel(
  names: string[],
  states: number[],
  place: PanelPlace,
  title: string,
  spread: ArrayLike<number> = [],
): Panel {
  const { corners, outline } = place;
  const S = names.length;
  const beliefs = states.map((state) =>
    Float64Array.from({ length: S }, (_, s) => (state === REST ? spread[s] : s === state ? 1 : 0)),
  );
  const weights = corners.map((_, i) => affineThrough(corners, corners.map((__, j) => (i === j ? 1 : 0))));
  const mixture = (w: number[]) =>
    Float64Array.from({ length: S }, (_, s) => w.reduce((sum, x, i) => sum + x * beliefs[i][s], 0));
  const partsOf = (belief: ArrayLike<number>) => states.map((state) => partOf(belief, state, states));
  return {
    shape: place.shape,
    states,
    labels: states.map((state) => (state === REST ? 'all others' : names[state])),
    corners,
    outline,
    title,
    beliefs,
    project: (belief) => pointOf(corners, partsOf(belief)),
    lift: (x, y) => {
      if (!inside(outline, weights, [x, y])) return null;
      const w = weights.map((f) => Math.max(0, valueAt(f, [x, y])));
      const total = w.reduce((sum, v) => sum + v, 0);
      return mixture(w.map((v) => v / total));
    },
    extend: (x, y) => mixture(weights.map((f) => valueAt(f, [x, y]))),
    share: (belief) => partsOf(belief).reduce((sum, v) => sum + v, 0),
  };
}

function partOf(belief: ArrayLike<number>, state: number, states: number[]): number {
  if (state !== REST) return belief[state];
  let part = 0;
  for (let s = 0; s < belief.length; ++s) part += states.includes(s) ? 0 : belief[s];
  return part;
}

// Parts are shares among the corners; what has no part here stands in the middle (its share says 0).
function pointOf(corners: Point[], parts: number[]): Point {
  const total = parts.reduce((sum, v) => sum + v, 0);
  if (!(Math.abs(total) > 1e-300)) return middle(corners);
  let [x, y] = [0, 0];
  parts.forEach((part, i) => {
    x += (part / total) * corners[i][0];
    y += (part / total) * corners[i][1];
  });
  return [x, y];
}

// A bar has a height in which the belief does not change.
function inside(outline: Point[], weights: Affine[], point: Point): boolean {
  const tall = outline.map((p) => p[1]);
  if (point[1] < Math.min(...tall) - OUTSIDE || point[1] > Math.max(...tall) + OUTSIDE) return false;
  return weights.every((f) => valueAt(f, point) >= -OUTSIDE);
}
