import { describe, expect, it } from 'vitest';
import { mostLikely, policyAt, type Policy } from '../model';
import { seeded, simplexPoint, type Random } from '../testing/random_models';
import { area, contains, type Point } from './polygon';
import { boundariesOn, regionsOn } from './regions';
import { labelPlace } from './region_label';
import { layoutFor, type LayoutKind, type Panel } from './simplex_layout';

function problem(S: number) {
  return { states: Array.from({ length: S }, (_, s) => `s${s}`), S };
}

function randomPolicy(random: Random, S: number, A: number, stretch: number): Policy {
  const means = Array.from({ length: A }, () =>
    Float64Array.from(simplexPoint(random, S).map((x) => 1 / S + stretch * (x - 1 / S))),
  );
  return { eta: 2, means };
}

function pointIn(panel: Panel, random: Random): Point {
  const w = simplexPoint(random, panel.corners.length);
  const [x, y] = [0, 1].map((k) => panel.corners.reduce((sum, corner, i) => sum + w[i] * corner[k], 0));
  return [x, y];
}

const cases: [number, LayoutKind][] = [
  [2, 'interval'],
  [3, 'triangle'],
  [3, 'right'],
  [3, 'two-plus-rest'],
  [4, 'faces'],
  [6, 'faces'],
  [5, 'two-plus-rest'],
  [5, 'interval'],
];

describe('decision regions', () => {
  it('cover every panel without gap or overlap', () => {
    for (const [S, kind] of cases) {
      for (let seed = 1; seed <= 30; ++seed) {
        const policy = randomPolicy(seeded(seed), S, 5, seed % 3 === 0 ? 6 : 1.2); // some means far outside
        for (const panel of layoutFor(problem(S), kind).panels) {
          const covered = regionsOn(panel, policy).reduce((sum, r) => sum + area(r.polygon), 0);
          expect(covered / area(panel.outline)).toBeCloseTo(1, 9);
        }
      }
    }
  });

  it('hold exactly the beliefs at which their action is the most likely', () => {
    for (const [S, kind] of cases) {
      for (let seed = 1; seed <= 15; ++seed) {
        const random = seeded(seed);
        const policy = randomPolicy(random, S, 4, 1.2);
        for (const panel of layoutFor(problem(S), kind).panels) {
          const regions = regionsOn(panel, policy);
          for (let i = 0; i < 40; ++i) {
            const point = pointIn(panel, random);
            const action = mostLikely(policy, panel.lift(...point)!);
            const own = regions.find((r) => r.action === action);
            expect(own && contains(own.polygon, point, 1e-6)).toBe(true);
          }
        }
      }
    }
  });

  it('are none for an action that is never the most likely', () => {
    const policy = { eta: 1, means: [[1, 0, 0], [0, 1, 0], [0, 0, 1], [9, -4, -4]].map((m) => Float64Array.from(m)) };
    const [panel] = layoutFor(problem(3), 'triangle').panels;
    expect(regionsOn(panel, policy).map((r) => r.action)).toEqual([0, 1, 2]);
  });

  it('of equal means belong to the first', () => {
    const same = Float64Array.of(0.2, 0.3, 0.5);
    const [panel] = layoutFor(problem(3), 'triangle').panels;
    const regions = regionsOn(panel, { eta: 1, means: [Float64Array.of(0.8, 0.1, 0.1), same, same.slice()] });
    expect(regions.map((r) => r.action)).toEqual([0, 1]);
    const all = regionsOn(panel, { eta: 1, means: [same, same, same] });
    expect(all).toEqual([{ action: 0, polygon: panel.outline }]);
    expect(boundariesOn(panel, { eta: 1, means: [same, same, same] })).toEqual([]);
  });

  it('of means that differ off a face alone belong to the first on it', () => {
    // On the face of states 0, 1, 2 both score alike: 2·μ·b − ‖μ‖² with equal entries and equal length.
    const means = [Float64Array.of(0.5, 0.5, 0, 0.3), Float64Array.of(0.5, 0.5, 0, -0.3)];
    const [face] = layoutFor(problem(4), 'faces').panels;
    expect(regionsOn(face, { eta: 1, means }).map((r) => r.action)).toEqual([0]);
  });

  it('do not exist where all actions are equally likely', () => {
    const policy = { ...randomPolicy(seeded(1), 3, 3, 1), eta: 0 };
    const [panel] = layoutFor(problem(3), 'triangle').panels;
    expect(regionsOn(panel, policy)).toEqual([]);
    expect(boundariesOn(panel, policy)).toEqual([]);
  });

  it('cover all for a single action, a single state', () => {
    const [panel] = layoutFor(problem(3), 'triangle').panels;
    expect(regionsOn(panel, randomPolicy(seeded(1), 3, 1, 1)).map((r) => r.action)).toEqual([0]);
    const [bar] = layoutFor(problem(1), 'interval').panels;
    expect(regionsOn(bar, { eta: 1, means: [Float64Array.of(1), Float64Array.of(1)] }).map((r) => r.action)).toEqual([0]);
  });
});

