import { expect, test } from 'vitest';
import { convergence, figure, identification, modesVerdict, range } from './check_words';
import { provenanceLines } from './provenance';

test('WhatIsNotKnownIsNeitherGoodNorBad', () => {
  expect(convergence(null).tone).toBe('unknown');
  expect(convergence(false).tone).toBe('bad');
  expect(identification(true).tone).toBe('good');
});

test('FiguresNeverShowNaN', () => {
  expect(figure(null)).toBe('–');
  expect(figure(NaN)).toBe('–');
  expect(figure(0.12345)).toBe('0.123');
  expect(range({ value: 1, low: null, high: null })).toBe('–');
});

test('ModesAreCountedInWords', () => {
  expect(modesVerdict([])).toContain('does not list');
  expect(modesVerdict([{ log_posterior: -1, share: 1 }])).toBe('All restarts found the same explanation.');
  expect(modesVerdict([{ log_posterior: -1, share: 0.5 }, { log_posterior: -2, share: 0.5 }])).toBe(
    '50% of the restarts found the best explanation; 1 other one was found.',
  );
});

test('ProvenanceKeepsEveryLeafAndPutsTheProgramFirst', () => {
  const lines = provenanceLines({
    data: [{ file: 'a.csv', sha256: 'ab'.repeat(32) }, { file: 'b.csv' }],
    options: { seed: 1, known: [0.5, 0.25], strict: true, nothing: null },
    program: 'interpole',
    more: 'kept',
  });
  expect(lines.map((line) => `${line.part}/${line.name}=${line.value}`)).toEqual([
    'Program/program=interpole',
    'Data/1 · file=a.csv',
    `Data/1 · SHA-256=${'ab'.repeat(32)}`,
    'Data/2 · file=b.csv',
    'Options/seed=1',
    'Options/known=0.5, 0.25',
    'Options/strict=yes',
    'Options/nothing=–',
    'Program/more=kept',
  ]);
  expect(lines[2].code).toBe(true);
});
