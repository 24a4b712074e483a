// What a policy would mean for the visits on record: how many fall into each region, and how many flags stand.
import type { NodeFlags } from '../../core/flags';
import type { Histories } from '../../core/histories';
import { mostLikely, type Policy } from '../../core/model';

export function visitsByRegion(h: Histories, beliefs: Float64Array, visits: Int32Array, policy: Policy): number[] {
  const S = policy.means[0].length;
  const counts = policy.means.map(() => 0);
  for (let node = 0; node < h.count; ++node) {
    if (visits[node] > 0) counts[mostLikely(policy, beliefs, node * S)] += visits[node];
  }
  return counts;
}

export function flagCounts(h: Histories, flags: NodeFlags): { belated: number; uninformative: number } {
  let [belated, uninformative] = [0, 0];
  for (const end of h.ends) belated += flags.belated[end] ? 1 : 0;
  for (let node = 0; node < h.count; ++node) if (flags.uninformative[node]) uninformative += h.passes[node];
  return { belated, uninformative };
}
