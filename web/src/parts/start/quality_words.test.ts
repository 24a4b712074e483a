import { expect, test } from 'vitest';
import type { CheckJson } from '../../core/payload';
import { qualityLines } from './quality_words';

const none = { value: null, low: null, high: null };
const check = (over: Partial<CheckJson>, auroc = none as CheckJson['scores']['auroc']): CheckJson => ({
  converged: null,
  identified: null,
  log_likelihood: { actions: null, observations: null, total: null },
  scores: { brier: none, auroc, auprc: none, log_loss: none, calibration_error: none },
  calibration: [],
  checks: [],
  not_checked: [],
  modes_disagree: false,
  modes: [],
  weak: [],
  comparison: null,
  provenance: {},
  ...over,
});

test('says nothing about what is not known', () => {
  expect(qualityLines(check({}))).toEqual([]);
});

test('an unfinished or unsettled fit asks for care', () => {
  const lines = qualityLines(check({ converged: false, identified: false }));
  expect(lines.map(({ mark }) => mark)).toEqual(['care', 'care']);
});

test('a figure comes with its interval', () => {
  const [line] = qualityLines(check({}, { value: 0.85, low: 0.83, high: 0.86 }));
  expect(line.mark).toBe('good');
  expect(line.text).toContain('85% (83% to 86%)');
});

const failed = {
  name: 'steps', question: 'how often each action is chosen at each step', what: 'at step 3, "test" is chosen',
  observed: 0.8, expected: 0.5, low: 0.45, high: 0.55, unit: 'share' as const, failed: true, sentence: 'At step 3 …',
};

test('a model that fails a check gets no tick, however well it predicts', () => {
  const lines = qualityLines(check({ converged: true, identified: true, checks: [failed] }, { value: 0.95, low: 0.94, high: 0.96 }));
  expect(lines.map(({ mark }) => mark)).toEqual(['plain', 'care', 'plain', 'plain']);
  expect(lines[1].text).toContain('1 of 1 checks');
});

test('explanations that disagree ask for care', () => {
  expect(qualityLines(check({ converged: true, modes_disagree: true })).map(({ mark }) => mark)).toEqual(['care']);
});

test('checks that passed are counted', () => {
  const [line] = qualityLines(check({ checks: [{ ...failed, failed: false }] }));
  expect(line.mark).toBe('good');
});

test('no tick stands beside something that asks for care', () => {
  const good = { value: 0.95, low: 0.94, high: 0.96 };
  for (const over of [{ identified: false }, { converged: false }, { modes_disagree: true }, { checks: [failed] }] as Partial<CheckJson>[]) {
    const marks = qualityLines(check({ converged: true, identified: true, ...over }, good)).map(({ mark }) => mark);
    expect(marks).toContain('care');
    expect(marks).not.toContain('good');
  }
  expect(qualityLines(check({ converged: true, identified: true }, { value: 0.55, low: 0.5, high: 0.6 })).map(({ mark }) => mark)).not.toContain('good');
});

test('a shared fit gets no tick: it did not ask whether patients were seen as they are', () => {
  const marks = qualityLines(check({ converged: true, identified: true, provenance: { options: { dynamics: 'shared' } } })).map(({ mark }) => mark);
  expect(marks).toEqual(['plain', 'plain', 'plain']);
});
