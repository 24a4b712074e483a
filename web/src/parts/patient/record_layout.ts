// Which picture of the beliefs a record is drawn on: the one in the address where it suits the number of states.
import { kindsFor, layoutFor, type Layout, type LayoutKind } from '../../core/geometry/simplex_layout';
import type { Problem } from '../../core/model';

// As named in the address.
const names: Record<LayoutKind, string> = {
  interval: 'interval',
  triangle: 'triangle',
  right: 'right',
  faces: 'faces',
  'two-plus-rest': 'two',
};
const words: Record<LayoutKind, string> = {
  interval: 'Interval',
  triangle: 'Triangle',
  right: 'Right-angled',
  faces: 'Faces',
  'two-plus-rest': 'Two states + rest',
};

// A path through three states or more does not show on an interval.
export function recordKinds(S: number): { name: string; kind: LayoutKind; words: string }[] {
  return kindsFor(S)
    .filter((kind) => S <= 2 || kind !== 'interval')
    .map((kind) => ({ name: names[kind], kind, words: words[kind] }));
}

// `focus`: states of interest, as "0,2".
export function recordLayout(problem: Problem, wanted: string | null, focus: string | null): Layout {
  const kinds = recordKinds(problem.S);
  const { kind } = kinds.find(({ name }) => name === wanted) ?? kinds[0];
  return layoutFor(problem, kind, focus ? focus.split(',').map(Number) : []);
}
