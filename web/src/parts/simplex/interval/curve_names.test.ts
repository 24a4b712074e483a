import { describe, expect, it } from 'vitest';
import { curveNames } from './curve_names';
import type { Point } from '../frame';
import { distanceTo, meet, type LabelBox } from '../labels/label_place';

// Three curves as on an interval: falling, a hill, rising; 100% at the top.
const shares = [(t: number) => 1 / (1 + Math.exp(30 * (t - 0.12))), null, (t: number) => 1 / (1 + Math.exp(-30 * (t - 0.88)))] as const;
function curvesIn(left: number, right: number, top: number, bottom: number): Point[][] {
  const at = (t: number, share: number): Point => [left + t * (right - left), bottom - share * (bottom - top)];
  const steps = Array.from({ length: 161 }, (_, i) => i / 160);
  const [falling, rising] = [shares[0], shares[2]];
  return [
    steps.map((t) => at(t, falling(t))),
    steps.map((t) => at(t, 1 - falling(t) - rising(t))),
    steps.map((t) => at(t, rising(t))),
  ];
}

describe('names of curves', () => {
  for (const width of [300, 420, 700]) {
    it(`stand beside their own and on nothing, ${width} pixels wide`, () => {
      const room = { left: 44, right: width - 30, top: 36, bottom: 36 + 120 };
      const curves = curvesIn(room.left, room.right, room.top, room.bottom);
      const names = ['declare-healthy', 'monitor', 'declare-diseased'];
      const lines = [0.12, 0.88].map((t) => room.left + t * (room.right - room.left));
      const boxes: LabelBox[] = [];
      curveNames({ names, curves, lines, room }).forEach((place, own) => {
        if (!place) return;
        const box = { x: place[0], y: place[1], width: 7.2 * names[own].length + 6, height: 15 };
        expect(boxes.some((other) => meet(box, other))).toBe(false);
        expect(curves.flat().some((point) => distanceTo(box, point) === 0)).toBe(false);
        const away = curves.map((curve) => Math.min(...curve.map((point) => distanceTo(box, point))));
        expect(away.indexOf(Math.min(...away))).toBe(own);
        boxes.push(box);
      });
      expect(boxes.length).toBeGreaterThanOrEqual(width > 400 ? 3 : 1);
    });
  }
  it('are left out where they have no place', () => {
    const room = { left: 10, right: 60, top: 0, bottom: 40 };
    expect(curveNames({ names: ['a very long name'], curves: [[[10, 20], [60, 20]]], lines: [], room })).toEqual([null]);
  });
});
