import { describe, expect, it } from 'vitest';
import { distanceTo, freePlace, meet, placesAround, shortened, type LabelBox } from './label_place';

const visible = { width: 400, height: 300 };
const size = { width: 80, height: 18 };
const box = (x: number, y: number, width = 30, height = 12): LabelBox => ({ x, y, width, height });

describe('a label', () => {
  it('stands at the first place where nothing else does', () => {
    const places = placesAround([200, 150], size, 1);
    expect(freePlace(size, places, [], visible)).toEqual([200, 173]);
    expect(freePlace(size, places, [box(225, 175)], visible)).toEqual([200, 127]);
    expect(freePlace(size, places, [box(200, 173), box(200, 127)], visible)).toEqual([255, 150]);
  });
  it('never meets what is there, and stays in sight', () => {
    const taken = [box(200, 173), box(200, 127), box(260, 150), box(140, 150), box(270, 170)];
    for (const mark of [[200, 150], [12, 12], [390, 290]] as [number, number][]) {
      const place = freePlace(size, placesAround(mark, size, 1), taken, visible);
      expect(place).not.toBeNull();
      const label = { x: place![0], y: place![1], ...size };
      expect(taken.some((other) => meet(label, other))).toBe(false);
      expect(label.x - 40).toBeGreaterThanOrEqual(0);
      expect(label.x + 40).toBeLessThanOrEqual(visible.width);
    }
  });
  it('has no place where everything is taken, or where it is wider than the picture', () => {
    expect(freePlace(size, placesAround([200, 150], size, 1), [box(200, 150, 400, 300)], visible)).toBeNull();
    expect(freePlace({ width: 500, height: 18 }, placesAround([200, 150], { width: 500, height: 18 }, 1), [], visible)).toBeNull();
  });
  it('is as far from a box as from its nearest edge', () => {
    expect(distanceTo(box(10, 10, 10, 10), [10, 12])).toBe(0);
    expect(distanceTo(box(10, 10, 10, 10), [18, 19])).toBe(5);
  });
  it('says when it leaves something out', () => {
    expect(shortened('mri', 10)).toBe('mri');
    expect(shortened('magnetic resonance imaging', 10)).toBe('magnetic…');
  });
});
