// How sure the boundary is: across the fitted line, the stretch in which the lines of 95% of the posterior draws pass.
import { affineThrough, distance, valueAt, type Affine } from '../../../core/geometry/polygon';
import { cornerScores, type Boundary } from '../../../core/geometry/regions';
import type { Panel } from '../../../core/geometry/simplex_layout';
import type { Mind, Policy } from '../../../core/model';
import type { Point } from '../frame';

const level = 0.95; // as in the program's intervals
const samples = 24;

export function bandOf(panel: Panel, boundary: Boundary, draws: Mind[]): Point[] {
  if (draws.length < 10) return [];
  const [p, q] = stretched(panel, boundary.segment);
  const length = distance(p, q);
  const normal: Point = [-(q[1] - p[1]) / length, (q[0] - p[0]) / length];
  const lines = draws.map((draw) => lineOf(panel, draw.policy, boundary.actions));
  const farthest = 2 * distance(panel.outline[0], panel.outline[1]);
  const low: Point[] = [];
  const high: Point[] = [];
  for (let i = 0; i <= samples; ++i) {
    const t = i / samples;
    const at: Point = [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])];
    const offsets = lines.map((line) => offsetOf(line, at, normal, farthest)).sort((x, y) => x - y);
    const [least, most] = [quantile(offsets, (1 - level) / 2), quantile(offsets, (1 + level) / 2)];
    low.push([at[0] + least * normal[0], at[1] + least * normal[1]]);
    high.push([at[0] + most * normal[0], at[1] + most * normal[1]]);
  }
  return [...low, ...high.reverse()];
}

// Where both actions are equally likely: zero of an affine function of the place.
export function lineOf(panel: Panel, policy: Policy, [a, b]: [number, number]): Affine {
  const other = cornerScores(panel, policy, b);
  return affineThrough(panel.corners, cornerScores(panel, policy, a).map((score, i) => score - other[i]));
}

// From a point straight across to a line; a line that runs along with us is infinitely far.
function offsetOf(line: Affine, at: Point, normal: Point, farthest: number): number {
  const slope = line.a * normal[0] + line.b * normal[1];
  const offset = -valueAt(line, at) / slope;
  if (!Number.isFinite(offset)) return farthest;
  return Math.min(farthest, Math.max(-farthest, offset));
}

// A line that ends at a side goes on beyond it, so that the band fills the triangle up to there (it is clipped).
function stretched(panel: Panel, [p, q]: [Point, Point]): [Point, Point] {
  const beyond = (from: Point, end: Point): Point => {
    if (!onSide(panel, end)) return end;
    return [end[0] + 0.5 * (end[0] - from[0]), end[1] + 0.5 * (end[1] - from[1])];
  };
  return [beyond(q, p), beyond(p, q)];
}

function onSide(panel: Panel, point: Point): boolean {
  const belief = panel.extend(point[0], point[1]);
  return panel.states.some((state) => state >= 0 && belief[state] < 1e-6);
}

// Linear between order statistics, as the program has it.
function quantile(sorted: number[], p: number): number {
  const position = p * (sorted.length - 1);
  const below = Math.floor(position);
  const above = Math.min(sorted.length - 1, below + 1);
  return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
}
