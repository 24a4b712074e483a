import { expect, test } from 'vitest';
import { layoutFor } from '../../../core/geometry/simplex_layout';
import type { Mind } from '../../../core/model';
import { bestAlong, doubtPath } from './doubt';

const problem = { states: ['a', 'b', 'c'], S: 3 };
const mind = (...means: number[][]) => ({ policy: { eta: 5, means: means.map((mean) => Float64Array.from(mean)) } }) as Mind;
const same = (x: [number, number]) => x;

test('the winner along a row changes where two lines meet', () => {
  const stretches = bestAlong([{ a: -1, b: 0, c: 1 }, { a: 0, b: 0, c: 0.5 }, { a: 1, b: 0, c: -1 }], 0, 0, 2);
  expect(stretches.map(({ action }) => action)).toEqual([0, 1, 2]);
  expect(stretches.map(({ to }) => to)).toEqual([0.5, 1.5, 2]);
});

test('no doubt where all draws agree, some where they do not', () => {
  const [panel] = layoutFor(problem, 'triangle').panels;
  const fitted = mind([1, 0, 0], [0, 1, 0], [0, 0, 1]);
  const other = mind([0.8, 0.2, 0], [0, 1, 0], [0, 0, 1]);
  expect(doubtPath(panel, fitted.policy, Array.from({ length: 20 }, () => fitted), same)).toBe('');
  expect(doubtPath(panel, fitted.policy, Array.from({ length: 20 }, (_, i) => (i < 4 ? other : fitted)), same)).not.toBe('');
});
