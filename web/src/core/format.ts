// Numbers as people read them. What cannot be said is a dash, never NaN.
import type { Estimate } from './payload';

export const NONE = '–';

// "64%"; what is not nothing is never shown as 0%, what is not certain never as 100%. Halves go to the even number, as in the
// program's sentences.
export function percent(p: number | null | undefined): string {
  if (p === null || p === undefined || !Number.isFinite(p)) return NONE;
  if (p > 0 && p < 0.005) return 'under 1%';
  if (p < 1 && p > 0.995) return 'over 99%';
  return `${roundHalfToEven(100 * p)}%`;
}

// "64% (58% to 70%)"
export function percentRange(estimate: Estimate | null | undefined): string {
  if (!estimate || !Number.isFinite(estimate.middle)) return NONE;
  const { middle, low, high } = estimate;
  if (!Number.isFinite(low) || !Number.isFinite(high)) return percent(middle);
  return `${percent(middle)} (${percent(low)} to ${percent(high)})`;
}

// "64% [58, 70]", in the program's words; without an interval, "64%".
export function percentIn(p: number | null | undefined, estimate: Estimate | null | undefined): string {
  if (!estimate || !Number.isFinite(estimate.low) || !Number.isFinite(estimate.high)) return percent(p);
  return `${percent(p)} [${roundHalfToEven(100 * estimate.low)}, ${roundHalfToEven(100 * estimate.high)}]`;
}

// A difference of two shares: "+12 points", "−3 points".
export function points(difference: number | null | undefined): string {
  if (difference === null || difference === undefined || !Number.isFinite(difference)) return NONE;
  const whole = roundHalfToEven(100 * difference);
  if (whole === 0) return difference === 0 ? '0 points' : 'under 1 point';
  return `${whole > 0 ? '+' : '−'}${Math.abs(whole)} ${Math.abs(whole) === 1 ? 'point' : 'points'}`;
}

// A withheld count (null) is shown as such, never as 0.
export function count(n: number | null | undefined, minCell = 0): string {
  if (n === null || n === undefined) return minCell > 1 ? `< ${minCell}` : 'withheld';
  if (!Number.isFinite(n)) return NONE;
  return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ',');
}

// "p = 0.03", "p < 0.001"
export function pValue(p: number | null | undefined): string {
  if (p === null || p === undefined || !Number.isFinite(p)) return NONE;
  if (p < 0.001) return 'p < 0.001';
  if (p > 0.99) return 'p > 0.99';
  return `p = ${p < 0.1 ? significant(p, p < 0.01 ? 1 : 2) : p.toFixed(2)}`;
}

// "0.42 bits", "12 bits"
export function bits(x: number | null | undefined): string {
  if (x === null || x === undefined || !Number.isFinite(x)) return NONE;
  if (x > 0 && x < 0.005) return 'under 0.01 bits';
  return `${x < 10 ? trimmed(x.toFixed(2)) : x.toFixed(0)} bits`;
}

// "37 days", "1 day", "2.5 hours"; the unit as studies have it, in the plural.
export function timeWords(time: number, unit: string): string {
  const shown = String(Number(time.toPrecision(4)));
  return `${shown} ${shown === '1' ? unit.replace(/s$/, '') : unit}`;
}

function significant(x: number, digits: number): string {
  return trimmed(x.toFixed(digits - 1 - Math.floor(Math.log10(x))));
}

function trimmed(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

export function roundHalfToEven(x: number): number {
  const below = Math.floor(x);
  const rest = x - below; // exact: x and its floor are near
  if (rest < 0.5) return below;
  if (rest > 0.5) return below + 1;
  return below % 2 === 0 ? below : below + 1;
}
