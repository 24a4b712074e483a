// What is believed between two visits, while nothing is seen (docs/mathematics/time.md), and how sure that is.
import { estimateOf } from '../intervals';
import { transitionOf, updateInto, type Mind } from '../model';
import type { Step } from '../histories';
import type { Estimate } from '../payload';

// A moment after a visit (its place in the record), before the next one is seen.
export interface Moment {
  visit: number;
  since: number; // in the unit of the study
}

// The belief before the decision of a visit, some time later.
export function drifted(mind: Mind, belief: ArrayLike<number>, action: number, since: number): Float64Array {
  const { S } = mind.problem;
  const T = mind.dynamics.over ? mind.dynamics.over.over(action, since) : transitionOf(mind.dynamics, action, since);
  const after = new Float64Array(S);
  for (let s = 0; s < S; ++s) for (let r = 0; r < S; ++r) after[s] += belief[r] * T[r * S + s];
  return after;
}

// [moment][state] over draws, each of which follows the record by itself; moments in the order of their visits.
export function driftIntervals(draws: Mind[], steps: Step[], moments: Moment[]): Estimate[][] | null {
  if (draws.length === 0) return null;
  const { S, terminal } = draws[0].problem;
  const values = moments.map(() => Array.from({ length: S }, () => [] as number[]));
  for (const mind of draws) {
    let belief = Float64Array.from(mind.dynamics.b1);
    let next = new Float64Array(S);
    let at = 0;
    for (let t = 0; t < steps.length; ++t) {
      const { action, observation, gap = 0 } = steps[t];
      for (; at < moments.length && moments[at].visit === t; ++at) {
        drifted(mind, belief, action, moments[at].since).forEach((b, s) => values[at][s].push(b));
      }
      if (terminal[action] || !(updateInto(mind.dynamics, belief, 0, action, observation, next, 0, gap) > 0)) break;
      [belief, next] = [next, belief];
    }
  }
  return values.map((ofState) => ofState.map((all) => estimateOf(all)));
}

// When each visit was, since the first; null: visits have no times.
export function timesOf(steps: readonly Step[]): number[] | null {
  if (steps.length === 0 || steps[0].gap === undefined) return null;
  const times = [0];
  for (let t = 0; t + 1 < steps.length; ++t) times.push(times[t] + (steps[t].gap ?? 0));
  return times;
}

