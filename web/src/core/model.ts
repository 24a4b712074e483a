// The model of a decision-maker: its numbers, and the two equations that run it, the belief update and the policy. The same
// arithmetic in the same order as the program (model/belief.cpp), so that the page shows the program's numbers.
import { measuredOf, type Measured } from './measured/outcomes';
import { chanceOf, weightsInto } from './measured/weights';
import type { DrawsJson, DynamicsJson, ModelJson, TimeJson } from './payload';
import { inContext, termNumbers, termsOf, termsWith, type ContextEffect, type DecisionContext, type PolicyTerms } from './policy_terms';
import { GapTransitions } from './time/gap_transitions';

export const MISSING = -1; // an outcome that was not recorded: the belief moves by the transition alone

export interface Problem {
  states: string[];
  actions: string[];
  observations: string[];
  S: number;
  A: number;
  Z: number;
  terminal: boolean[]; // [a]: ends the record and yields nothing
  allowed: boolean[][]; // [a][z]: the action can yield the outcome; nothing where outcomes are measured
  measured?: Measured; // values of factors: Z outcomes are those of the records
  time?: TimeJson; // visits have times
}

export interface Dynamics {
  b1: Float64Array;
  T: Float64Array[]; // [a], row s, column s'; where visits have times, transitionOf() reads it
  O: (Float64Array | null)[]; // [a], row s', column z (where outcomes are measured: parameter of a factor); null: terminal
  measured?: Measured;
  over?: GapTransitions; // where visits have times
}

export interface Policy {
  eta: number;
  means: Float64Array[]; // [a][s]: sums to one, but may lie outside the simplex
  terms?: PolicyTerms; // what decisions follow beside beliefs
  effect?: ContextEffect; // what the terms come to, where the policy is looked at in one context (inContext)
}

export interface Mind {
  problem: Problem;
  dynamics: Dynamics;
  policy: Policy;
}

export function problemOf(model: ModelJson): Problem {
  const { states, actions, observations, terminal, allowed } = model;
  const measured = model.measured && measuredOf(model.measured);
  return {
    states,
    actions,
    observations,
    S: states.length,
    A: actions.length,
    Z: measured ? measured.recorded : observations.length,
    terminal,
    allowed,
    measured,
    time: model.time,
  };
}

export function mindOf(model: ModelJson): Mind {
  return {
    problem: problemOf(model),
    dynamics: dynamicsOf(model, model),
    policy: { eta: model.inverse_temperature, means: model.means.map((mean) => Float64Array.from(mean)), terms: termsOf(model) },
  };
}

export function worldOf(model: ModelJson): Dynamics | null {
  return model.world ? dynamicsOf(model, model.world) : null;
}

export function mindsOfDraws(model: ModelJson, draws: DrawsJson | null): Mind[] {
  const problem = problemOf(model);
  const terms = termsOf(model);
  return draws ? draws.agent.map((flat, i) => mindOfFlat(problem, terms, flat, i)) : [];
}

// As it weighs actions in one context, for pictures of all beliefs; null: by belief alone. What is done whatever is believed
// (inertia, lapses) is left out: lines between regions stay straight, and are where curves of probability cross.
export function mindIn(mind: Mind, context: Partial<DecisionContext> | null): Mind {
  const { effect, ...policy } = inContext(mind.policy, context);
  return { ...mind, policy: effect ? { ...policy, effect: { ...effect, keep: 1, floor: effect.floor.map(() => 0) } } : policy };
}

// A copy with another mean, for dragging; what is not changed is shared with the original.
export function withMean(mind: Mind, action: number, mean: ArrayLike<number>): Mind {
  const means = mind.policy.means.map((old, a) => (a === action ? Float64Array.from(mean) : old));
  return { ...mind, policy: { ...mind.policy, means } };
}

