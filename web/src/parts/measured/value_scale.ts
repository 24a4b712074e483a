// Where a slider for a measured value runs, and which values it stops at.
import { isCount, isPossible, usualRange } from '../../core/measured/families';
import type { Measured } from '../../core/measured/outcomes';
import type { Dynamics } from '../../core/model';
import { quantilesOf, roundTo } from './limits';

export interface ValueScale {
  low: number;
  high: number;
  logarithmic: boolean;
  steps: number;
}

// All values of the records, and where most of any state's lie.
export function valueScale(measured: Measured, factor: number, dynamics: Dynamics, action: number): ValueScale {
  const of = measured.factors[factor];
  const rows = dynamics.O[action];
  const S = dynamics.b1.length;
  const ranges = rows ? Array.from({ length: S }, (_, s) => usualRange(of, rows, s * measured.columns + of.offset)) : [];
  const seen = quantilesOf(measured, factor, [0, 1]);
  let low = Math.min(...ranges.map(([x]) => x), ...seen);
  let high = Math.max(...ranges.map(([, x]) => x), ...seen);
  if (of.lower !== null) low = Math.max(low, of.lower);
  if (of.upper !== null) high = Math.min(high, of.upper);
  if (isCount(of)) [low, high] = [Math.floor(low), Math.ceil(high)];
  if (!(high > low)) high = low + 1;
  return { low, high, logarithmic: of.family === 'lognormal' && low > 0, steps: isCount(of) ? Math.min(400, high - low) : 200 };
}

export function valueAt(measured: Measured, factor: number, scale: ValueScale, step: number): number {
  const share = step / scale.steps;
  const { low, high } = scale;
  const raw = scale.logarithmic ? low * (high / low) ** share : low + share * (high - low);
  const rounded = scale.logarithmic ? Number(raw.toPrecision(3)) : roundTo(measured, factor, raw);
  return isPossible(measured.factors[factor], rounded) ? rounded : raw;
}

export function stepAt(scale: ValueScale, value: number): number {
  const { low, high, logarithmic, steps } = scale;
  const share = logarithmic ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.round(Math.min(1, Math.max(0, share)) * steps);
}

// From values to places on paper; what lies beyond an end is drawn at it.
export function axisOf({ low, high, logarithmic }: ValueScale, [from, to]: [number, number]): (value: number) => number {
  return (value) => {
    const share = logarithmic ? Math.log(Math.max(value, low) / low) / Math.log(high / low) : (value - low) / (high - low);
    return from + Math.min(1, Math.max(0, share)) * (to - from);
  };
}
