import { describe, expect, it } from 'vitest';
import { beliefMove } from '../../core/attribution';
import type { Mind } from '../../core/model';
import type { FactorsJson } from '../../core/payload';
import { oddsWords, probabilityOf, probabilityTicks, waterfall } from './waterfall';

// Two factors of two levels each, independent given the state.
const factors: FactorsJson = {
  names: ['score', 'scan'],
  levels: [['low', 'high'], ['small', 'large']],
  level: [[0, 0], [0, 1], [1, 0], [1, 1]],
  measured: [[true, true]],
};
const rows = [[0.8, 0.7], [0.3, 0.4]].map(([p, q]) => [p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q)]);
const mind: Mind = {
  problem: { states: ['well', 'ill'], actions: ['test'], observations: ['a', 'b', 'c', 'd'], S: 2, A: 1, Z: 4, terminal: [false], allowed: [[true, true, true, true]] },
  dynamics: { b1: Float64Array.of(0.6, 0.4), T: [Float64Array.of(0.9, 0.1, 0.2, 0.8)], O: [Float64Array.from(rows.flat())] },
  policy: { eta: 1, means: [Float64Array.of(0.5, 0.5)] },
};
const names = { time: 'Time passing', factors: ['score high', 'scan large'] };
const before = Float64Array.of(0.6, 0.4);

describe('waterfall', () => {
  it('begins at the belief before and adds up to the belief after, on both scales', () => {
    const move = beliefMove(mind, factors, before, { action: 0, observation: 3 });
    const points = waterfall(move, before, 1, 'probability', names);
    const odds = waterfall(move, before, 1, 'log-odds', names);
    expect(points?.start).toBe(0.4);
    expect(points?.end).toBeCloseTo(move.after[1], 12);
    expect(probabilityOf(odds?.start ?? NaN)).toBeCloseTo(0.4, 12);
    expect(probabilityOf(odds?.end ?? NaN)).toBeCloseTo(move.after[1], 12);
    expect(odds?.bars.map((bar) => bar.name)).toEqual(['Time passing', 'score high', 'scan large']);
    expect(odds?.bars.slice(1).map((bar) => bar.from)).toEqual(odds?.bars.slice(0, -1).map((bar) => bar.to));
  });
  it('has no evidence where no result was recorded', () => {
    const move = beliefMove(mind, factors, before, { action: 0, observation: -1 });
    expect(waterfall(move, before, 0, 'probability', names)?.bars.map((bar) => bar.name)).toEqual(['Time passing']);
  });
  it('shows the evidence as one step where no factor is measured', () => {
    const none = { ...factors, measured: [[false, false]] };
    const move = beliefMove(mind, none, before, { action: 0, observation: 3 });
    const fall = waterfall(move, before, 1, 'log-odds', names);
    expect(fall?.bars.map((bar) => bar.name)).toEqual(['Time passing', 'Evidence']);
    expect(probabilityOf(fall?.end ?? NaN)).toBeCloseTo(move.after[1], 12);
  });
  it('has no log-odds of certainty, but probabilities', () => {
    const certain = Float64Array.of(1, 0);
    const move = beliefMove(mind, factors, certain, { action: 0, observation: 3 });
    expect(waterfall(move, certain, 1, 'log-odds', names)).toBeNull();
    expect(waterfall(move, certain, 1, 'probability', names)).not.toBeNull();
  });
});

describe('the axis', () => {
  it('has round probabilities within its ends', () => {
    expect(probabilityTicks([-3, 1.2]).map((tick) => tick.words)).toEqual(['5%', '10%', '25%', '50%', '75%']);
  });
  it('says what a step does to the odds', () => {
    expect(oddsWords(Math.log(2))).toBe('odds × 2.0');
    expect(oddsWords(-Math.log(30))).toBe('odds ÷ 30');
    expect(oddsWords(-0.04)).toBe('odds ÷ 1.04');
    expect(oddsWords(0.001)).toBe('no change');
    expect(oddsWords(NaN)).toBe('–');
  });
});
