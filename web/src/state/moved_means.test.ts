import { expect, test } from 'vitest';
import { lineMoved, meansText, parseMeans } from './moved_means';

test('MeansSurviveTheAddress', () => {
  const moved = { 0: [0.25, 0.75], 2: [1.5, -0.5] };
  expect(meansText(moved)).toBe('0:0.25,0.75_2:1.5,-0.5');
  expect(parseMeans(meansText(moved), 3, 2)).toEqual(moved);
  expect(meansText({})).toBeNull();
  expect(parseMeans(null, 3, 2)).toEqual({});
});

test('WhatDoesNotFitTheModelIsLeftOut', () => {
  for (const text of ['', ':', '3:0.5,0.5', '-1:0.5,0.5', '0:0.5', '0:1,2,3', '0:a,b', '0:1e9,0', '0:,', '1.5:0,1', '0:Infinity,0']) {
    expect(parseMeans(text, 3, 2)).toEqual({});
  }
});

test('ALineMovesByWhatOfTheStepLiesAcrossIt', () => {
  const [first, second] = lineMoved([1, 0, 0], [0, 1, 0], [-0.1, 0.1, 0]);
  expect(first).toEqual([0.9, 0.1, 0]);
  expect(second).toEqual([-0.1, 1.1, 0]);
  // Along the line nothing changes, and means that coincide have no line.
  expect(lineMoved([1, 0, 0], [0, 1, 0], [0.1, 0.1, -0.2])).toEqual([[1, 0, 0], [0, 1, 0]]);
  expect(lineMoved([1, 0], [1, 0], [0.1, -0.1])).toEqual([[1, 0], [1, 0]]);
});
