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
