import { expect, test } from 'vitest';
import { cautions, checkRange, convergence, deviation, figure, identification, modesVerdict, range, verdicts } from './check_words';
import type { CheckJson, ModelCheckJson } from '../../core/payload';
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

const steps: ModelCheckJson = {
  name: 'steps', question: 'how often each action is chosen at each step', what: 'at step 3, "test" is chosen',
  observed: 0.8, expected: 0.5, low: 0.4, high: 0.6, unit: 'share', failed: true, sentence: 'At step 3 …',
};
const checked = (over: Partial<CheckJson>) => ({ converged: true, identified: true, checks: [], not_checked: [], modes_disagree: false, provenance: {}, ...over }) as unknown as CheckJson;

test('NothingIsSimplyFineWhereACheckFailed', () => {
  expect(verdicts(checked({ checks: [steps] })).map(({ tone }) => tone)).toEqual(['plain', 'bad', 'plain']);
  expect(verdicts(checked({ checks: [{ ...steps, failed: false }] })).map(({ tone }) => tone)).toEqual(['good', 'good', 'good']);
  expect(verdicts(checked({ modes_disagree: true, modes: [] })).map(({ tone }) => tone)).toEqual(['plain', 'bad', 'unknown', 'plain']);
});

test('ChecksAreShownInTheirUnits', () => {
  expect(checkRange(steps)).toBe('50.0% [40.0%, 60.0%]');
  expect(checkRange({ ...steps, unit: 'correlation', expected: 0, low: -0.02, high: 0.02 })).toBe('0.000 [−0.020, 0.020]');
  expect(deviation(steps)).toBeCloseTo(3);
  expect(deviation({ ...steps, low: null })).toBe(null);
});

test('two explanations that disagree are a verdict of their own, and take every tick', () => {
  const disagreeing = { converged: true, identified: true, checks: [], not_checked: [], modes_disagree: true, modes: [{ log_posterior: -10, share: 0.5 }, { log_posterior: -10.4, share: 0.5 }], provenance: {} } as unknown as Parameters<typeof verdicts>[0];
  const tones = verdicts(disagreeing).map(({ tone }) => tone);
  expect(tones).toContain('bad');
  expect(tones).not.toContain('good');
  expect(verdicts(disagreeing).find(({ tone }) => tone === 'bad')?.words).toContain('0.4 nats');
  expect(cautions(disagreeing)).toEqual(['another explanation, nearly as good, says something else']);
});

test('a shared fit gets no tick, and says what it did not ask', () => {
  const shared = checked({ checks: [{ ...steps, failed: false }], provenance: { options: { dynamics: 'shared' } } });
  const all = verdicts(shared);
  expect(all.map(({ tone }) => tone)).toEqual(['plain', 'plain', 'unknown', 'plain']);
  expect(all[2].title).toBe('Agent and world were taken for one');
});
