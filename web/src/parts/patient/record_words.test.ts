import { describe, expect, it } from 'vitest';
import type { Problem } from '../../core/model';
import { boundaryWords, shareWords, sizeWords } from './record_words';

const problem: Problem = {
  states: ['NL', 'MCI', 'Dementia'],
  actions: ['wait', 'MRI'],
  observations: ['a'],
  S: 3,
  A: 2,
  Z: 1,
  terminal: [false, false],
  allowed: [[true], [true]],
};
const boundary = (...shift: number[]) => ({ action: 1, distance: 1, shift: Float64Array.from(shift) });

describe('boundaryWords', () => {
  it('says how much belief must move, from where, to where', () => {
    expect(boundaryWords(problem, boundary(0, -0.12, 0.12))).toBe(
      'A shift of 12 points from MCI to Dementia would make MRI the most likely choice.',
    );
  });
  it('names several states, and leaves out those that hardly matter', () => {
    expect(boundaryWords(problem, boundary(-0.06, -0.06, 0.12))).toContain('from NL and MCI to Dementia');
    expect(boundaryWords(problem, boundary(-0.005, -0.115, 0.12))).toContain('from MCI to Dementia');
  });
  it('is never "0 points"', () => {
    expect(boundaryWords(problem, boundary(0, -0.001, 0.001))).toContain('less than 1 point');
    expect(boundaryWords(problem, boundary(0, 0, 0))).toBe('The belief lies on a boundary: MRI is just as likely.');
  });
  it('says so where no other action can be the most likely one', () => {
    expect(boundaryWords(problem, null)).toBe('No shift of belief would make another action the most likely one.');
  });
});

describe('figures in words', () => {
  it('are whole points', () => {
    expect(sizeWords(0.01)).toBe('1 point');
    expect(sizeWords(0.414)).toBe('41 points');
    expect(sizeWords(NaN)).toBe('–');
  });
  it('name every share', () => {
    expect(shareWords(['NL', 'MCI'], [0.001, 0.999])).toBe('NL under 1%, MCI over 99%');
  });
});
