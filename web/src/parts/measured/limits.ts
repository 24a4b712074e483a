// A number to search visits by: at least, or at most, one of a few round values of it.
import { isCount } from '../../core/measured/families';
import type { Measured } from '../../core/measured/outcomes';
import { shortNumber } from '../../core/measured/words';

export interface AskedResult {
  factor: number;
  level: number;
  sign?: 'least' | 'most';
}

export function resultCode({ factor, level, sign }: AskedResult): string {
  return `${factor}.${sign === 'least' ? '>' : sign === 'most' ? '<' : ''}${level}`;
}

// The values that a tenth, a quarter, half … of the records' outcomes lie below.
export function quantilesOf(measured: Measured, factor: number, shares: number[]): number[] {
  const values: number[] = [];
  for (let z = 0; z < measured.recorded; ++z) {
    const value = measured.at(z, factor);
    if (!Number.isNaN(value)) values.push(value);
  }
  values.sort((x, y) => x - y);
  return values.length === 0 ? [] : shares.map((share) => values[Math.round(share * (values.length - 1))]);
}

// To about two digits of the spread.
export function roundTo(measured: Measured, factor: number, value: number): number {
  const [low, high] = quantilesOf(measured, factor, [0.05, 0.95]);
  if (isCount(measured.factors[factor]) || !(high > low)) return isCount(measured.factors[factor]) ? Math.round(value) : value;
  const step = 10 ** Math.floor(Math.log10((high - low) / 20));
  return Number((Math.round(value / step) * step).toPrecision(12));
}

// [what the address has, words]
export function limitsOf(measured: Measured, factor: number): string[][] {
  const { name, unit } = measured.factors[factor];
  const words = (value: number) => `${shortNumber(value)}${unit === '' ? '' : ` ${unit}`}`;
  const at = (shares: number[]) => [...new Set(quantilesOf(measured, factor, shares).map((value) => roundTo(measured, factor, value)))];
  return [
    ...at([0.1, 0.25, 0.5]).map((level) => [resultCode({ factor, level, sign: 'most' }), `${name} at most ${words(level)}`]),
    ...at([0.5, 0.75, 0.9]).map((level) => [resultCode({ factor, level, sign: 'least' }), `${name} at least ${words(level)}`]),
  ];
}
