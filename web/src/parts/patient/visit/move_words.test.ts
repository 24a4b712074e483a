import { expect, it } from 'vitest';
import type { BeliefMove } from '../../../core/explain';
import type { Problem } from '../../../core/model';
import { movedMost, moveWords } from './move_words';

const problem: Problem = {
  states: ['NL', 'MCI', 'Dementia'],
  actions: ['wait'],
  observations: ['a'],
  S: 3,
  A: 1,
  Z: 1,
  terminal: [false],
  allowed: [[true]],
};
const shift = (from: number[], to: number[]) => ({ belief: Float64Array.from(to, (x, i) => x - from[i]), logOdds: new Float64Array(3) });
function move(before: number[], predicted: number[], after: number[]): BeliefMove {
  return {
    predicted: Float64Array.from(predicted),
    after: Float64Array.from(after),
    chance: 0.5,
    time: shift(before, predicted),
    evidence: shift(predicted, after),
    total: shift(before, after),
    factors: [],
  };
}
const before = [0.2, 0.6, 0.2];

it('splits a move into time and evidence', () => {
  const words = moveWords(problem, move(before, [0.15, 0.6, 0.25], [0.05, 0.35, 0.6]), before, 2, true);
  expect(words).toBe('Belief in Dementia: time passing raised it from 20% to 25%; the evidence raised it from 25% to 60%.');
});

it('says where a part did little, nothing, or is missing', () => {
  const little = move(before, before, [0.201, 0.599, 0.2]);
  expect(moveWords(problem, little, before, 0, true)).toBe('Belief in NL: time passing did not change it; the evidence hardly changed it.');
  expect(moveWords(problem, little, before, 0, false)).toContain('no result was recorded');
});

it('looks first at the state that moved most; of two, at the second', () => {
  expect(movedMost(problem, move(before, before, [0.05, 0.75, 0.2]))).toBe(0);
  expect(movedMost(problem, move(before, before, [0.2, 0.1, 0.7]))).toBe(1);
  expect(movedMost({ ...problem, S: 2, states: ['well', 'ill'] }, null)).toBe(1);
});
