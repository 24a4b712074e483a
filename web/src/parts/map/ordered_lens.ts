// Beliefs on a ruler: states in their listed order, one step apart; a belief lies at its expected place.
export interface PlaceBin {
  total: number; // visits
  counts: number[]; // [a]: those whose most likely action it is
}

// 0: surely the first state; 1: surely the last.
export function placeOf(belief: ArrayLike<number>, from = 0, S = belief.length): number {
  let place = 0;
  for (let s = 1; s < S; ++s) place += belief[from + s] * (s / (S - 1));
  return place;
}

export function binsAlong(
  beliefs: Float64Array,
  S: number,
  visits: ArrayLike<number>,
  regions: ArrayLike<number>,
  A: number,
  columns: number,
): PlaceBin[] {
  const bins = Array.from({ length: columns }, (): PlaceBin => ({ total: 0, counts: new Array<number>(A).fill(0) }));
  for (let node = 0; node < visits.length; ++node) {
    if (!(visits[node] > 0)) continue;
    const place = placeOf(beliefs, node * S, S);
    const bin = bins[Math.min(columns - 1, Math.max(0, Math.floor(place * columns)))];
    bin.total += visits[node];
    bin.counts[regions[node]] += visits[node];
  }
  return bins;
}
