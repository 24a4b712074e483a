// A record's flags, put to the visits they are about.
import type { recordFlags } from '../../../core/flags';
import type { RecordFlag } from '../choose/record_filter';

export interface VisitFlag {
  mark: RecordFlag | null; // null: it goes with a flag elsewhere
  words: string;
}

type RecordFlags = ReturnType<typeof recordFlags>;

// [visit]
export function visitFlags(flags: RecordFlags, visits: number): VisitFlag[][] {
  const of: VisitFlag[][] = Array.from({ length: visits }, () => []);
  if (flags.belated) {
    for (const visit of flags.leftOut) of[visit]?.push({ mark: 'belated', words: 'test left out' });
    of[flags.confirmed]?.push({ mark: null, words: 'confirmed here' });
  }
  for (const test of flags.tests) {
    if (test.uninformative) of[test.visit]?.push({ mark: 'uninformative', words: 'could not tell much' });
  }
  return of;
}

export const visitFlagWords = (flags: VisitFlag[]): string => flags.map((flag) => flag.words).join('; ');
