// Measured outcomes: a value of each factor, some of them missing (NaN). A step names an outcome by its place in a table, which
// begins with those of the records and grows where somebody asks what another value would have meant.
import type { FactorsJson, MeasuredJson } from '../payload';
import type { MeasuredFactor } from './families';

export const MISSING_OUTCOME = -1;

export class Measured {
  readonly factors: MeasuredFactor[];
  readonly columns: number; // parameters of all factors in one state
  readonly recorded: number; // outcomes of the records: the first ones
  readonly placesOfVisits: Int32Array; // of visits that have a result, record by record
  readonly #values: number[] = []; // [z·K + k]
  readonly #places = new Map<string, number>(); // by their values

  constructor(json: MeasuredJson) {
    let offset = 0;
    this.factors = json.factors.map((factor) => {
      const at = offset;
      offset += factor.parameters.length;
      return { ...factor, offset: at };
    });
    this.columns = offset;
    const visits = json.values[0]?.length ?? 0;
    this.placesOfVisits = Int32Array.from({ length: visits }, (_, i) => this.place(json.values.map((values) => values[i] ?? NaN)));
    this.recorded = this.count;
  }

  get count(): number {
    return this.#values.length / this.factors.length;
  }

  at(outcome: number, factor: number): number {
    return this.#values[outcome * this.factors.length + factor];
  }

  values(outcome: number): number[] {
    const K = this.factors.length;
    return outcome === MISSING_OUTCOME ? Array<number>(K).fill(NaN) : this.#values.slice(outcome * K, (outcome + 1) * K);
  }

  // Where these values are; MISSING if there is none.
  place(values: number[]): number {
    if (values.every(Number.isNaN)) return MISSING_OUTCOME;
    const key = values.join();
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place = this.count;
    this.#values.push(...values);
    this.#places.set(key, place);
    return place;
  }
}

const made = new WeakMap<MeasuredJson, Measured>();

// One for each document: all that is computed from it shares the table.
export function measuredOf(json: MeasuredJson): Measured {
  const known = made.get(json) ?? new Measured(json);
  made.set(json, known);
  return known;
}

// The table behind factors that are measured; null: outcomes are made of levels.
export function measuredFactors(factors: FactorsJson): Measured | null {
  return factors.outcomes ? measuredOf(factors.outcomes) : null;
}
