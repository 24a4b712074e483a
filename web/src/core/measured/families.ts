// The families of measured factors: how likely a value is in one state (model/measured/families.cpp).
import type { MeasuredFactorJson } from '../payload';
import { logGamma, logNormalProbability, normalLogDensity } from './special_functions';

export interface MeasuredFactor extends MeasuredFactorJson {
  offset: number; // where its parameters begin in a row of all
}

const logLogistic = (x: number) => (x < 0 ? x - Math.log1p(Math.exp(x)) : -Math.log1p(Math.exp(-x)));

// A value at a limit of detection says "there or beyond".
function logNormal(factor: MeasuredFactor, x: number, t: number, spread: number): number {
  if (x <= (factor.lower ?? -Infinity)) return logNormalProbability(t);
  if (x >= (factor.upper ?? Infinity)) return logNormalProbability(-t);
  return normalLogDensity(t, spread);
}

const isLimit = (factor: MeasuredFactor, x: number) => x <= (factor.lower ?? -Infinity) || x >= (factor.upper ?? Infinity);

function logOrdinal(levels: number, level: number, p: ArrayLike<number>, at: number): number {
  let cut = p[at + 1];
  let high = Infinity;
  let low = -Infinity;
  for (let k = 0; k + 1 < levels; ++k) {
    if (k > 0) cut += p[at + 1 + k];
    if (k === level) high = cut - p[at];
    if (k + 1 === level) low = cut - p[at];
  }
  let log = 0;
  if (level + 1 < levels) log += logLogistic(high);
  if (level > 0) log += logLogistic(-low);
  if (level > 0 && level + 1 < levels) log += Math.log(-Math.expm1(low - high));
  return log;
}

// log p(x), by the parameters from `at` on.
export function logDensity(factor: MeasuredFactor, x: number, p: ArrayLike<number>, at: number): number {
  switch (factor.family) {
    case 'categorical':
      return Math.log(p[at + x]);
    case 'ordinal':
      return logOrdinal(factor.levels.length, x, p, at);
    case 'normal':
      return logNormal(factor, x, (x - p[at]) / p[at + 1], p[at + 1]);
    case 'lognormal': {
      const log = logNormal(factor, x, Math.log(x / p[at]) / p[at + 1], p[at + 1]);
      return isLimit(factor, x) ? log : log - Math.log(x);
    }
    case 'student': {
      const [scale, df] = [p[at + 1], p[at + 2]];
      const t = (x - p[at]) / scale;
      const excess = Math.log1p((t * t) / df);
      return logGamma(0.5 * (df + 1)) - logGamma(0.5 * df) - 0.5 * Math.log(df * Math.PI) - Math.log(scale) - 0.5 * (df + 1) * excess;
    }
    case 'poisson':
      return x * Math.log(p[at]) - p[at] - logGamma(x + 1);
    case 'negative-binomial': {
      const [mean, size] = [p[at], p[at + 1]];
      const both = mean + size;
      return logGamma(x + size) - logGamma(size) - logGamma(x + 1) + size * Math.log(size / both) + x * Math.log(mean / both);
    }
  }
}

export const isCount = (factor: MeasuredFactorJson) => factor.family === 'poisson' || factor.family === 'negative-binomial';
export const hasLevels = (factor: MeasuredFactorJson) => factor.family === 'ordinal' || factor.family === 'categorical';

// As it is recorded: at a limit of detection if it lies beyond it.
export function recordedValue(factor: MeasuredFactorJson, x: number): number {
  return Math.min(Math.max(x, factor.lower ?? -Infinity), factor.upper ?? Infinity);
}

// Whether the family knows such a value.
export function isPossible(factor: MeasuredFactorJson, x: number): boolean {
  if (!Number.isFinite(x)) return false;
  if (hasLevels(factor)) return Number.isInteger(x) && x >= 0 && x < factor.levels.length;
  if (isCount(factor)) return Number.isSafeInteger(x) && x >= 0;
  return factor.family !== 'lognormal' || x > 0;
}

// Where most of a state's values lie: for axes.
export function usualRange(factor: MeasuredFactor, p: ArrayLike<number>, at: number): [number, number] {
  const [location, spread] = [p[at], p[at + 1]];
  switch (factor.family) {
    case 'lognormal':
      return [location * Math.exp(-2.6 * spread), location * Math.exp(2.6 * spread)];
    case 'poisson':
      return [Math.max(0, location - 3.2 * Math.sqrt(location)), location + 3.2 * Math.sqrt(location) + 1];
    case 'negative-binomial': {
      const sd = Math.sqrt(location + (location * location) / spread);
      return [Math.max(0, location - 3 * sd), location + 3.5 * sd + 1];
    }
    case 'student':
      return [location - 4 * spread, location + 4 * spread];
    case 'normal':
      return [location - 3.2 * spread, location + 3.2 * spread];
    default:
      return [0, factor.levels.length - 1];
  }
}

