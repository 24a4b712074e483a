// Boundaries of two models beside each other: where either changes from one action to another along the same side.
import type { Estimate, SideBoundaryJson } from '../../core/payload';

export interface BoundaryPair {
  from: number; // states: the two ends of the side
  to: number;
  before: number; // actions
  after: number;
  places: (Estimate | null)[]; // belief in `to`, of each model; null: it does not change so there
  present: (number | null)[]; // share of its draws in which it does
}

const key = ({ from, to, before, after }: SideBoundaryJson) => `${from} ${to} ${before} ${after}`;

// Of a model without draws, the place is all that is known.
const placeOf = ({ position, estimate }: SideBoundaryJson): Estimate => ({
  middle: position, low: estimate?.low ?? position, high: estimate?.high ?? position,
});

export function boundaryPairs(first: SideBoundaryJson[], second: SideBoundaryJson[]): BoundaryPair[] {
  const pairs = new Map<string, BoundaryPair>();
  [first, second].forEach((list, model) => {
    for (const boundary of list) {
      const { from, to, before, after } = boundary;
      const pair = pairs.get(key(boundary)) ?? { from, to, before, after, places: [null, null], present: [null, null] };
      pair.places[model] = placeOf(boundary);
      pair.present[model] = boundary.present;
      pairs.set(key(boundary), pair);
    }
  });
  return [...pairs.values()].sort((a, b) => a.from - b.from || a.to - b.to);
}