// b'(s') = O(z|a,s') Σ_s b(s) T(s'|s,a) / c, from and into flat arrays. Returns c, the chance of the outcome; where it is 0 the
// outcome is impossible and b' is all zero. `gap`: until the outcome is seen, where visits have times; 0: no time passes.
export function updateInto(
  dynamics: Dynamics,
  belief: ArrayLike<number>,
  from: number,
  action: number,
  observation: number,
  out: Float64Array,
  to: number,
  gap = 0,
): number {
  const S = dynamics.b1.length;
  const T = transitionOf(dynamics, action, gap);
  const O = dynamics.O[action];
  if (dynamics.measured && O && observation !== MISSING) return updateMeasured(dynamics.measured, T, O, belief, from, observation, out, to, S);
  const Z = O ? O.length / S : 0;
  let total = 0;
  for (let s = 0; s < S; ++s) {
    let arrived = 0;
    for (let r = 0; r < S; ++r) arrived += belief[from + r] * T[r * S + s];
    if (observation !== MISSING) arrived *= O ? O[s * Z + observation] : 0;
    out[to + s] = arrived;
    total += arrived;
  }
  if (total > 0) for (let s = 0; s < S; ++s) out[to + s] /= total;
  return total;
}

// T [s·S + s'] of an action, over a gap where visits have times.
export function transitionOf(dynamics: Dynamics, action: number, gap: number): Float64Array {
  return dynamics.over ? dynamics.over.of(action, gap) : dynamics.T[action];
}

// The weights of a measured outcome are scaled, so that the product of many densities does not vanish.
function updateMeasured(
  measured: Measured,
  T: Float64Array,
  rows: Float64Array,
  belief: ArrayLike<number>,
  from: number,
  observation: number,
  out: Float64Array,
  to: number,
  S: number,
): number {
  const weights = new Float64Array(S);
  const scale = weightsInto(measured, rows, measured.values(observation), weights);
  let total = 0;
  for (let s = 0; s < S; ++s) {
    let arrived = 0;
    for (let r = 0; r < S; ++r) arrived += belief[from + r] * T[r * S + s];
    total += out[to + s] = arrived * weights[s];
  }
  if (!(total > 0)) return 0;
  for (let s = 0; s < S; ++s) out[to + s] /= total;
  return chanceOf(total, scale);
}

export function predict(dynamics: Dynamics, belief: ArrayLike<number>, action: number): Float64Array {
  return update(dynamics, belief, action, MISSING).belief;
}

export function update(
  dynamics: Dynamics,
  belief: ArrayLike<number>,
  action: number,
  observation: number,
  gap = 0,
): { belief: Float64Array; chance: number } {
  const next = new Float64Array(dynamics.b1.length);
  const chance = updateInto(dynamics, belief, 0, action, observation, next, 0, gap);
  return { belief: next, chance };
}

// log π(a|b), finite even where π is too small for a number. In a context: with all terms of the policy; without one, of belief
// alone.
export function logPolicyAt(policy: Policy, belief: ArrayLike<number>, context: DecisionContext | null = null): Float64Array {
  const decided = inContext(policy, context);
  const logs = scoresAt(decided, belief);
  const highest = logs.reduce((x, y) => Math.max(x, y), -Infinity);
  let total = 0;
  for (const x of logs) total += Math.exp(x - highest);
  const normaliser = highest + Math.log(total);
  const { effect } = decided;
  if (!effect) return logs.map((x) => x - normaliser);
  return logs.map((x, a) => {
    const log = x - normaliser;
    const floor = effect.floor[a];
    return floor === 0 ? log + Math.log(effect.keep) : Math.log(effect.keep * Math.exp(log) + floor);
  });
}

