import { expect, test } from 'vitest';
import type { Problem } from '../../core/model';
import type { PolicyTerm, PolicyTerms } from '../../core/policy_terms';
import { asContext, contextChoices, contextWords, shareWords } from './map_context';

const problem = { actions: ['wait', 'test', 'treat'], terminal: [false, false, true] } as unknown as Problem;
const term = (kind: PolicyTerm['kind'], levels: number, period = 0): PolicyTerm => ({
  kind, period, weights: Array.from({ length: levels }, () => new Float64Array(3)),
});
const terms = (...additive: PolicyTerm[]): PolicyTerms => ({ inertia: 0, lapse: 0, additive });
const all = contextChoices(problem, terms(term('habit', 3), term('time', 3), term('missing', 1)));

test('OnlyWhatMovesLinesCanBeChosen', () => {
  expect(contextChoices(problem, undefined)).toEqual({ lastActions: [], steps: [], missing: false });
  expect(contextChoices(problem, terms(term('group', 2)))).toEqual({ lastActions: [], steps: [], missing: false });
  expect(contextChoices(problem, { inertia: 0.1, lapse: 0, additive: [] }).lastActions).toEqual([]);
  expect(all).toEqual({ lastActions: [0, 1], steps: ['step 1', 'step 2', 'step 3 and later'], missing: true });
  expect(contextChoices(problem, terms(term('time', 2, 2))).steps).toEqual(['step 1 of every 2', 'step 2 of every 2']);
});

test('AnAddressThatAsksForNothingPossibleIsBeliefAlone', () => {
  expect(asContext(all, null, null, false)).toBeNull();
  expect(asContext(all, '2', '9', false)).toBeNull();
  expect(asContext(contextChoices(problem, undefined), '0', '1', true)).toBeNull();
});

test('NothingComesBeforeTheFirstStep', () => {
  expect(asContext(all, '1', '0', true)).toEqual({ step: 0 });
  expect(asContext(all, '1', '2', true)).toEqual({ lastAction: 1, step: 2, resultMissing: true });
});

test('ContextsAreCalledAsTheProgramCallsThem', () => {
  expect(contextWords(problem, all, null)).toBe('by belief alone');
  expect(contextWords(problem, all, { lastAction: 1, step: 2, resultMissing: true })).toBe('after test, the last result missing, at step 3 and later');
});

test('WhatIsDoneWhateverIsBelievedIsNamed', () => {
  expect(shareWords(undefined)).toBe('');
  expect(shareWords(terms())).toBe('');
  expect(shareWords({ inertia: 0.15, lapse: 0.05, additive: [] })).toBe(
    'Left out: what is done whatever is believed, the last action again (15% of decisions) or any action (5%).',
  );
});
