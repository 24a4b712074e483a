import { expect, test } from 'vitest';
import type { BiasJson } from '../../core/payload';
import { biasWords } from './bias_words';

const bias: BiasJson = {
  sentences: ['The records speak for a difference.', 'One number stands out.'],
  log_bayes_factor: 5, margin: 0.05, findings: [], changed: { middle: 0.1, low: 0.05, high: 0.2 }, source: '',
};

test('TheFirstSentenceIsTheVerdictInOlderReportsToo', () => {
  const said = { verdict: bias.sentences[0], sentences: [bias.sentences[1]], withheld: false };
  expect(biasWords(bias)).toEqual(said);
  expect(biasWords({ ...bias, verdict: 'difference', reasons: [] })).toEqual(said);
  expect(biasWords({ ...bias, sentences: [] }).verdict).toMatch(/was not tested/);
});

test('AWithheldVerdictClaimsNothingAndSaysWhy', () => {
  const withheld = ['Whether agent and world differ cannot be said.', 'The search did not end.', 'Records differ.'];
  expect(biasWords({ ...bias, verdict: 'withheld', sentences: withheld })).toEqual({
    verdict: withheld[0], sentences: withheld.slice(1), withheld: true,
  });
});
