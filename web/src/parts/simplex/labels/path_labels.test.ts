import { expect, test } from 'vitest';
import { pathLabels, rangesOf } from './path_labels';

const visible = { width: 400, height: 400 };

test('numbers are gathered into ranges', () => {
  expect(rangesOf([1])).toBe('1');
  expect(rangesOf([1, 2, 4, 5, 6])).toBe('1, 2, 4–6');
});

test('visits on the same place share a label', () => {
  const labels = pathLabels([[100, 100], [102, 101], [200, 50]], [], [], visible);
  expect(labels.map(({ text }) => text)).toEqual(['1, 2', '3']);
});

test('a label keeps off the path, the corner names and the edge', () => {
  const [first] = pathLabels([[10, 100], [200, 100]], [[20, 80]], [], visible);
  expect(first.at[0]).toBeGreaterThan(8);
  expect(Math.abs(first.at[1] - 100)).toBeGreaterThan(8);
  expect(Math.hypot(first.at[0] - 20, first.at[1] - 80)).toBeGreaterThan(12);
});

test('a label keeps off names of regions', () => {
  const name = { x: 125, y: 100, width: 40, height: 18 };
  const [free] = pathLabels([[100, 100]], [], [], visible);
  const [moved] = pathLabels([[100, 100]], [], [name, { ...name, y: 85 }], visible);
  expect(free.at[0]).toBeGreaterThan(100);
  expect(moved.at[0]).toBeLessThanOrEqual(100.001);
});
