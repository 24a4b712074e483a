// The difference of two shares, with Newcombe's interval (1998, method 10): the two shares' own Wilson limits, combined by
// squares. It takes the limits as they were published, so shares of tests keep the wider limits that patients with many
// tests call for. The two groups are taken as different patients.
import type { Estimate } from './payload';

export function difference(a: Estimate, b: Estimate): Estimate {
  const middle = a.middle - b.middle;
  return {
    middle,
    low: Math.max(-1, middle - Math.hypot(a.middle - a.low, b.high - b.middle)),
    high: Math.min(1, middle + Math.hypot(a.high - a.middle, b.middle - b.low)),
  };
}

// Wilson's interval of `flagged` of `total` at 95%.
export function wilson(flagged: number, total: number, z = 1.959963984540054): Estimate {
  const share = flagged / total;
  const centre = (flagged + (z * z) / 2) / (total + z * z);
  const half = (z / (total + z * z)) * Math.sqrt((flagged * (total - flagged)) / total + (z * z) / 4);
  return { middle: share, low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}
