// What the cohorts view calls its flags, and the lines of its charts.
import { count, percent, percentRange, points, pValue } from '../../core/format';
import { difference } from '../../core/newcombe';
import type { CohortRowJson, Estimate, FlagName, ShareJson } from '../../core/payload';
import { roundUp } from '../charts/axis';
import type { IntervalRow } from '../charts/interval_rows';
import { signedPoints } from '../charts/signed_points';

export const flagNames: FlagName[] = ['belated', 'uninformative_tests', 'uninformative_patients', 'unlikely'];

export const flagWords: Record<FlagName, { short: string; of: string; what: string }> = {
  belated: { short: 'Belated diagnoses', of: 'patients', what: 'patients diagnosed late' },
  uninformative_tests: { short: 'Uninformative tests', of: 'tests', what: 'tests that could not have told anything' },
  uninformative_patients: { short: 'Patients with such tests', of: 'patients', what: 'patients with an uninformative test' },
  unlikely: { short: 'Unlikely records', of: 'patients', what: 'patients whose record is unlikely' },
};

// A covariate with spaces is quoted in expressions; people need no quotes.
export const cohortName = (name: string): string => /^"([^"]*)"$/.exec(name)?.[1] ?? name;

// Places of names in the order people count in: 2 before 10.
export function naturalOrder(names: string[]): number[] {
  const { compare } = new Intl.Collator('en', { numeric: true });
  return names.map((_, i) => i).sort((a, b) => compare(names[a], names[b]) || a - b);
}

// Of flags that count tests, the patients behind them.
export const patientsOf = (flag: FlagName): FlagName => (flag === 'uninformative_tests' ? 'uninformative_patients' : flag);

// Adjusted for the number of cohorts, where the report has it.
export const shownP = (share: ShareJson): number | null => share.p_value_adjusted ?? share.p_value;

export function shareRow(row: CohortRowJson, flag: FlagName): IntervalRow {
  const share = row.flags[flag];
  if (!share) return { label: cohortName(row.name), marks: [], missing: 'withheld' };
  const figures = `${count(share.flagged)} of ${count(share.total)} (${percent(share.share.middle)})`;
  return {
    label: cohortName(row.name),
    marks: [share.share],
    aside: shownP(share) === null ? [figures] : [figures, `${pValue(shownP(share))} against the rest`],
  };
}

export function featureRow(row: CohortRowJson, flag: FlagName): IntervalRow {
  const flagged = row.of_flagged[flag];
  if (!flagged && !row.of_all) return { label: cohortName(row.name), marks: [], missing: 'withheld' };
  return {
    label: cohortName(row.name),
    marks: [flagged, row.of_all],
    aside: [
      flagged ? `${percent(flagged.middle)} of flagged` : 'of flagged: withheld',
      row.of_all ? `${percent(row.of_all.middle)} of all` : 'of all: withheld',
    ],
  };
}

export interface Comparison {
  flag: FlagName;
  a: string;
  b: string;
  difference: Estimate | null; // null: withheld
}

function inWords(row: CohortRowJson, flag: FlagName): string {
  const share = row.flags[flag];
  return share ? `${count(share.flagged)} of ${count(share.total)}: ${percentRange(share.share)}` : 'withheld';
}

export function compare(a: CohortRowJson, b: CohortRowJson): Comparison[] {
  return flagNames.map((flag) => {
    const [x, y] = [a.flags[flag], b.flags[flag]];
    return { flag, a: inWords(a, flag), b: inWords(b, flag), difference: x && y ? difference(x.share, y.share) : null };
  });
}

export function differenceRow({ difference: d }: Comparison, label: string): IntervalRow {
  if (!d) return { label, marks: [], missing: 'withheld' };
  return { label, marks: [d], aside: [points(d.middle), `(${signedPoints(d.low)} to ${signedPoints(d.high)})`] };
}

// An axis from zero that holds all shares; whole if they are large.
export function shareDomain(rows: IntervalRow[]): [number, number] {
  const highest = Math.max(0.01, ...rows.flatMap((row) => row.marks.map((mark) => mark?.high ?? 0)));
  return [0, highest > 0.6 ? 1 : roundUp(highest)];
}

// The same to both sides of zero.
export function differenceDomain(rows: IntervalRow[]): [number, number] {
  const farthest = Math.max(0.05, ...rows.flatMap((row) => row.marks.flatMap((m) => (m ? [Math.abs(m.low), Math.abs(m.high)] : []))));
  const end = Math.min(1, roundUp(farthest));
  return [-end, end];
}
