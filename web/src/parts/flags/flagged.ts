// Who is flagged, from how far every history is from the thresholds. Made for 50,000 records: no list is built for a record
// that is not flagged.
import { leastMoveOf, type FlagMargins } from '../../core/flag_margins';
import type { Histories } from '../../core/histories';

export interface NodeCertainty {
  belated: Float32Array; // [node]: share of posterior draws
  uninformative: Float32Array;
}

export interface FlagFilter {
  nearCertain: number;
  insignificant: number;
  certain: number; // smallest share of draws; 0: any
  certainty: NodeCertainty | null;
}

export function belatedRecords(h: Histories, margins: FlagMargins, filter: FlagFilter): number[] {
  const records: number[] = [];
  h.ends.forEach((end, record) => {
    if (margins.sureness[end] < filter.nearCertain) return;
    if (filter.certainty && filter.certainty.belated[end] < filter.certain) return;
    records.push(record);
  });
  return records;
}

// [node]: its last step is an uninformative test that is certain enough.
export function uninformativeNodes(h: Histories, margins: FlagMargins, filter: FlagFilter): Uint8Array {
  const least = leastMoveOf(margins, filter.insignificant);
  const marked = new Uint8Array(h.count);
  for (let node = 1; node < h.count; ++node) {
    if (!(margins.reach[node] < least)) continue;
    if (filter.certainty && filter.certainty.uninformative[node] < filter.certain) continue;
    marked[node] = 1;
  }
  return marked;
}

export interface UninformativeTests {
  records: number[]; // with at least one
  tests: number; // uninformative ones, over all records
  judged: number; // tests with a result
}

export function uninformativeRecords(h: Histories, margins: FlagMargins, marked: Uint8Array): UninformativeTests {
  // [node]: one is marked on the way here. Parents precede children.
  const any = marked.slice();
  let tests = 0;
  let judged = 0;
  for (let node = 1; node < h.count; ++node) {
    if (any[h.parent[node]]) any[node] = 1;
    if (!Number.isNaN(margins.reach[node])) judged += h.passes[node];
    if (marked[node]) tests += h.passes[node];
  }
  const records: number[] = [];
  h.ends.forEach((end, record) => {
    if (any[end]) records.push(record);
  });
  return { records, tests, judged };
}

// The history after a visit, where its result is recorded.
export function nodeAfter(h: Histories, record: number, visit: number): number {
  const path = h.paths[record];
  return visit + 1 < path.length ? path[visit + 1] : h.ends[record];
}
