import { expect, test } from 'vitest';
import { signedPoints } from './signed_points';

test('EndsOfADifferenceKeepTheirSignAndSmallOnesADecimal', () => {
  expect([-0.213, 0.05, 0.004, -0.0096, 0, 0.0001].map(signedPoints)).toEqual(['−21', '+5', '+0.4', '−1.0', '0', '0']);
});
