// Measured outcomes as they could have been: one value another, or none; and as text, for an address.
import type { Problem } from '../model';
import { isPossible, recordedValue } from './families';
import type { Measured } from './outcomes';

// The outcome with one factor at another value (NaN: not measured), the others as they are.
export function withValue(measured: Measured, outcome: number, factor: number, value: number): number {
  const values = measured.values(outcome);
  values[factor] = Number.isNaN(value) ? NaN : recordedValue(measured.factors[factor], value);
  return measured.place(values);
}

export function without(measured: Measured, outcome: number, factors: readonly number[]): number {
  return measured.place(measured.values(outcome).map((value, k) => (factors.includes(k) ? NaN : value)));
}

// What another action would have measured too.
export function keptBy(measured: Measured, outcome: number, action: number): number {
  return measured.place(measured.values(outcome).map((value, k) => (measured.factors[k].yielded[action] ? value : NaN)));
}

// "62_3.1_": factor by factor, nothing where there is no value.
export function textOfPlace(measured: Measured, outcome: number): string {
  return measured.values(outcome).map((value) => (Number.isNaN(value) ? '' : String(value))).join('_');
}

// Null where the action yields no such outcome: addresses can be edited by hand.
export function placeOfText({ measured }: Problem, action: number, text: string): number | null {
  const parts = text.split('_');
  if (!measured || parts.length !== measured.factors.length) return null;
  const values = parts.map((part) => (part === '' ? NaN : Number(part)));
  const good = measured.factors.every((factor, k) => parts[k] === '' || (factor.yielded[action] && isPossible(factor, values[k])));
  return good ? measured.place(values.map((value, k) => (Number.isNaN(value) ? NaN : recordedValue(measured.factors[k], value)))) : null;
}
