import { expect, test } from 'vitest';
import { formatHash, parseHash } from './hash';

test('an address leads back to its place', () => {
  const hash = formatHash('why', { record: 3, changes: '2:z3,4:u', note: 'a&b=c #' });
  expect(hash).toContain('changes=2:z3,4:u');
  expect(parseHash(hash)).toEqual({ view: 'why', parameters: { record: '3', changes: '2:z3,4:u', note: 'a&b=c #' } });
});

test('what is not set is not written', () => {
  expect(formatHash('map', { layout: null, focus: undefined, lens: '' })).toBe('#/map');
});

test('an unknown or missing view is the start', () => {
  expect(parseHash('#/nowhere?record=1').view).toBe('start');
  expect(parseHash('').view).toBe('start');
});
