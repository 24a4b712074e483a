// How often a factor has which value in each state, as curves of one height.
import { hasLevels, isCount, logDensity, type MeasuredFactor } from '../../core/measured/families';
import type { Measured } from '../../core/measured/outcomes';
import type { Dynamics } from '../../core/model';
import type { ValueScale } from './value_scale';

export interface DensityCurve {
  state: number;
  points: [number, number][]; // value, density (on a logarithmic axis: of the logarithm)
}

const SAMPLES = 160;

function samples(factor: MeasuredFactor, { low, high, logarithmic }: ValueScale): number[] {
  if (hasLevels(factor)) return factor.levels.map((_, l) => l);
  if (isCount(factor) && high - low <= SAMPLES) return Array.from({ length: Math.round(high - low) + 1 }, (_, i) => low + i);
  const at = (share: number) => (logarithmic ? low * (high / low) ** share : low + share * (high - low));
  const all = Array.from({ length: SAMPLES + 1 }, (_, i) => at(i / SAMPLES));
  // At a limit of detection a value says "there or beyond": the curve is drawn just inside it.
  const inside = all.map((x) => (x === factor.lower ? x + 1e-9 * (high - low) : x === factor.upper ? x - 1e-9 * (high - low) : x));
  return isCount(factor) ? inside.map(Math.round) : inside;
}

export function densityCurves(measured: Measured, factor: number, dynamics: Dynamics, action: number, scale: ValueScale): DensityCurve[] {
  const of = measured.factors[factor];
  const rows = dynamics.O[action];
  if (!rows) return [];
  const xs = samples(of, scale);
  return Array.from({ length: dynamics.b1.length }, (_, state) => ({
    state,
    points: xs.map((x): [number, number] => {
      const density = Math.exp(logDensity(of, x, rows, state * measured.columns + of.offset));
      return [x, scale.logarithmic ? density * x : density];
    }),
  }));
}

// Whether two sets of dynamics say different things of a factor.
export function differ(measured: Measured, factor: number, x: Dynamics, y: Dynamics, action: number): boolean {
  const { offset, parameters } = measured.factors[factor];
  const [a, b] = [x.O[action], y.O[action]];
  if (!a || !b) return false;
  for (let s = 0; s < x.b1.length; ++s) {
    for (let i = 0; i < parameters.length; ++i) {
      const at = s * measured.columns + offset + i;
      if (Math.abs(a[at] - b[at]) > 1e-9 * Math.max(1, Math.abs(b[at]))) return true;
    }
  }
  return false;
}

export function pathOf(points: [number, number][], x: (value: number) => number, y: (value: number) => number): string {
  return points.map(([value, density], i) => `${i === 0 ? 'M' : 'L'}${x(value).toFixed(1)} ${y(density).toFixed(1)}`).join('');
}
