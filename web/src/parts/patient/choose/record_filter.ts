// Which patients the picker lists. Made for 50,000 of them: one pass over typed arrays for each change of the filter.
import type { AuditJson, Payload } from '../../../core/payload';
import { nodeFlags, recordFlags } from '../../../core/flags';
import type { Histories } from '../../../core/histories';

export const flagBit = { belated: 1, uninformative: 2, unlikely: 4 } as const;
export type RecordFlag = keyof typeof flagBit;
export const recordFlagNames = Object.keys(flagBit) as RecordFlag[];

export const flagWords: Record<RecordFlag, string> = {
  belated: 'Belated diagnosis',
  uninformative: 'Uninformative test',
  unlikely: 'Unlikely record',
};

// As written in the address → fewest and most visits.
export const lengths: Record<string, { words: string; least: number; most: number }> = {
  '1': { words: '1 visit', least: 1, most: 1 },
  '2-4': { words: '2 to 4 visits', least: 2, most: 4 },
  '5-9': { words: '5 to 9 visits', least: 5, most: 9 },
  '10-': { words: '10 visits or more', least: 10, most: Infinity },
};

export interface RecordFilter {
  find: string;
  flag: RecordFlag | null;
  length: string | null; // a key of `lengths`
  among?: ReadonlySet<number> | null; // of a cohort
}

export function asFlag(text: string | null): RecordFlag | null {
  return recordFlagNames.find((name) => name === text) ?? null;
}

type NodeFlags = ReturnType<typeof nodeFlags>;

// [record]: the bits of its flags.
export function allRecordFlags(histories: Histories, flags: NodeFlags, payload: Payload): Uint8Array {
  const { audit, records } = payload;
  const bits = new Uint8Array(records.steps.length);
  for (let r = 0; r < bits.length; ++r) {
    const of = recordFlags(histories, flags, audit, records, r);
    if (of.belated) bits[r] |= flagBit.belated;
    if (of.tests.some((test) => test.uninformative)) bits[r] |= flagBit.uninformative;
  }
  markUnlikely(audit, bits);
  return bits;
}

function markUnlikely(audit: AuditJson, bits: Uint8Array): void {
  for (const r of audit.unlikely) {
    if (r < bits.length) bits[r] |= flagBit.unlikely;
  }
}

// `ids` in lower case; `visitOf`: the first visit that is looked for, −1: there is none. Returns record numbers in their order.
export function matching(
  filter: RecordFilter,
  ids: string[],
  steps: number[][],
  flagged: () => Uint8Array,
  visitOf: ((record: number) => number) | null = null,
): number[] {
  const find = filter.find.trim().toLowerCase();
  const length = filter.length === null ? undefined : lengths[filter.length];
  const bits = filter.flag ? flagged() : null;
  const wanted = filter.flag ? flagBit[filter.flag] : 0;
  const result: number[] = [];
  for (let r = 0; r < ids.length; ++r) {
    if (filter.among && !filter.among.has(r)) continue;
    if (bits && (bits[r] & wanted) === 0) continue;
    if (length && (steps[r].length < length.least || steps[r].length > length.most)) continue;
    if (find !== '' && !ids[r].includes(find)) continue;
    if (visitOf && visitOf(r) < 0) continue;
    result.push(r);
  }
  return result;
}

// The listed record `by` places further on; from a record that is not listed, the next one that is. Ends where the list does.
export function neighbour(listed: number[], record: number, by: number): number | null {
  if (listed.length === 0) return null;
  const place = placeOf(listed, record);
  const at = listed[place] === record ? place + by : by > 0 ? place + by - 1 : place + by;
  const next = listed[Math.max(0, Math.min(listed.length - 1, at))];
  return next === record ? null : next;
}

// The first place whose record is not smaller.
export function placeOf(listed: number[], record: number): number {
  let low = 0;
  let high = listed.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (listed[middle] < record) low = middle + 1;
    else high = middle;
  }
  return low;
}
