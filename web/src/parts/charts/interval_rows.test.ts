import { expect, test } from 'vitest';
import { inPages, layOut, type IntervalRow, type IntervalSeries } from './interval_rows';

const series: IntervalSeries[] = [
  { name: 'agent', shape: 'circle', colour: 'red' },
  { name: 'world', shape: 'diamond', colour: 'blue' },
];
const at = { middle: 0.5, low: 0.4, high: 0.6 };
const row = (label: string, note?: string): IntervalRow => ({ label, note, marks: [at, at], aside: ['+1 point'] });

test('WordsStandBesideTheAxisWhereThereIsRoomAndAboveItWhereThereIsNot', () => {
  const wide = layOut([row('one', 'a sentence of some length')], series, 1000);
  const narrow = layOut([row('one', 'a sentence of some length')], series, 360);
  expect(wide.stacked).toBe(false);
  expect(narrow.stacked).toBe(true);
  expect(wide.plot[0]).toBeGreaterThan(400);
  expect(narrow.plot[0]).toBeLessThan(30);
  expect(narrow.rows[0].markTop).toBeGreaterThan(narrow.rows[0].textTop);
});

test('LinesFollowEachOtherAndFitThePicture', () => {
  const { rows, height } = layOut(['a', 'b', 'c'].map((name) => row(name, 'word '.repeat(40))), series, 700);
  for (let i = 1; i < rows.length; ++i) expect(rows[i].top).toBeCloseTo(rows[i - 1].top + rows[i - 1].height, 9);
  expect(rows[2].top + rows[2].height).toBeLessThanOrEqual(height);
});

test('PagesKeepEveryLineInOrderAndNoneIsTooHigh', () => {
  const rows = Array.from({ length: 57 }, (_, i) => row(`number ${i}`, 'word '.repeat(i % 30)));
  const pages = inPages(rows, series, 700, 760);
  expect(pages.flat()).toEqual(rows);
  expect(pages.length).toBeGreaterThan(2);
  for (const page of pages) expect(layOut(page, series, 700).height).toBeLessThanOrEqual(760);
  expect(inPages(rows.slice(0, 3), series, 700, 760)).toEqual([]);
});
