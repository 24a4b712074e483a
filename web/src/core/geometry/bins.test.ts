import { describe, expect, it } from 'vitest';
import { seeded, simplexPoint } from '../testing/random_models';
import { densityBins } from './bins';
import { contains } from './polygon';
import { layoutFor } from './simplex_layout';

function cloud(S: number, n: number) {
  const random = seeded(5);
  const points = Array.from({ length: n }, () => simplexPoint(random, S));
  return { points, flat: Float64Array.from(points.flat()), weights: points.map((_, i) => i % 4) };
}

const total = (weights: number[]) => weights.reduce((x, y) => x + y, 0);

describe('density bins', () => {
  it('count every visit once, in the cell it lies in', () => {
    for (const [S, kind] of [[2, 'interval'], [3, 'triangle'], [3, 'right']] as const) {
      const [panel] = layoutFor({ states: Array<string>(S).fill('s'), S }, kind).panels;
      const { points, flat, weights } = cloud(S, 2000);
      const density = densityBins(panel, flat, S, weights);
      expect(density.total).toBe(total(weights));
      expect(total(density.bins.map((b) => b.count))).toBe(density.total);
      expect(density.most).toBe(Math.max(...density.bins.map((b) => b.count)));
      for (const bin of density.bins) {
        const inside = points.reduce((sum, p, i) => sum + (contains(bin.cell, panel.project(p), -1e-9) ? weights[i] : 0), 0);
        expect(inside).toBe(bin.count);
      }
    }
  });

  it('put the ends of a bar into its outer strips', () => {
    const [panel] = layoutFor({ states: ['x', 'y'], S: 2 }, 'interval').panels;
    const { bins } = densityBins(panel, Float64Array.of(1, 0, 0, 1), 2, [1, 1]);
    for (const bin of bins) for (const [x] of bin.cell) expect(x >= panel.corners[0][0] - 1e-9 && x <= panel.corners[1][0] + 1e-9).toBe(true);
  });

  it('leave out of a face what mostly lies elsewhere', () => {
    const [face] = layoutFor({ states: ['a', 'b', 'c', 'd'], S: 4 }, 'faces').panels;
    const beliefs = Float64Array.of(0.2, 0.2, 0.2, 0.4, 0.1, 0.1, 0.1, 0.7, 0, 0, 0, 1);
    expect(densityBins(face, beliefs, 4, [1, 1, 1]).total).toBe(1);
    expect(densityBins(face, beliefs, 4, [1, 1, 1], 14, 0).total).toBe(2);
  });

  it('stay few: a picture, not the data', () => {
    const [panel] = layoutFor({ states: ['a', 'b', 'c'], S: 3 }, 'triangle').panels;
    const { flat } = cloud(3, 50_000);
    const { bins } = densityBins(panel, flat, 3, Array<number>(50_000).fill(1));
    expect(bins.length).toBeLessThan(1000);
  });
});