describe('boundaries', () => {
  it('are where two actions are equally, and most, likely', () => {
    let seen = 0;
    for (const [S, kind] of cases) {
      for (let seed = 1; seed <= 15; ++seed) {
        const policy = randomPolicy(seeded(seed), S, 4, 1.2);
        for (const panel of layoutFor(problem(S), kind).panels) {
          for (const { actions, segment } of boundariesOn(panel, policy)) {
            ++seen;
            for (const t of [0.01, 0.5, 0.99]) {
              const [x, y] = [0, 1].map((k) => segment[0][k] + t * (segment[1][k] - segment[0][k]));
              const pi = policyAt(policy, panel.lift(x, y)!);
              expect(pi[actions[0]]).toBeCloseTo(pi[actions[1]], 8);
              expect(Math.max(...pi) - pi[actions[0]]).toBeLessThan(1e-8);
            }
          }
        }
      }
    }
    expect(seen).toBeGreaterThan(300);
  });

  it('are seen from both sides: as long as the edges two regions share', () => {
    const policy = { eta: 1, means: [Float64Array.of(1, 0, 0), Float64Array.of(0, 1, 0)] };
    const [panel] = layoutFor(problem(3), 'triangle').panels;
    const [{ actions, segment }] = boundariesOn(panel, policy);
    expect(actions).toEqual([0, 1]);
    const ends = segment.map(([x, y]) => panel.lift(x, y)!).sort((p, q) => p[2] - q[2]);
    [0.5, 0.5, 0].forEach((b, s) => expect(ends[0][s]).toBeCloseTo(b, 9));
    [0, 0, 1].forEach((b, s) => expect(ends[1][s]).toBeCloseTo(b, 9));
  });
});

describe('label places', () => {
  it('are inside their region, with the room they promise', () => {
    for (let seed = 1; seed <= 40; ++seed) {
      const policy = randomPolicy(seeded(seed), 3, 4, 1.2);
      const [panel] = layoutFor(problem(3), 'triangle').panels;
      for (const { polygon } of regionsOn(panel, policy)) {
        const { x, y, width } = labelPlace(polygon, 16);
        expect(contains(polygon, [x, y], 1e-6)).toBe(true);
        if (width === 0) continue;
        for (const dx of [-width / 2, width / 2]) {
          for (const dy of [-8, 8]) expect(contains(polygon, [x + dx, y + dy], 1e-6)).toBe(true);
        }
      }
    }
  });

  it('say 0 where no line of text fits', () => {
    const thin: Point[] = [
      [0, 0],
      [100, 0],
      [100, 5],
    ];
    expect(labelPlace(thin, 16).width).toBe(0);
    expect(contains(thin, [labelPlace(thin, 16).x, labelPlace(thin, 16).y])).toBe(true);
  });

  it('keep clear of what is in the way, if there is room elsewhere', () => {
    const box: Point[] = [
      [0, 0],
      [100, 0],
      [100, 100],
      [0, 100],
    ];
    expect(labelPlace(box, 16).y).toBeCloseTo(50, 0);
    expect(Math.abs(labelPlace(box, 16, [[50, 50]]).y - 50)).toBeGreaterThan(16);
  });
});