// π(a|b) ∝ exp(−η ‖b − μ_a‖²), for every action; with all terms of the policy in a context.
export function policyAt(policy: Policy, belief: ArrayLike<number>, context: DecisionContext | null = null): Float64Array {
  const decided = inContext(policy, context);
  const scores = scoresAt(decided, belief);
  const highest = scores.reduce((x, y) => Math.max(x, y), -Infinity);
  let total = 0;
  for (let a = 0; a < scores.length; ++a) total += scores[a] = Math.exp(scores[a] - highest);
  const { effect } = decided;
  return scores.map((p, a) => (effect ? effect.keep * (p / total) + effect.floor[a] : p / total));
}

// What is most likely done at a belief in a context; the first of several.
export function mostLikelyIn(policy: Policy, belief: ArrayLike<number>, context: DecisionContext): number {
  if (!policy.terms) return mostLikely(policy, belief);
  return firstHighest(policyAt(policy, belief, context));
}

export function firstHighest(values: ArrayLike<number>): number {
  let best = 0;
  for (let i = 1; i < values.length; ++i) if (values[i] > values[best]) best = i;
  return best;
}

// What the context adds to an action, in the units of ‖b‖² − ‖b − μ‖²: lines between regions move with it, and stay straight.
export function leadOf(policy: Policy, action: number): number {
  return policy.effect && policy.eta > 0 ? policy.effect.offsets[action] / policy.eta : 0;
}

// The action whose mean is nearest, but for what the context adds; the first of several. Also of a belief inside a flat array,
// for whole data sets.
export function mostLikely(policy: Policy, belief: ArrayLike<number>, from = 0): number {
  let best = 0;
  let nearest = Infinity;
  for (let a = 0; a < policy.means.length; ++a) {
    const mean = policy.means[a];
    let norm = 0;
    let along = 0;
    for (let s = 0; s < mean.length; ++s) {
      norm += mean[s] * mean[s];
      along += mean[s] * belief[from + s];
    }
    const score = norm - 2 * along - leadOf(policy, a);
    if (score < nearest) {
      nearest = score;
      best = a;
    }
  }
  return best;
}

// η (‖b‖² − ‖b − μ_a‖²) for every action: ‖b‖² is the same for all and cancels in π. With what the context adds.
function scoresAt(policy: Policy, belief: ArrayLike<number>): Float64Array {
  return Float64Array.from(policy.means, (mean, a) => {
    let score = 0;
    for (let s = 0; s < mean.length; ++s) score += mean[s] * (2 * belief[s] - mean[s]);
    return policy.eta * score + (policy.effect?.offsets[a] ?? 0);
  });
}

function dynamicsOf(model: ModelJson, json: DynamicsJson): Dynamics {
  const b1 = Float64Array.from(json.initial_belief);
  const T = json.transition.map((rows) => Float64Array.from(rows.flat()));
  return {
    measured: model.measured && measuredOf(model.measured),
    over: model.time && new GapTransitions(model.time, T, b1.length),
    b1,
    T,
    O: json.observation.map((rows) => (rows ? Float64Array.from(rows.flat()) : null)),
  };
}

function mindOfFlat(problem: Problem, terms: PolicyTerms | undefined, flat: number[], draw: number): Mind {
  const { S, A, terminal, measured, time } = problem;
  const Z = measured ? measured.columns : problem.Z;
  const expected = S + A * S * S + A * S * Z + 1 + A * S + (terms ? termNumbers(terms, A) : 0);
  if (flat.length !== expected) {
    throw new Error(`draws.agent[${draw}]: ${flat.length} numbers where the model calls for ${expected}.`);
  }
  let next = 0;
  const take = (count: number) => Float64Array.from(flat.slice(next, (next += count)));
  const b1 = take(S);
  const T = Array.from({ length: A }, () => take(S * S));
  const all = Array.from({ length: A }, () => take(S * Z));
  const eta = take(1)[0];
  const means = Array.from({ length: A }, () => take(S));
  const policy = { eta, means, terms: terms && termsWith(terms, take) };
  return { problem, dynamics: { b1, T, O: all.map((O, a) => (terminal[a] ? null : O)), measured, over: time && new GapTransitions(time, T, S) }, policy };
}
