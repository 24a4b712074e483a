import { expect, test } from 'vitest';
import type { BiasFindingJson, FactorsJson } from '../../core/payload';
import type { Problem } from '../../core/model';
import { byWeight, filtered, nameOf } from './bias_rows';

const at = (middle: number) => ({ middle, low: middle - 0.1, high: middle + 0.1 });
const finding = (part: Partial<BiasFindingJson>): BiasFindingJson => ({
  field: 'observation', action: 0, state: 1, outcome: 0, name: '', agent: at(0.2), world: at(0.4), difference: at(-0.2),
  exceeds: 1, flagged: true, sentence: '', ...part,
});
const problem = {
  states: ['well', 'ill'], actions: ['watch'], observations: ['negative', 'positive'],
} as unknown as Problem;

const one: FactorsJson = { names: ['result'], levels: [['negative', 'positive']], level: [[0], [1]], measured: [[true]] };

test('WhatStandsOutComesFirstTheLargerBeforeTheSmaller', () => {
  const findings = [
    finding({ name: 'agrees', flagged: false, exceeds: 0.1, difference: at(0.01) }),
    finding({ name: 'small', difference: at(0.1) }),
    finding({ name: 'perhaps', flagged: false, exceeds: 0.7, difference: at(0.05) }),
    finding({ name: 'large', difference: at(-0.3) }),
  ];
  expect(byWeight(findings).map((f) => f.name)).toEqual(['large', 'small', 'perhaps', 'agrees']);
});

test('NumbersAreNamedInWords', () => {
  expect(nameOf(problem, one, finding({}))).toBe('negative if ill, after watch');
  expect(nameOf(problem, one, finding({ field: 'transition', outcome: 1 }))).toBe('ill lasts after watch');
  expect(nameOf(problem, one, finding({ field: 'transition', state: 0, outcome: 1 }))).toBe('well → ill after watch');
  expect(nameOf(problem, one, finding({ field: 'initial_belief', action: null, outcome: 1 }))).toBe('ill at the start');
});

test('AnOutcomeOfSeveralFactorsNamesThoseThatAreMeasured', () => {
  const two: FactorsJson = {
    names: ['score', 'scan'], levels: [['low', 'high'], ['small', 'not done']], level: [[0, 1], [1, 0]], measured: [[true, false]],
  };
  expect(nameOf(problem, two, finding({ outcome: 1 }))).toBe('score high if ill, after watch');
  const both = { ...two, measured: [[true, true]] };
  expect(nameOf(problem, both, finding({ outcome: 1 }))).toBe('score high, scan small if ill, after watch');
});

test('FiltersByFieldActionAndWhatStandsOut', () => {
  const findings = [finding({}), finding({ field: 'initial_belief', action: null }), finding({ flagged: false })];
  expect(filtered(findings, { field: 'initial_belief', action: null, flaggedOnly: false })).toHaveLength(1);
  expect(filtered(findings, { field: null, action: 0, flaggedOnly: false })).toHaveLength(2);
  expect(filtered(findings, { field: null, action: null, flaggedOnly: true })).toHaveLength(2);
});
