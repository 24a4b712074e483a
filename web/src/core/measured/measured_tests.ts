// How far a test that measures could have moved a belief (explain/audit/measured_tests.cpp).
import type { Step } from '../histories';
import { MISSING, updateInto, type Dynamics } from '../model';
import type { AuditJson } from '../payload';
import type { Measured } from './outcomes';
import { eachOutcome, outcomeChances, SELDOM, type OutcomeChances } from './points';
import { weightsInto } from './weights';

const owned = (audit: AuditJson, measured: Measured, action: number, observation: number): number[] =>
  measured.factors.map((_, k) => k).filter((k) => audit.own?.[action]?.[k] && !Number.isNaN(measured.at(observation, k)));

// The step is a test whose own result is recorded.
export function hasResult(audit: AuditJson, measured: Measured | undefined, action: number, observation: number): boolean {
  if (!audit.tests[action] || observation === MISSING) return false;
  return !measured || owned(audit, measured, action, observation).length > 0;
}

// By one set of dynamics; it remembers what it has worked out.
export class MeasuredTests {
  readonly #known = new Map<string, OutcomeChances>();
  readonly #predicted: Float64Array;
  readonly #next: Float64Array;

  constructor(
    private readonly measured: Measured,
    private readonly dynamics: Dynamics,
    private readonly audit: AuditJson,
  ) {
    this.#predicted = new Float64Array(dynamics.b1.length);
    this.#next = new Float64Array(dynamics.b1.length);
  }

  // The share of results, as it was expected, that would have moved the belief by `least` or more; it may stop above `enough`.
  shareMoved(before: ArrayLike<number>, step: Step, least: number, enough = 1): number {
    let moved = 0;
    this.#eachMove(before, step, (share, move) => {
      if (move >= least) moved += share;
      return moved > enough;
    });
    return moved;
  }

  // What the move stays within but for a seldom share of results.
  reach(before: ArrayLike<number>, step: Step): number {
    const moves: [number, number][] = [];
    this.#eachMove(before, step, (share, move) => {
      moves.push([move, share]);
      return false;
    });
    moves.sort(([x], [y]) => y - x);
    let beyond = 0;
    for (const [move, share] of moves) if ((beyond += share) > SELDOM) return move;
    return 0;
  }

  #chances(action: number, varying: number[]): OutcomeChances {
    const key = `${action}:${varying.join()}`;
    const known = this.#known.get(key);
    if (known) return known;
    const made = outcomeChances(this.measured, this.dynamics.O[action]!, this.#next.length, varying);
    this.#known.set(key, made);
    return made;
  }

  // What the test alone measures varies; what was seen beside it stays, and an empty cell stays empty.
  #eachMove(before: ArrayLike<number>, { action, observation, gap }: Step, visit: (share: number, move: number) => boolean): void {
    const predicted = this.#predicted;
    const next = this.#next;
    const S = next.length;
    const varying = owned(this.audit, this.measured, action, observation);
    const values = this.measured.values(observation);
    for (const k of varying) values[k] = NaN;
    updateInto(this.dynamics, before, 0, action, MISSING, predicted, 0, gap);
    weightsInto(this.measured, this.dynamics.O[action]!, values, next);
    let seen = 0;
    for (let s = 0; s < S; ++s) seen += predicted[s] *= next[s];
    if (!(seen > 0)) return;
    for (let s = 0; s < S; ++s) predicted[s] /= seen;
    const { weights } = this.#chances(action, varying);
    eachOutcome({ S, weights }, predicted, (share, row) => {
      let total = 0;
      for (let s = 0; s < S; ++s) total += next[s] = predicted[s] * weights[row + s];
      if (!(total > 0)) return false;
      let square = 0;
      for (let s = 0; s < S; ++s) square += (before[s] - next[s] / total) ** 2;
      return visit(share, Math.sqrt(square));
    });
  }
}
