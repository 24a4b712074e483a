// Where the most likely action changes along a side, for any policy: the program's table has this for the fitted one only.
import { leadOf, mostLikely, type Policy } from '../../core/model';

export interface SideCrossing {
  from: number; // states: position 0 and 1 of the side
  to: number;
  before: number; // actions
  after: number;
  position: number; // the belief in `to`
}

export function sideCrossings(policy: Policy, S: number): SideCrossing[] {
  if (!(policy.eta > 0)) return [];
  const found: SideCrossing[] = [];
  for (let from = 0; from < S; ++from) {
    for (let to = from + 1; to < S; ++to) found.push(...alongSide(policy, S, from, to));
  }
  return found;
}

// Scores are straight lines along a side: between neighbouring crossings of any two of them nothing changes.
function alongSide(policy: Policy, S: number, from: number, to: number): SideCrossing[] {
  const score = (mean: Float64Array, state: number) => mean.reduce((sum, m, s) => sum + m * ((s === state ? 2 : 0) - m), 0);
  const ends = policy.means.map((mean, a) => [from, to].map((state) => score(mean, state) + leadOf(policy, a)));
  const places = new Set<number>();
  for (const [a0, a1] of ends) {
    for (const [b0, b1] of ends) {
      const t = (a0 - b0) / (a0 - b0 - (a1 - b1));
      if (t > 0 && t < 1) places.add(t);
    }
  }
  const stops = [0, ...[...places].sort((x, y) => x - y), 1];
  const bestBetween = (i: number) => {
    const t = (stops[i] + stops[i + 1]) / 2;
    return mostLikely(policy, Float64Array.from({ length: S }, (_, s) => (s === from ? 1 - t : s === to ? t : 0)));
  };
  return stops.slice(1, -1).flatMap((position, i) => {
    const [before, after] = [bestBetween(i), bestBetween(i + 1)];
    return before === after ? [] : [{ from, to, before, after, position }];
  });
}
