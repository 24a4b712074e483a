import { expect, test } from 'vitest';
import { textLines, textWidth } from './text_lines';

test('EveryLineFitsAndNothingIsLost', () => {
  const text = 'acts as if "monitor" gave "negative" for 21% of "diseased" patients';
  const lines = textLines(text, 150, 13);
  expect(lines.join(' ')).toBe(text);
  for (const line of lines) expect(textWidth(line, 13)).toBeLessThanOrEqual(150);
});

test('AWordLongerThanALineIsBroken', () => {
  const lines = textLines('x'.repeat(100), 100, 13, 20);
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.join('')).toBe('x'.repeat(100));
});

test('WhatIsTooMuchEndsInAnEllipsis', () => {
  const lines = textLines('one two three four five six seven', 40, 13, 2);
  expect(lines).toHaveLength(2);
  expect(lines[1].endsWith('…')).toBe(true);
  expect(textLines('', 40, 13)).toEqual([]);
});
