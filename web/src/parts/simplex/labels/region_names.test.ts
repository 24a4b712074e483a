import { describe, expect, test } from 'vitest';
import { meet } from './label_place';
import { keptApart, type RegionName } from './region_names';

const named = (text: string, x: number, y = 0): RegionName => ({ action: 0, text, x, y, width: 7.6 * text.length, height: 18 });

describe('names of regions', () => {
  test('StayAsTheyAreWhereTheyDoNotMeet', () => {
    const names = [named('wait and see', 0), named('refer at once', 200), named('wait and see', 0, 40)];
    expect(keptApart([names])).toEqual([names]);
  });

  test('AreCutShorterWhereTheyWouldMeet', () => {
    const [[first], [second]] = keptApart([[named('watchful waiting', 0)], [named('magnetic resonance', 110)]]);
    expect(first.text).toBe('watchful waiting');
    expect(second.text).toMatch(/^magnet.*…$/);
    expect(meet(first, second)).toBe(false);
  });

  test('AreLeftOutWhereNothingOfThemHasRoom', () => {
    expect(keptApart([[named('watchful waiting', 0), named('order', 20)]])[0]).toHaveLength(1);
  });
});
