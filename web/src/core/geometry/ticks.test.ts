import { describe, expect, it } from 'vitest';
import { contains } from './polygon';
import { layoutFor, type LayoutKind, type Panel } from './simplex_layout';
import { cornerLabels, ticksOn, type Anchor } from './ticks';

const cases: [number, LayoutKind][] = [
  [2, 'interval'],
  [3, 'triangle'],
  [3, 'right'],
  [4, 'faces'],
  [5, 'two-plus-rest'],
];

function layouts() {
  const names = ['NL', 'MCI', 'Dementia', 'Lewy', 'mixed'];
  return cases.map(([S, kind]) => layoutFor({ states: names.slice(0, S), S }, kind));
}

type Box = [number, number, number, number];

// Of a text of 11 px: about 6.2 px for a letter.
function box([x, y]: [number, number], text: string, anchor: Anchor): Box {
  const wide = text.length * 6.2;
  const left = anchor === 'start' ? x : anchor === 'end' ? x - wide : x - wide / 2;
  return [left, y - 6, left + wide, y + 6];
}

function overlap(p: Box, q: Box): boolean {
  return p[0] < q[2] && q[0] < p[2] && p[1] < q[3] && q[1] < p[3];
}

function shareAt(panel: Panel, corner: number, [x, y]: [number, number]): number {
  const belief = panel.lift(x, y)!;
  const state = panel.states[corner];
  if (state >= 0) return belief[state];
  return 1 - panel.states.filter((s) => s >= 0).reduce((sum, s) => sum + belief[s], 0);
}

describe('ticks', () => {
  it('mark every side at 10 … 90%, and their gridlines keep that share from end to end', () => {
    for (const { panels } of layouts()) {
      for (const panel of panels) {
        const ticks = ticksOn(panel);
        expect(ticks.length).toBe(panel.shape === 'bar' ? 18 : 27);
        for (const tick of ticks) {
          for (const t of [0, 0.5, 1]) {
            const point = [0, 1].map((k) => tick.at[k] + t * (tick.to[k] - tick.at[k])) as [number, number];
            expect(shareAt(panel, tick.corner, point)).toBeCloseTo(tick.share, 9);
          }
        }
      }
    }
  });

  it('tell of each side of a triangle another corner; with a right angle, of each leg its far end', () => {
    for (const { panels } of layouts()) {
      for (const panel of panels) {
        const told = new Map(ticksOn(panel).map((tick) => [tick.side.slice().sort().join(), tick.corner]));
        if (panel.shape === 'triangle') expect([...told.values()].sort()).toEqual([0, 1, 2]);
        if (panel.shape === 'right') expect([told.get('0,1'), told.get('0,2')]).toEqual([1, 2]);
      }
    }
  });

  it('point out of the panel, along their gridline', () => {
    for (const { panels } of layouts()) {
      for (const panel of panels) {
        for (const { at, to, direction } of ticksOn(panel)) {
          expect(Math.hypot(...direction)).toBeCloseTo(1, 12);
          expect(direction[0] * (at[1] - to[1]) - direction[1] * (at[0] - to[0])).toBeCloseTo(0, 9);
          expect(contains(panel.outline, [at[0] + 2 * direction[0], at[1] + 2 * direction[1]])).toBe(false);
          expect(contains(panel.outline, [at[0] - 2 * direction[0], at[1] - 2 * direction[1]])).toBe(true);
        }
      }
    }
  });

  it('have labels that keep clear of each other, of the corners’ names and of the panel, inside the picture', () => {
    for (const { panels, width, height } of layouts()) {
      const boxes: Box[] = [];
      for (const panel of panels) {
        for (const tick of ticksOn(panel)) if (tick.label) boxes.push(box(tick.labelAt, tick.label, tick.anchor));
        for (const corner of cornerLabels(panel)) boxes.push(box(corner.at, corner.text, corner.anchor));
      }
      boxes.forEach((mine, i) => {
        expect(boxes.filter((other, j) => j !== i && overlap(mine, other))).toEqual([]);
        expect(mine[0] >= 0 && mine[1] >= 0 && mine[2] <= width && mine[3] <= height).toBe(true);
      });
      for (const panel of panels) {
        for (const tick of ticksOn(panel)) {
          if (!tick.label) continue;
          const [x0, y0, x1, y1] = box(tick.labelAt, tick.label, tick.anchor);
          for (const point of [[x0, y0], [x1, y0], [x0, y1], [x1, y1]] as [number, number][]) {
            expect(contains(panel.outline, point)).toBe(false);
          }
        }
      }
    }
  });
});
