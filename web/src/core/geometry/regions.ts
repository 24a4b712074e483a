// Decision regions: where each action is the most likely one, on a panel. An action's score is affine in the belief, so regions
// are convex polygons cut out by lines half-way between two means, tilted as the means say, and moved in parallel by a context.
import { leadOf, type Policy } from '../model';
import type { Panel } from './panel';
import { affineThrough, area, clipped, distance, valueAt, type Affine, type Point } from './polygon';

export interface Region {
  action: number;
  polygon: Point[];
}

export interface Boundary {
  actions: [number, number];
  segment: [Point, Point];
}

// Parts of a panel smaller than this share of it are rounding, not regions.
const SLIVER = 1e-9;

// Of every action that is the most likely one somewhere on the panel. Where actions tie all over, the first of them is meant, as
// everywhere. η = 0: every action is equally likely at every belief, and there are none.
export function regionsOn(panel: Panel, policy: Policy): Region[] {
  if (!(policy.eta > 0)) return [];
  const scores = policy.means.map((_, action) => cornerScores(panel, policy, action));
  const least = SLIVER * area(panel.outline);
  const regions: Region[] = [];
  scores.forEach((own, action) => {
    let polygon = panel.outline;
    for (let other = 0; other < scores.length && polygon.length > 0; ++other) {
      if (other === action) continue;
      if (!tied(own, scores[other])) polygon = clipped(polygon, advantage(panel, own, scores[other]));
      else if (other < action) polygon = [];
    }
    if (area(polygon) > least) regions.push({ action, polygon });
  });
  return regions;
}

// Where two regions meet.
export function boundariesOn(panel: Panel, policy: Policy): Boundary[] {
  const regions = regionsOn(panel, policy);
  const boundaries: Boundary[] = [];
  for (let i = 0; i < regions.length; ++i) {
    for (let j = i + 1; j < regions.length; ++j) {
      const [x, y] = [regions[i], regions[j]];
      const line = advantage(
        panel,
        cornerScores(panel, policy, x.action),
        cornerScores(panel, policy, y.action),
      );
      const segment = edgeOn(x.polygon, line);
      if (segment) boundaries.push({ actions: [x.action, y.action], segment });
    }
  }
  return boundaries;
}

// ‖b‖² − ‖b − μ‖² at the corners, and what the context adds; affine in between.
export function cornerScores(panel: Panel, policy: Policy, action: number): number[] {
  const mean = policy.means[action];
  return panel.beliefs.map((belief) => {
    let score = leadOf(policy, action);
    for (let s = 0; s < mean.length; ++s) score += mean[s] * (2 * belief[s] - mean[s]);
    return score;
  });
}

function advantage(panel: Panel, own: number[], other: number[]): Affine {
  return affineThrough(panel.corners, own.map((score, i) => score - other[i]));
}

function tied(own: number[], other: number[]): boolean {
  return own.every((score, i) => Math.abs(score - other[i]) <= 1e-13 * (1 + Math.abs(score)));
}

// The edge of a polygon that lies on a line, between the two corners farthest apart; none if it is a point.
function edgeOn(polygon: Point[], line: Affine): [Point, Point] | null {
  const steepness = Math.hypot(line.a, line.b);
  if (!(steepness > 0)) return null;
  const near = polygon.filter((p) => Math.abs(valueAt(line, p)) <= 1e-7 * steepness);
  let best: [Point, Point] | null = null;
  let longest = 1e-6;
  for (const p of near) {
    for (const q of near) {
      if (distance(p, q) > longest) {
        longest = distance(p, q);
        best = [p, q];
      }
    }
  }
  return best;
}
