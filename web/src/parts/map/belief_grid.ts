// The policy map as a table: evenly spread beliefs and what would be done there.
import { mostLikely, policyAt, type Mind } from '../../core/model';

export function policyTable(mind: Mind): { header: string[]; rows: (string | number)[][] } {
  const { states, actions, S } = mind.problem;
  const parts = S <= 3 ? 10 : S === 4 ? 4 : 2;
  const rows = compositions(S, parts).map((whole) => {
    const belief = whole.map((n) => n / parts);
    const policy = policyAt(mind.policy, belief);
    return [...belief, ...Array.from(policy, (p) => Number(p.toFixed(4))), actions[mostLikely(mind.policy, belief)]];
  });
  const header = [...states.map((s) => `belief: ${s}`), ...actions.map((a) => `probability: ${a}`), 'most likely action'];
  return { header, rows };
}

// All ways to write `parts` as a sum of `S` whole numbers.
export function compositions(S: number, parts: number): number[][] {
  if (S === 1) return [[parts]];
  return Array.from({ length: parts + 1 }, (_, i) => parts - i).flatMap((first) =>
    compositions(S - 1, parts - first).map((rest) => [first, ...rest]),
  );
}
