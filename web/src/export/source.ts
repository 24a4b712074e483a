// Where what leaves the page came from, in one line: program, study, data and fit; and whether the policy was moved by hand.
import type { Payload } from '../core/payload';

interface Provenance {
  program?: unknown;
  version?: unknown;
  data?: unknown; // one table, or several
  study?: { sha256?: unknown };
  options?: { dynamics?: unknown; seed?: unknown };
}

// However many tables there are.
function digestsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => (key === 'sha256' && typeof part === 'string' ? [part] : digestsIn(part)));
}

const digest = (name: string, value: unknown) => (typeof value === 'string' && value ? [`${name} ${value.slice(0, 12)}`] : []);

export function sourceLine(payload: Payload, hypothetical: boolean): string {
  const from = payload.check.provenance as Provenance;
  return [
    payload.program,
    payload.title,
    ...digestsIn(from.data).flatMap((sha256) => digest('data', sha256)),
    ...digest('study', from.study?.sha256),
    ...(from.options?.dynamics ? [`${String(from.options.dynamics)} dynamics`] : []),
    ...(from.options?.seed !== undefined ? [`seed ${String(from.options.seed)}`] : []),
    ...(payload.refit ? ['fitted in a live session'] : []),
    ...(payload.check.converged === false ? ['not converged'] : []),
    ...(hypothetical ? ['hypothetical policy'] : []),
  ].join('; ');
}
