import { describe, expect, it } from 'vitest';
import { seeded, simplexPoint } from '../testing/random_models';
import { kindsFor, layoutFor, REST, type LayoutKind } from './simplex_layout';
import { area, contains } from './polygon';

function problem(S: number) {
  return { states: Array.from({ length: S }, (_, s) => `s${s}`), S };
}

const kinds: LayoutKind[] = ['interval', 'triangle', 'right', 'faces', 'two-plus-rest'];

describe('layouts', () => {
  it('draw what can be drawn with so many states', () => {
    const drawn = (S: number) => kinds.map((kind) => layoutFor(problem(S), kind).kind);
    expect(drawn(1)).toEqual(Array(5).fill('interval'));
    expect(drawn(2)).toEqual(Array(5).fill('interval'));
    expect(drawn(3)).toEqual(['interval', 'triangle', 'right', 'triangle', 'two-plus-rest']);
    expect(drawn(4)).toEqual(['interval', 'faces', 'faces', 'faces', 'two-plus-rest']);
    for (const S of [2, 3, 4, 6]) for (const kind of kindsFor(S)) expect(layoutFor(problem(S), kind).kind).toBe(kind);
  });

  it('keep every panel inside the picture, apart from the others', () => {
    for (const S of [2, 3, 4, 6]) {
      for (const kind of kinds) {
        const { panels, width, height } = layoutFor(problem(S), kind);
        for (const panel of panels) {
          expect(area(panel.outline)).toBeGreaterThan(0);
          for (const [x, y] of panel.outline) {
            expect(x >= 0 && x <= width && y >= 0 && y <= height).toBe(true);
          }
          for (const other of panels) {
            if (other !== panel) for (const corner of other.corners) expect(contains(panel.outline, corner)).toBe(false);
          }
        }
      }
    }
  });

  it('lead from a belief to a point and back, where the panel shows all of it', () => {
    const random = seeded(2);
    const cases: [number, LayoutKind][] = [[2, 'interval'], [3, 'triangle'], [3, 'right'], [3, 'two-plus-rest']];
    for (const [S, kind] of cases) {
      const [panel] = layoutFor(problem(S), kind).panels;
      for (let i = 0; i < 100; ++i) {
        const belief = simplexPoint(random, S);
        const [x, y] = panel.project(belief);
        expect(panel.share(belief)).toBeCloseTo(1, 12);
        belief.forEach((b, s) => expect(panel.lift(x, y)![s]).toBeCloseTo(b, 12));
      }
      panel.corners.forEach(([x, y], i) => panel.beliefs[i].forEach((b, s) => expect(panel.lift(x, y)![s]).toBeCloseTo(b, 12)));
    }
  });

  it('have no belief outside a panel, but a place for means there', () => {
    for (const kind of ['triangle', 'right'] as const) {
      const [panel] = layoutFor(problem(3), kind).panels;
      const [x, y] = panel.project([1.4, -0.6, 0.2]);
      expect(panel.lift(x, y)).toBeNull();
      [1.4, -0.6, 0.2].forEach((m, s) => expect(panel.extend(x, y)[s]).toBeCloseTo(m, 12));
    }
    const [bar] = layoutFor(problem(2), 'interval').panels;
    const [x, y] = bar.project([0.3, 0.7]);
    expect(bar.lift(x, y + 40)![1]).toBeCloseTo(0.7, 12);
    expect(bar.lift(x, y + 60)).toBeNull();
    expect(bar.lift(...bar.project([-0.1, 1.1]))).toBeNull();
  });

  it('give lifted beliefs that are beliefs: not negative, summing to one, up to the very edge', () => {
    const [panel] = layoutFor(problem(3), 'triangle').panels;
    const [[x0, y0], [x1, y1]] = panel.corners;
    for (let t = 0; t <= 1; t += 0.01) {
      const belief = panel.lift(x0 + t * (x1 - x0), y0 + t * (y1 - y0))!;
      expect(Math.min(...belief)).toBeGreaterThanOrEqual(0);
      expect(belief.reduce((x, y) => x + y)).toBeCloseTo(1, 14);
    }
  });
});

describe('four states', () => {
  const { panels } = layoutFor(problem(4), 'faces');

  it('have four faces, each of three states', () => {
    expect(panels.map((p) => p.states)).toEqual([[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]);
  });

  it('show a belief on a face by its shares among the three, and say how much of it lies there', () => {
    const belief = [0.1, 0.2, 0.3, 0.4];
    expect(panels[0].share(belief)).toBeCloseTo(0.6, 14);
    const shown = panels[0].lift(...panels[0].project(belief))!;
    [1 / 6, 2 / 6, 3 / 6, 0].forEach((b, s) => expect(shown[s]).toBeCloseTo(b, 12));
    expect(panels[0].share([0, 0, 0, 1])).toBe(0);
    expect(panels[0].project([0, 0, 0, 1]).every(Number.isFinite)).toBe(true);
  });
});

describe('more states', () => {
  it('are shown by chosen triples', () => {
    expect(layoutFor(problem(6), 'faces', [5, 1, 3]).panels.map((p) => p.states)).toEqual([[5, 1, 3]]);
    expect(layoutFor(problem(6), 'faces', [2, 4]).panels.map((p) => p.states[2])).toEqual([0, 1, 3, 5]);
    expect(layoutFor(problem(6), 'faces').panels.length).toBe(4);
    expect(layoutFor(problem(6), 'faces', [99, -3, 1.5]).panels.length).toBe(4); // what is no state is not chosen
  });

  it('or by two and the rest, spread as asked', () => {
    const layout = layoutFor(problem(5), 'two-plus-rest', [3, 1], [0, 0, 3, 0, 1]);
    const [panel] = layout.panels;
    expect(panel.states).toEqual([3, 1, REST]);
    expect(panel.labels).toEqual(['s3', 's1', 'all others']);
    expect([...panel.beliefs[2]]).toEqual([0, 0, 0.75, 0, 0.25]);
    const belief = [0.1, 0.2, 0.3, 0.35, 0.05];
    expect(panel.share(belief)).toBeCloseTo(1, 14);
    const shown = panel.lift(...panel.project(belief))!;
    expect(shown[3]).toBeCloseTo(0.35, 12);
    expect(shown[1]).toBeCloseTo(0.2, 12);
    expect([...layoutFor(problem(5), 'two-plus-rest', [3, 1], [0, 0, 0, 0, 0]).panels[0].beliefs[2]]).toEqual([1 / 3, 0, 1 / 3, 0, 1 / 3]);
  });

  it('or by the stretch between two', () => {
    const [panel] = layoutFor(problem(5), 'interval', [4, 2]).panels;
    expect(panel.states).toEqual([4, 2]);
    expect(panel.share([0.2, 0.2, 0.1, 0.2, 0.3])).toBeCloseTo(0.4, 14);
  });
});
