// How far a belief is from the nearest boundary: the smallest change of belief (Euclidean, within the simplex) after which
// another action would be the most likely one. As explain/record/boundary.cpp.
import { mostLikely, type Policy } from './model';

export interface NearestBoundary {
  action: number; // on the other side
  distance: number; // ‖shift‖
  shift: Float64Array; // of the belief, to the boundary; sums to zero
}

// None if one action is the most likely one at every belief, or if η = 0 (all are equally likely everywhere).
export function nearestBoundary(policy: Policy, belief: ArrayLike<number>): NearestBoundary | null {
  if (!(policy.eta > 0)) return null;
  const own = mostLikely(policy, belief);
  const here = policy.means[own];
  let nearest: NearestBoundary | null = null;
  policy.means.forEach((there, action) => {
    if (action === own) return;
    // ‖b − μ_a‖² ≤ ‖b − μ_own‖² ⇔ 2 (μ_a − μ_own) · b ≥ ‖μ_a‖² − ‖μ_own‖².
    const direction = there.map((mean, s) => 2 * (mean - here[s]));
    const point = nearestBeyond(belief, direction, dot(there, there) - dot(here, here));
    if (!point) return;
    const shift = point.map((x, s) => x - belief[s]);
    const distance = Math.sqrt(dot(shift, shift));
    if (!nearest || distance < nearest.distance) nearest = { action, distance, shift };
  });
  return nearest;
}

function dot(x: ArrayLike<number>, y: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < x.length; ++i) sum += x[i] * y[i];
  return sum;
}

// The nearest point of the simplex.
function ontoSimplex(x: Float64Array): Float64Array {
  const sorted = Float64Array.from(x).sort().reverse();
  let sum = 0;
  let shift = 0;
  sorted.forEach((value, i) => {
    sum += value;
    const candidate = (sum - 1) / (i + 1);
    if (value > candidate) shift = candidate;
  });
  return x.map((value) => Math.max(0, value - shift));
}

// The nearest point of the simplex with direction · b ≥ level. `direction` sums to zero.
function nearestBeyond(belief: ArrayLike<number>, direction: Float64Array, level: number): Float64Array | null {
  const moved = (far: number) => direction.map((d, s) => belief[s] + far * d);
  const length = dot(direction, direction);
  const best = direction.reduce((x, y) => Math.max(x, y), -Infinity);
  if (best < level || !(length > 0)) return null;
  const missing = level - dot(direction, belief);
  if (missing <= 0) return Float64Array.from(belief);
  const straight = moved(missing / length);
  if (straight.every((x) => x >= 0)) return straight;
  // Along ontoSimplex(b + λ·direction) the left side never falls: find λ by halving.
  const falls = (far: number) => dot(direction, ontoSimplex(moved(far))) < level;
  let low = 0;
  let high = missing / length;
  while (falls(high) && high < 1e12) high *= 2;
  for (let i = 0; i < 200 && low < high; ++i) {
    const middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    if (falls(middle)) low = middle;
    else high = middle;
  }
  return ontoSimplex(moved(high));
}
