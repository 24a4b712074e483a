// Records searched by what happened at one of their visits: what was done, what came of it, what was believed before it, how
// surprising it was. All that is asked must hold at one and the same visit.
import type { Histories } from '../../../core/histories';
import { decodeStep } from '../../../core/histories';
import { logPolicyAt, MISSING, type Mind, type Problem } from '../../../core/model';
import type { FactorsJson, RecordsJson } from '../../../core/payload';
import { contextAfter } from '../../../core/policy_terms';

export interface VisitFilter {
  done: number | null; // action
  result: { factor: number; level: number; sign?: 'least' | 'most' } | null; // of a number: at least, or at most, `level`
  belief: { state: number; least: number } | null; // at least so sure of it before the decision
  surprise: number | null; // bits, at least
  at: number[] | null; // the belief before the decision lies near this one
}

// Names in the address.
export const visitParameters = ['done', 'result', 'belief', 'surprise', 'at'];

export const noVisitFilter: VisitFilter = { done: null, result: null, belief: null, surprise: null, at: null };
export const asksOfVisits = (filter: VisitFilter): boolean => Object.values(filter).some((part) => part !== null);

// How near is near: no picture tells beliefs apart that differ by less.
export const NEAR = 0.03;

const whole = (text: string | undefined, below: number): number | null => {
  const n = text === undefined || text === '' ? NaN : Number(text);
  return Number.isInteger(n) && n >= 0 && n < below ? n : null;
};

// ">62.5" or "<62.5": at least, at most.
function asLimit(text: string | undefined): { level: number; sign: 'least' | 'most' } | null {
  const value = Number(text?.slice(1) || NaN);
  if (!Number.isFinite(value) || !/^[<>]/.test(text ?? '')) return null;
  return { level: value, sign: text!.startsWith('>') ? 'least' : 'most' };
}

// From the address, which may hold anything.
export function asVisitFilter(get: (name: string) => string | null, problem: Problem, factors: FactorsJson): VisitFilter {
  const [, factorText, levelText] = /^([^.]*)\.(.*)$/.exec(get('result') ?? '') ?? [];
  const factor = whole(factorText, factors.names.length);
  const limit = factor === null || !problem.measured ? null : asLimit(levelText);
  const level = factor === null ? null : whole(levelText, factors.levels[factor].length);
  const [stateText, shareText] = (get('belief') ?? '').split(':');
  const state = whole(stateText, problem.S);
  const share = Number(shareText ?? NaN) / 100;
  const bits = Number(get('surprise') ?? NaN);
  const at = (get('at') ?? '').split(',').map(Number);
  return {
    done: whole(get('done') ?? undefined, problem.A),
    result: factor === null ? null : limit ? { factor, ...limit } : level !== null ? { factor, level } : null,
    belief: state !== null && share > 0 && share <= 1 ? { state, least: share } : null,
    surprise: bits > 0 && Number.isFinite(bits) ? bits : null,
    at: at.length === problem.S && at.every((x) => x >= 0 && x <= 1) && get('at') ? at : null,
  };
}

interface Data {
  problem: Problem;
  factors: FactorsJson;
  histories: Histories;
  beliefs: Float64Array;
  records: RecordsJson;
  mind: Mind;
}

// The first visit of a record at which all of it holds; −1: none. Beliefs are looked up, surprises worked out once for each
// history and action.
export function visitFinder(filter: VisitFilter, { problem, factors, histories, beliefs, records, mind }: Data): (record: number) => number {
  const { S, Z, A } = problem;
  const known = new Map<number, number>();
  const surpriseOf = (node: number, action: number, before: () => { action: number; observation: number }[]): number => {
    const key = node * A + action;
    let bits = known.get(key);
    if (bits === undefined) {
      const belief = beliefs.subarray(node * S, (node + 1) * S);
      bits = -logPolicyAt(mind.policy, belief, contextAfter(before()))[action] / Math.LN2;
      known.set(key, bits);
    }
    return bits;
  };
  return (record) => {
    const codes = records.steps[record];
    const path = histories.paths[record];
    for (let t = 0; t < codes.length && t < path.length; ++t) {
      const { action, observation } = decodeStep(codes[t], Z);
      const node = path[t];
      if (filter.done !== null && action !== filter.done) continue;
      if (filter.result) {
        const { factor, level, sign } = filter.result;
        if (observation === MISSING || !factors.measured[action][factor]) continue;
        const seen = problem.measured ? problem.measured.at(observation, factor) : factors.level[observation][factor];
        if (!(sign === 'least' ? seen >= level : sign === 'most' ? seen <= level : seen === level)) continue;
      }
      if (filter.belief && !(beliefs[node * S + filter.belief.state] >= filter.belief.least)) continue;
      if (filter.at && filter.at.some((x, s) => Math.abs(beliefs[node * S + s] - x) > NEAR)) continue;
      const before = () => codes.slice(0, t).map((code) => decodeStep(code, Z));
      if (filter.surprise !== null && !(surpriseOf(node, action, before) >= filter.surprise)) continue;
      return t;
    }
    return -1;
  };
}
