// What moved a belief: time passing (b → Tᵀb), then evidence (O), and of the evidence which factor how much. A factor's share
// is its Shapley value: what it adds to those seen before it, averaged over every order in which they could have been seen; the
// shares add up to the evidence exactly. As explain/record/attribution.cpp.
import { measuredFactors } from './measured/outcomes';
import { weightsInto } from './measured/weights';
import type { FactorsJson } from './payload';
import type { Step } from './histories';
import { MISSING, update, type Mind } from './model';

// Of every state: in probability, and in log-odds against all others (natural logarithm; NaN where a belief of 0 or 1 has none).
export interface Shift {
  belief: Float64Array;
  logOdds: Float64Array;
}

// `chance` is 0 and `after` empty, with empty shifts, if the outcome is impossible.
export interface BeliefMove {
  predicted: Float64Array; // Tᵀb
  after: Float64Array; // the next belief
  chance: number; // of the outcome, as the decision-maker saw it; 1 if it is missing
  time: Shift;
  evidence: Shift;
  total: Shift; // time + evidence
  factors: { factor: number; shift: Shift }[]; // those measured; their sum is the evidence
}

export const measuredBy = (factors: FactorsJson, action: number): number[] =>
  factors.names.map((_, k) => k).filter((k) => factors.measured[action][k]);

// Those of them that have a value in the outcome.
export function measuredIn(factors: FactorsJson, step: Step): number[] {
  const table = measuredFactors(factors);
  const all = measuredBy(factors, step.action);
  if (!table) return all;
  return step.observation === MISSING ? [] : all.filter((k) => !Number.isNaN(table.at(step.observation, k)));
}

// The belief after an outcome of which some factors were not read: O summed over the outcomes that agree with it in the others
// that the action measures. `chance` is that of what was read; 0: impossible.
export function partlyRead(
  mind: Mind,
  factors: FactorsJson,
  belief: ArrayLike<number>,
  step: Step,
  unread: readonly number[],
): { belief: Float64Array; chance: number } {
  const measured = measuredIn(factors, step);
  const seen = measured.reduce((bits, k, i) => (unread.includes(k) ? bits : bits | (1 << i)), 0);
  const next = update(mind.dynamics, belief, step.action, MISSING, step.gap).belief;
  const likelihood = likelihoodOf(mind, factors, step, measured, seen);
  let chance = 0;
  next.forEach((b, s) => (chance += next[s] = b * likelihood[s]));
  if (chance > 0) for (let s = 0; s < next.length; ++s) next[s] /= chance;
  return { belief: next, chance };
}

export function beliefMove(mind: Mind, factors: FactorsJson, belief: ArrayLike<number>, step: Step): BeliefMove {
  const predicted = update(mind.dynamics, belief, step.action, MISSING, step.gap).belief;
  const { belief: after, chance } = update(mind.dynamics, belief, step.action, step.observation, step.gap);
  if (!(chance > 0)) {
    const none = { belief: new Float64Array(0), logOdds: new Float64Array(0) };
    return { predicted, after: new Float64Array(0), chance: 0, time: none, evidence: none, total: none, factors: [] };
  }
  const before = Float64Array.from(belief);
  const move: BeliefMove = {
    predicted,
    after,
    chance: step.observation === MISSING ? 1 : chance,
    time: shiftBetween(before, predicted),
    evidence: shiftBetween(predicted, after),
    total: shiftBetween(before, after),
    factors: [],
  };
  if (step.observation !== MISSING) move.factors = shares(mind, factors, step, move);
  return move;
}

// log b(s) − log Σ_{r≠s} b(r): ±∞ at the ends.
export function logOdds(belief: Float64Array): Float64Array {
  return belief.map((b, s) => {
    let others = 0;
    for (let r = 0; r < belief.length; ++r) others += r === s ? 0 : belief[r];
    return Math.log(b) - Math.log(others);
  });
}

function difference(to: Float64Array, from: Float64Array): Float64Array {
  return to.map((x, i) => (Number.isFinite(x) && Number.isFinite(from[i]) ? x - from[i] : NaN));
}

function shiftBetween(from: Float64Array, to: Float64Array): Shift {
  return { belief: difference(to, from), logOdds: difference(logOdds(to), logOdds(from)) };
}

// O(what was seen of the factors in `seen` | a, s'), for every s'; `seen` has a bit for each measured factor.
function likelihoodOf(mind: Mind, factors: FactorsJson, step: Step, measured: number[], seen: number): Float64Array {
  const { S, Z, allowed } = mind.problem;
  const O = mind.dynamics.O[step.action];
  const likelihood = new Float64Array(S);
  if (!O) return likelihood;
  const table = mind.problem.measured;
  if (table) {
    const values = table.values(step.observation).map((value, k) => ((seen >> measured.indexOf(k)) & 1 ? value : NaN));
    weightsInto(table, O, values, likelihood);
    return likelihood;
  }
  for (let z = 0; z < Z; ++z) {
    if (!allowed[step.action][z]) continue;
    const agrees = measured.every(
      (k, i) => ((seen >> i) & 1) === 0 || factors.level[z][k] === factors.level[step.observation][k],
    );
    if (!agrees) continue;
    for (let s = 0; s < S; ++s) likelihood[s] += O[s * Z + z];
  }
  return likelihood;
}

function posterior(predicted: Float64Array, likelihood: Float64Array): Float64Array {
  const joint = predicted.map((b, s) => b * likelihood[s]);
  let total = 0;
  for (const x of joint) total += x;
  return joint.map((x) => x / total);
}

// How often, over all orders of K factors, exactly a given set of `before` of the others precedes one:
// before! (K − 1 − before)! / K!, which is 1 / (K · binomial(K − 1, before)).
function weightOf(before: number, K: number): number {
  let choose = 1;
  for (let i = 0; i < before; ++i) choose = (choose * (K - 1 - i)) / (i + 1);
  return 1 / (K * choose);
}

function bitCount(x: number): number {
  let count = 0;
  for (let rest = x; rest !== 0; rest &= rest - 1) ++count;
  return count;
}

function add(sum: Float64Array, weight: number, x: Float64Array): void {
  for (let i = 0; i < sum.length; ++i) sum[i] += weight * x[i];
}

const MOST_SHARED = 20; // measured factors: all sets of more are too many to go through

function shares(mind: Mind, factors: FactorsJson, step: Step, move: BeliefMove): BeliefMove['factors'] {
  const measured = measuredIn(factors, step);
  const K = measured.length;
  if (mind.problem.measured && K > MOST_SHARED) return [];
  if (K === 0) return [];
  if (K === 1) return [{ factor: measured[0], shift: move.evidence }];
  const all = 2 ** K - 1;
  const beliefs = Array.from({ length: all + 1 }, (_, seen) => {
    if (seen === 0) return move.predicted;
    if (seen === all) return move.after;
    return posterior(move.predicted, likelihoodOf(mind, factors, step, measured, seen));
  });
  const S = mind.problem.S;
  return measured.map((factor, i) => {
    const shift = { belief: new Float64Array(S), logOdds: new Float64Array(S) };
    for (let before = 0; before <= all; ++before) {
      if (((before >> i) & 1) !== 0) continue;
      const added = shiftBetween(beliefs[before], beliefs[before | (1 << i)]);
      const weight = weightOf(bitCount(before), K);
      add(shift.belief, weight, added.belief);
      add(shift.logOdds, weight, added.logOdds);
    }
    return { factor, shift };
  });
}
