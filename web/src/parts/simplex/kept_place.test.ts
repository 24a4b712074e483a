import { expect, test } from 'vitest';
import { asCross, asLens, crossText, lensText, wholePicture } from './kept_place';

const size = { width: 600, height: 400 };

test('ACrossHairComesBackFromTheAddress', () => {
  const cross = { panel: 1, belief: Float64Array.from([0.2, 0.3, 0.5]) };
  expect(crossText(cross)).toBe('1:0.2,0.3,0.5');
  const back = asCross(crossText(cross), 2, 3);
  expect(back?.panel).toBe(1);
  Array.from(back?.belief ?? []).forEach((share, s) => expect(share).toBeCloseTo(cross.belief[s], 12));
});

test('AnAddressThatDoesNotFitHasNoCrossHair', () => {
  for (const text of [null, '', '0:', '0:0.5,0.5', '2:0.2,0.3,0.5', '0:0.2,0.3,0.9', '0:-0.1,0.6,0.5', '0:a,b,c', '0:0.5,,0.5', '0:1e9,0,0']) {
    expect(asCross(text, 2, 3)).toBeNull();
  }
});

test('AZoomComesBackOnAScreenOfAnySize', () => {
  const lens = { zoom: 2, x: -300, y: -100 };
  expect(asLens(lensText(lens, size), size)).toEqual(lens);
  expect(asLens(lensText(lens, size), { width: 300, height: 200 })).toEqual({ zoom: 2, x: -150, y: -50 });
  expect(lensText(wholePicture, size)).toBeNull();
});

test('AZoomThatShowsNothingIsNone', () => {
  for (const text of [null, '', '1,0,0', '2', '2,0', '2,x,0', '1e9,0,0', 'NaN,0,0', '0.5,0,0']) expect(asLens(text, size)).toEqual(wholePicture);
  expect(asLens('2,-9,9', size)).toEqual({ zoom: 2, x: -600, y: 0 });
});
