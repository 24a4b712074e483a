// Measured values as people read them, in the program's words (data/outcome_factors.cpp, base/number_text.cpp).
import type { MeasuredFactorJson } from '../payload';
import { hasLevels, type MeasuredFactor } from './families';
import type { Measured } from './outcomes';

// About four digits, no fewer before the point: "62.5", "7.342", "12346".
export function shortNumber(x: number): string {
  if (!Number.isFinite(x)) return '–';
  const size = Math.abs(x);
  if (size >= 1e15 || (size > 0 && size < 1e-4)) return x.toExponential(3).replace(/\.?0+e/, 'e').replace(/e([+-])(\d)$/, 'e$10$2');
  if (size > 0 && size < 1e-3) return x.toPrecision(4).replace(/0+$/, '');
  const text = rounded(x, size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

// Halves that a double can hold go to the even digit, as in the program.
function rounded(x: number, decimals: number): string {
  const scaled = Math.abs(x) * 10 ** decimals;
  const isHalf = scaled % 1 === 0.5 && Number.isInteger(x * 1024);
  return isHalf && Math.floor(scaled) % 2 === 0 ? ((Math.sign(x) * Math.floor(scaled)) / 10 ** decimals).toFixed(decimals) : x.toFixed(decimals);
}

// Whose parameter a column of a row is.
export function factorOfColumn({ factors }: Measured, column: number): MeasuredFactor {
  return factors.find(({ offset, parameters }) => column < offset + parameters.length) ?? factors[factors.length - 1];
}

// "lactate median"
export function columnName(measured: Measured, column: number): string {
  const factor = factorOfColumn(measured, column);
  return `${factor.name} ${factor.parameters[column - factor.offset]}`;
}

// "lactate 3.1 mmol/L", "grade high", "lactate not measured"
export function valueWords(factor: MeasuredFactorJson, value: number): string {
  if (Number.isNaN(value)) return `${factor.name} not measured`;
  if (hasLevels(factor)) return `${factor.name} ${factor.levels[value]}`;
  return `${factor.name} ${shortNumber(value)}${factor.unit === '' ? '' : ` ${factor.unit}`}`;
}
