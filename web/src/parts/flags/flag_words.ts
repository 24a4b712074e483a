// What the flags view says in words: the rules, what they do not mean (docs/limits.md), and counts that are fit to print.
import { count, percent } from '../../core/format';

export type FlagTab = 'belated' | 'uninformative' | 'unlikely';
export const flagTabs: FlagTab[] = ['belated', 'uninformative', 'unlikely'];

export const tabWords: Record<FlagTab, string> = {
  belated: 'Belated diagnoses',
  uninformative: 'Uninformative tests',
  unlikely: 'Unlikely records',
};

export const notMeant: Record<FlagTab, { title: string; words: string[] }> = {
  belated: {
    title: 'A belated flag is not negligence',
    words: [
      'The model sees what is in the table. A pacemaker, a patient’s wish, a scanner out of order or a result from elsewhere is not in it.',
      '“The test was the most likely action” describes what is usual here, not what is right.',
    ],
  },
  uninformative: {
    title: 'An uninformative test is not a useless test',
    words: [
      'It could not have moved this belief by much. It may have ruled out what the study has no state for, served research, or reassured.',
      'The threshold is relative: some tests fall below it in every data set. Many tests lie near it, so ask for certainty before reading a single flag.',
    ],
  },
  unlikely: {
    title: 'An unlikely record is unusual, not wrong',
    words: [
      'About one in twenty of those named is expected to be nothing but chance, more if the model is wrong in a way that all records share.',
    ],
  },
};

export const alwaysMeant = [
  'A belief is not a thought: nobody stated it. It is what somebody who updates by fixed probabilities would have to believe to act as recorded.',
  'The probability of a flag is the model’s own. It covers not knowing the parameters, not a wrong number of states or what was never recorded.',
  'Do not rank doctors or sites by these numbers, and do not use them for the care of a patient.',
];

// A count that may be printed: null where it is small enough to point at somebody in a report without identifiers.
export function printable(n: number, individual: boolean, minCell: number): number | null {
  return individual || n === 0 || n >= minCell ? n : null;
}

// "216 of 1,641 patients (13%)", "fewer than 11 of 1,641 patients", "none of 1,641 patients"
export function share(n: number | null, total: number, what: string, minCell: number): string {
  if (n === null) return `fewer than ${minCell} of ${count(total)} ${what}`;
  if (n === 0) return `none of ${count(total)} ${what}`;
  return `${count(n)} of ${count(total)} ${what} (${percent(n / total)})`;
}

export const sds = (value: number): string => {
  const text = Math.abs(value).toFixed(2).replace(/\.?0+$/, '');
  if (text === '0') return 'the mean';
  return `${text} SD ${value > 0 ? 'below' : 'above'}`;
};
