import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../core/model';
import type { FactorsJson } from '../../../core/payload';
import { changeTo, formatChanges, insteadOf, parseChanges, withLevel, withoutTest } from './changes';

// Two factors: what is always asked, and what only the scan shows; a third action ends the record.
const factors: FactorsJson = {
  names: ['score', 'scan'],
  levels: [['low', 'high'], ['small', 'large', 'not ordered']],
  level: [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]],
  measured: [[true, false], [true, true], [false, false]],
};
const problem: Problem = {
  states: ['well', 'ill'],
  actions: ['wait', 'scan', 'stop'],
  observations: ['a', 'b', 'c', 'd', 'e', 'f'],
  S: 2,
  A: 3,
  Z: 6,
  terminal: [false, false, true],
  allowed: [
    [false, false, true, false, false, true],
    [true, true, false, true, true, false],
    [false, false, false, false, false, false],
  ],
};
const steps = [{ action: 1, observation: 3 }, { action: 0, observation: -1 }, { action: 2, observation: -1 }];

describe('changes in the address', () => {
  it('come back as they were written', () => {
    const text = '0:z4x1,1:z5,2:a1z3x0';
    expect(formatChanges(parseChanges(text, problem, factors, steps))).toBe(text);
  });
  it('say what is meant', () => {
    const changes = parseChanges('0:u,1:a1z0', problem, factors, steps);
    expect(changes.get(0)).toEqual({ kind: 'unseen' });
    expect(changes.get(1)).toEqual({ kind: 'action', action: 1, observation: 0 });
  });
  it('are left out where record or model has no such thing', () => {
    const bad = '7:u,0:z2,0:z99,1:a2u,1:a9u,0:,x,0:z4x,-1:u,2:z0,0:a1,0:z3x2,0:z3x,1:z5x1';
    expect(parseChanges(bad, problem, factors, steps).size).toBe(0);
    expect(parseChanges(null, problem, factors, steps).size).toBe(0);
  });
  it('are none where they repeat what was recorded', () => {
    expect(parseChanges('0:z3,1:u', problem, factors, steps).size).toBe(0);
    expect(changeTo(factors, steps[0], steps[0])).toBeNull();
    expect(formatChanges(new Map())).toBeNull();
  });
});

describe('a factor that was not read', () => {
  it('is left out of the recorded outcome, and put back', () => {
    const blind = withLevel(problem, factors, steps[0], 1, null)!;
    expect(changeTo(factors, steps[0], blind)).toEqual({ kind: 'outcome', observation: 3, unread: [1] });
    expect(changeTo(factors, steps[0], withLevel(problem, factors, blind, 1, 0)!)).toBeNull();
  });
  it('leaves the others free to change', () => {
    const blind = { ...steps[0], unread: [1] };
    const changed = withLevel(problem, factors, blind, 0, 0)!;
    expect(factors.level[changed.observation][0]).toBe(0);
    expect(changed.unread).toEqual([1]);
    expect(withLevel(problem, factors, steps[0], 1, 2)).toBeNull();
  });
  it('together with all others is the result not looked at', () => {
    expect(changeTo(factors, steps[0], { ...steps[0], unread: [0, 1] })).toEqual({ kind: 'unseen' });
    expect(changeTo(factors, steps[1], { action: 1, observation: 0, unread: [1, 0] })).toEqual({ kind: 'action', action: 1, observation: -1 });
  });
});

describe('another action', () => {
  it('keeps what both measure', () => {
    expect(insteadOf(problem, factors, steps[0], 0)).toEqual({ action: 0, observation: 5 });
  });
  it('has not read what only it measures', () => {
    expect(insteadOf(problem, factors, { action: 0, observation: 5 }, 1)).toEqual({ action: 1, observation: 3, unread: [1] });
  });
  it('of a missing result has none either', () => {
    expect(insteadOf(problem, factors, steps[1], 1)).toEqual({ action: 1, observation: -1 });
  });
  it('stands in for a test if it goes on and is none', () => {
    expect(withoutTest(problem, [false, true, false], 1)).toBe(0);
    expect(withoutTest(problem, [false, true, false], 0)).toBeNull();
    expect(withoutTest(problem, [true, true, false], 1)).toBeNull();
  });
});
