// Shares and their intervals as numbers, for tables and the files made of them: "0.004", not "under 1%".
import type { Estimate } from '../../core/payload';

// Four digits that count; null: not known.
export function figure(value: number | null | undefined): number | null {
  return value === null || value === undefined || !Number.isFinite(value) ? null : Number(value.toPrecision(4));
}

// Columns for a number, and for the ends of its interval where there are any.
export function intervalHeads(name: string, sure: boolean): string[] {
  return sure ? [name, `${name}, low`, `${name}, high`] : [name];
}

export function intervalCells(value: number | null | undefined, estimate: Estimate | undefined, sure: boolean): (number | null)[] {
  return sure ? [figure(value), figure(estimate?.low), figure(estimate?.high)] : [figure(value)];
}
