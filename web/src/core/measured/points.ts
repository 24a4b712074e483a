// What could have been measured: for each state a few outcomes that stand for all, always the same ones, to integrate over
// (model/measured/outcome_points.cpp).
import { isCount, logDensity, recordedValue, type MeasuredFactor } from './families';
import type { Measured } from './outcomes';
import { normalQuantile } from './special_functions';
import { weightsInto } from './weights';

export const POINTS = 128; // of each state
// Numbers always could come that would change anything. What comes in at most this share of cases is left aside.
export const SELDOM = 0.05;

function goldenRatio(dimensions: number): number {
  let x = 2;
  for (let i = 0; i < 60; ++i) x = (1 + x) ** (1 / (dimensions + 1));
  return x;
}

function lattice(dimension: number, dimensions: number, count: number): Float64Array {
  const step = goldenRatio(dimensions) ** -(dimension + 1);
  return Float64Array.from({ length: count }, (_, i) => {
    const at = 0.5 + (i + 1) * step;
    return Math.min(Math.max(at - Math.floor(at), 1e-12), 1 - 1e-12);
  });
}

function levelAt(factor: MeasuredFactor, p: Float64Array, at: number, point: number): number {
  let below = 0;
  for (let k = 0; k + 1 < factor.levels.length; ++k) {
    below += Math.exp(logDensity(factor, k, p, at));
    if (point < below) return k;
  }
  return factor.levels.length - 1;
}

function countsAt(factor: MeasuredFactor, p: Float64Array, at: number, points: Float64Array): Float64Array {
  const poisson = factor.family === 'poisson';
  const mean = p[at];
  const sd = Math.sqrt(poisson ? mean : mean + (mean * mean) / p[at + 1]);
  const order = Array.from(points.keys()).sort((i, j) => points[i] - points[j]);
  const values = new Float64Array(points.length);
  let count = Math.max(0, Math.floor(mean - 10 * sd));
  const last = Math.ceil(mean + 60 * sd) + 100;
  let chance = Math.exp(logDensity(factor, count, p, at));
  let below = chance;
  for (const i of order) {
    while (points[i] >= below && count < last) {
      chance *= poisson ? mean / (count + 1) : ((count + p[at + 1]) / (count + 1)) * (mean / (mean + p[at + 1]));
      ++count;
      below += chance;
    }
    values[i] = count;
  }
  return values;
}

export function valuesAt(factor: MeasuredFactor, p: Float64Array, at: number, points: Float64Array, second: Float64Array): Float64Array {
  if (isCount(factor)) return countsAt(factor, p, at, points);
  return points.map((u, i) => {
    const value = () => {
      switch (factor.family) {
        case 'normal':
          return p[at] + p[at + 1] * normalQuantile(u);
        case 'lognormal':
          return p[at] * Math.exp(p[at + 1] * normalQuantile(u));
        case 'student':
          return p[at] + p[at + 1] * Math.sqrt(p[at + 2] * Math.expm1((-2 / p[at + 2]) * Math.log(u))) * Math.cos(2 * Math.PI * second[i]);
        default:
          return levelAt(factor, p, at, u);
      }
    };
    return recordedValue(factor, value());
  });
}

export interface OutcomeChances {
  S: number;
  weights: Float64Array; // [(s·POINTS + i)·S + s']: of an outcome drawn in state s, the largest is 1
}

const dimensionsOf = (factor: MeasuredFactor) => (factor.family === 'student' ? 2 : 1);

// Of an action with these parameters, of the factors listed.
export function outcomeChances(measured: Measured, rows: Float64Array, S: number, listed: number[]): OutcomeChances {
  const { factors, columns } = measured;
  const K = factors.length;
  const dimensions = listed.reduce((sum, k) => sum + dimensionsOf(factors[k]), 0);
  const weights = new Float64Array(S * POINTS * S);
  for (let s = 0; s < S; ++s) {
    const outcomes = new Float64Array(POINTS * K).fill(NaN);
    let dimension = 0;
    for (const k of listed) {
      const first = lattice(dimension, dimensions, POINTS);
      const second = dimensionsOf(factors[k]) === 2 ? lattice(dimension + 1, dimensions, POINTS) : first;
      dimension += dimensionsOf(factors[k]);
      const values = valuesAt(factors[k], rows, s * columns + factors[k].offset, first, second);
      values.forEach((value, i) => (outcomes[i * K + k] = value));
    }
    for (let i = 0; i < POINTS; ++i) {
      const row = (s * POINTS + i) * S;
      weightsInto(measured, rows, outcomes.subarray(i * K, (i + 1) * K), weights.subarray(row, row + S));
    }
  }
  return { S, weights };
}

// Calls visit(share of all that could come, row of the weights, the state it was drawn in) until it returns true.
export function eachOutcome(
  chances: OutcomeChances,
  predicted: ArrayLike<number>,
  visit: (share: number, row: number, state: number) => boolean | void,
): void {
  for (let s = 0; s < chances.S; ++s) {
    if (!(predicted[s] > 0)) continue;
    for (let i = 0; i < POINTS; ++i) {
      if (visit(predicted[s] / POINTS, (s * POINTS + i) * chances.S, s) === true) return;
    }
  }
}
