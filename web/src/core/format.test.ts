import { describe, expect, it } from 'vitest';
import { bits, count, percent, percentRange, points, pValue } from './format';

function all<T>(write: (x: T) => string, cases: [T, string][]): void {
  for (const [x, text] of cases) expect([x, write(x)]).toEqual([x, text]);
}

describe('numbers for people', () => {
  it('percents never make certain what is not; halves go to the even number', () => {
    all(percent, [
      [0, '0%'],
      [1e-9, 'under 1%'],
      [0.0049, 'under 1%'],
      [0.125, '12%'],
      [0.375, '38%'],
      [0.64, '64%'],
      [0.996, 'over 99%'],
      [1 - 1e-16, 'over 99%'],
      [1, '100%'],
      [NaN, '–'],
      [null, '–'],
    ]);
  });

  it('ranges', () => {
    expect(percentRange({ middle: 0.64, low: 0.58, high: 0.997 })).toBe('64% (58% to over 99%)');
    expect(percentRange({ middle: 0.64, low: NaN, high: NaN })).toBe('64%');
    expect(percentRange(null)).toBe('–');
  });

  it('withheld counts are never 0', () => {
    expect(count(null, 11)).toBe('< 11');
    expect(count(null)).toBe('withheld');
    expect(count(0, 11)).toBe('0');
    expect(count(1234567)).toBe('1,234,567');
    expect(count(NaN)).toBe('–');
  });

  it('p-values', () => {
    all(pValue, [
      [0.0001, 'p < 0.001'],
      [0.0013, 'p = 0.001'],
      [0.034, 'p = 0.034'],
      [0.2, 'p = 0.20'],
      [1, 'p > 0.99'],
      [null, '–'],
    ]);
  });

  it('bits and points', () => {
    all(bits, [
      [0, '0 bits'],
      [0.001, 'under 0.01 bits'],
      [0.416, '0.42 bits'],
      [1, '1 bits'],
      [12.3, '12 bits'],
      [Infinity, '–'],
    ]);
    all(points, [
      [0.12, '+12 points'],
      [-0.01, '−1 point'],
      [0.001, 'under 1 point'],
      [0, '0 points'],
    ]);
  });
});
