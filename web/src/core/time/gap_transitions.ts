// T_a(Δ): how states change in the time to the next visit, by rates or in whole steps (model/time/gap_transition.cpp).
import type { TimeJson } from '../payload';
import { exponential } from './exponential';

const LEAST_STAY = 1e-12; // a state that is left faster than this many times in a typical gap is left at once
const MOST_KNOWN = 5000; // matrices that are kept

// By one set of dynamics. `T`: rows as they are kept (docs/mathematics/time.md).
export class GapTransitions {
  readonly #known = new Map<string, Float64Array>();
  readonly #rates: (Float64Array | undefined)[] = [];

  constructor(
    readonly time: TimeJson,
    private readonly T: Float64Array[],
    private readonly S: number,
  ) {}

  // Remembered: records have the same gaps again and again.
  of(action: number, gap: number): Float64Array {
    const key = `${action}:${gap}`;
    const known = this.#known.get(key);
    if (known) return known;
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    const made = this.over(action, gap);
    this.#known.set(key, made);
    return made;
  }

  // Of steps, whole ones that have passed.
  over(action: number, gap: number): Float64Array {
    if (this.time.rule === 'steps') return this.#overSteps(action, Math.floor(gap / this.time.typical + 1e-6));
    return exponential(this.ratesOf(action), this.S, gap);
  }

  // Q_a [s·S + s'] in 1/unit.
  ratesOf(action: number): Float64Array {
    return (this.#rates[action] ??= this.#madeRates(this.T[action]));
  }

  #madeRates(rows: Float64Array): Float64Array {
    const { S } = this;
    const rates = new Float64Array(S * S);
    for (let s = 0; s < S; ++s) {
      const unit = Math.max(rows[s * S + s], LEAST_STAY) * this.time.typical;
      let leaving = 0;
      for (let to = 0; to < S; ++to) if (to !== s) leaving += rates[s * S + to] = rows[s * S + to] / unit;
      rates[s * S + s] = 0 - leaving;
    }
    return rates;
  }

  #overSteps(action: number, steps: number): Float64Array {
    const { S } = this;
    let passed = new Float64Array(S * S);
    if (steps === 0) {
      for (let s = 0; s < S; ++s) passed[s * S + s] = 1;
      return passed;
    }
    passed.set(this.T[action]);
    const wait = this.T[this.time.wait ?? action];
    for (let k = 1; k < steps; ++k) {
      const after = new Float64Array(S * S);
      for (let i = 0; i < S; ++i) {
        for (let m = 0; m < S; ++m) {
          for (let j = 0; j < S; ++j) after[i * S + j] += passed[i * S + m] * wait[m * S + j];
        }
      }
      passed = after;
    }
    return passed;
  }
}
