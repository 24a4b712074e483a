import { expect, test } from 'vitest';
import { layoutFor } from '../../core/geometry/simplex_layout';
import { focused, sheetFor, type Point } from './frame';

const problem = (S: number) => ({ S, states: Array.from({ length: S }, (_, s) => `state ${s}`) });

test('a pixel leads back to its place, zoomed and moved', () => {
  for (const S of [3, 4]) {
    const sheet = sheetFor(layoutFor(problem(S), S === 3 ? 'triangle' : 'faces'), 900);
    for (const frame of focused(sheet, { zoom: 3, x: -40, y: -70 })) {
      const point: Point = [frame.panel.corners[0][0] + 12, frame.panel.corners[0][1] - 7];
      const [x, y] = frame.back(frame.at(point));
      expect(x).toBeCloseTo(point[0], 9);
      expect(y).toBeCloseTo(point[1], 9);
    }
  }
});

test('every corner is inside the picture, on a phone too', () => {
  for (const width of [260, 360, 860, 1400]) {
    const sheet = sheetFor(layoutFor(problem(4), 'faces'), width);
    for (const { panel, place } of sheet.frames) {
      for (const corner of panel.corners) {
        const [x, y] = place(corner);
        expect(x).toBeGreaterThan(0);
        expect(x).toBeLessThan(sheet.width);
        expect(y).toBeGreaterThan(0);
        expect(y).toBeLessThan(sheet.height);
      }
    }
  }
});
