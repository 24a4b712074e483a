// How sure the belief before each decision is, and how likely each action: over posterior draws, as
// explain/record/visit_explanation.cpp has it. Every draw follows the record with its own dynamics and policy.
import type { Step } from './histories';
import { policyAt, updateInto, type Mind } from './model';
import type { Estimate } from './payload';
import { contextAfter } from './policy_terms';

export interface VisitIntervals {
  belief: Estimate[]; // [state], before the decision
  policy: Estimate[]; // [action]
}

export interface RecordIntervals {
  visits: VisitIntervals[];
  after: Estimate[] | null; // [state], after the last outcome; null: none followed
}

const LEVEL = 0.95;

// Linear between neighbours, as the program's quantiles are.
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

// Of no values at all, nothing is known.
export function estimateOf(values: number[], level = LEVEL): Estimate {
  if (values.length === 0) return { middle: NaN, low: NaN, high: NaN };
  const sorted = Float64Array.from(values).sort();
  const tail = (1 - level) / 2;
  return { middle: quantile(sorted, 0.5), low: quantile(sorted, tail), high: quantile(sorted, 1 - tail) };
}

// Null: there are no draws.
export function recordIntervals(draws: Mind[], steps: Step[]): RecordIntervals | null {
  if (draws.length === 0) return null;
  const { S, actions, terminal } = draws[0].problem;
  const beliefs = Array.from({ length: steps.length + 1 }, () => Array.from({ length: S }, () => [] as number[]));
  const policies = steps.map(() => actions.map(() => [] as number[]));
  for (const { dynamics, policy } of draws) {
    let belief = Float64Array.from(dynamics.b1);
    let next = new Float64Array(S);
    for (let t = 0; t <= steps.length; ++t) {
      for (let s = 0; s < S; ++s) beliefs[t][s].push(belief[s]);
      if (t === steps.length) break;
      const likely = policyAt(policy, belief, contextAfter(steps.slice(0, t)));
      likely.forEach((p, a) => policies[t][a].push(p));
      const { action, observation, gap } = steps[t];
      if (terminal[action] || !(updateInto(dynamics, belief, 0, action, observation, next, 0, gap) > 0)) break;
      [belief, next] = [next, belief];
    }
  }
  const visits = steps.map((_, t) => ({ belief: beliefs[t].map((x) => estimateOf(x)), policy: policies[t].map((x) => estimateOf(x)) }));
  const last = beliefs[steps.length];
  return { visits, after: last[0].length > 0 ? last.map((x) => estimateOf(x)) : null };
}

// How likely actions are at one belief, whatever led to it.
export function policyIntervals(draws: Mind[], belief: ArrayLike<number>): Estimate[] | null {
  if (draws.length === 0) return null;
  const all = draws.map(({ policy }) => policyAt(policy, Float64Array.from(belief)));
  return draws[0].problem.actions.map((_, a) => estimateOf(all.map((likely) => likely[a])));
}
