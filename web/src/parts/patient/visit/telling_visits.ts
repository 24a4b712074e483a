// The visits of a long record that one page of paper shows: the first, the last, the chosen one, and of the others those with a
// flag, then those that say most: by how surprising the decision was, and how far the belief moved.
import type { Visit } from '../../../core/explain';
import { apart } from '../../beside/model_difference';

// In the order of the record. `count`: visits on record, of which the model may explain fewer.
export function tellingVisits(visits: Visit[], count: number, chosen: number, flagged: boolean[], most: number): number[] {
  const all = Array.from({ length: count }, (_, v) => v);
  if (count <= most) return all;
  const telling = (v: number) => {
    const visit = visits[v];
    if (!visit) return -1;
    return visit.surprise + 4 * (visit.move ? apart(visit.belief, visit.move.after) : 0) + (flagged[v] ? 100 : 0);
  };
  const sure = [...new Set([0, chosen, count - 1])];
  const others = all.filter((v) => !sure.includes(v)).sort((x, y) => telling(y) - telling(x) || x - y);
  return [...sure, ...others.slice(0, most - sure.length)].sort((x, y) => x - y);
}
