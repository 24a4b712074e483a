import { describe, expect, it } from 'vitest';
import { asFlag, flagBit, matching, neighbour, placeOf } from './record_filter';

const ids = ['patient 1', 'patient 2', 'patient 12', 'site b'];
const steps = [[0], [0, 0], [0, 0, 0, 0, 0], Array.from({ length: 40 }, () => 0)];
const bits = Uint8Array.of(0, flagBit.belated, flagBit.belated | flagBit.unlikely, 0);
const all = { find: '', flag: null, length: null };

describe('matching', () => {
  it('lists everybody without a filter', () => {
    expect(matching(all, ids, steps, () => bits)).toEqual([0, 1, 2, 3]);
  });
  it('finds parts of names, whatever their case', () => {
    expect(matching({ ...all, find: ' PATIENT 1' }, ids, steps, () => bits)).toEqual([0, 2]);
  });
  it('keeps flagged records, and records of a length', () => {
    expect(matching({ ...all, flag: 'belated' }, ids, steps, () => bits)).toEqual([1, 2]);
    expect(matching({ ...all, flag: 'unlikely' }, ids, steps, () => bits)).toEqual([2]);
    expect(matching({ ...all, length: '10-' }, ids, steps, () => bits)).toEqual([3]);
    expect(matching({ find: '1', flag: 'belated', length: '5-9' }, ids, steps, () => bits)).toEqual([2]);
  });
  it('judges flags only if they are asked for', () => {
    const never = () => {
      throw new Error('judged');
    };
    expect(matching({ ...all, find: 'b' }, ids, steps, never)).toEqual([3]);
  });
  it('knows no other flags', () => {
    expect(asFlag('belated')).toBe('belated');
    expect(asFlag('constructor')).toBeNull();
    expect(asFlag(null)).toBeNull();
  });
});

describe('neighbour', () => {
  const listed = [3, 7, 9];
  it('steps through the list and ends where it does', () => {
    expect(neighbour(listed, 3, 1)).toBe(7);
    expect(neighbour(listed, 9, -1)).toBe(7);
    expect(neighbour(listed, 9, 1)).toBeNull();
    expect(neighbour(listed, 3, -1)).toBeNull();
  });
  it('finds the way in from a record that is not listed', () => {
    expect(neighbour(listed, 5, 1)).toBe(7);
    expect(neighbour(listed, 5, -1)).toBe(3);
    expect(neighbour(listed, 1, -1)).toBe(3);
    expect(neighbour(listed, 20, 1)).toBe(9);
    expect(neighbour([], 5, 1)).toBeNull();
  });
  it('knows places', () => {
    expect([0, 3, 4, 9, 10].map((record) => placeOf(listed, record))).toEqual([0, 0, 1, 2, 3]);
  });
});
