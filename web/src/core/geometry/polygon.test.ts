import { describe, expect, it } from 'vitest';
import { affineThrough, area, centroid, clipped, contains, valueAt, type Point } from './polygon';
import { seeded } from '../testing/random_models';

const square: Point[] = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 4],
];

describe('polygons', () => {
  it('have an area and a centre, whichever way round', () => {
    const triangle: Point[] = [
      [1, 1],
      [4, 1],
      [1, 7],
    ];
    for (const polygon of [triangle, [...triangle].reverse()]) {
      expect(area(polygon)).toBeCloseTo(9, 12);
      expect(centroid(polygon)[0]).toBeCloseTo(2, 12);
      expect(centroid(polygon)[1]).toBeCloseTo(3, 12);
    }
    expect(centroid(square)).toEqual([2, 2]);
  });

  it('fall into two parts at a line, and nothing is lost', () => {
    const random = seeded(1);
    for (let i = 0; i < 200; ++i) {
      const f = { a: random() - 0.5, b: random() - 0.5, c: random() - 0.5 };
      const parts = [clipped(square, f), clipped(square, { a: -f.a, b: -f.b, c: -f.c })];
      expect(area(parts[0]) + area(parts[1])).toBeCloseTo(16, 10);
      for (const corner of parts[0]) expect(valueAt(f, corner)).toBeGreaterThanOrEqual(-1e-12);
    }
  });

  it('vanish beyond a line, and stay whole on this side', () => {
    expect(clipped(square, { a: 1, b: 0, c: -5 })).toEqual([]);
    expect(clipped(square, { a: 1, b: 0, c: 0 })).toEqual(square);
    expect(clipped(square, { a: -1, b: 0, c: 0 })).toEqual([]); // only an edge is left
  });

  it('know what is inside', () => {
    expect(contains(square, [1, 3])).toBe(true);
    expect(contains([...square].reverse(), [1, 3])).toBe(true);
    expect(contains(square, [4.1, 3])).toBe(false);
  });
});

describe('affine functions', () => {
  it('go through the values they are made of', () => {
    const corners: Point[] = [
      [3, 1],
      [10, 2],
      [5, 9],
    ];
    const f = affineThrough(corners, [1, -2, 7]);
    [1, -2, 7].forEach((value, i) => expect(valueAt(f, corners[i])).toBeCloseTo(value, 12));
    const along = affineThrough(corners.slice(0, 2), [1, -2]);
    expect(valueAt(along, corners[1])).toBeCloseTo(-2, 12);
    expect(valueAt(along, [10 - 1, 2 + 7])).toBeCloseTo(-2, 12); // constant across
  });
});
