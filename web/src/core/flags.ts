// Belated diagnoses and uninformative tests: of every history, of a record, and how sure they are over posterior draws.
import { FlagWalk, type FlagOptions, type NodeFlags } from './flag_walk';
import { decodeStep, type Histories } from './histories';
import { hasResult } from './measured/measured_tests';
import type { Mind } from './model';
import type { AuditJson, RecordsJson } from './payload';

export type { FlagOptions, NodeFlags } from './flag_walk';

// `beliefs`: those of the mind at every history, if they are there already.
export function nodeFlags(
  h: Histories,
  mind: Mind,
  audit: AuditJson,
  options: FlagOptions,
  beliefs: Float64Array | null = null,
): NodeFlags {
  return finished(new FlagWalk(h, mind, audit, options, beliefs).run());
}

export interface FlagProbabilities {
  belated: Float32Array; // [node]: share of draws in which the flag stands clearly (AuditJson.clearly)
  uninformative: Float32Array;
  draws: number; // those that call no recorded outcome impossible
}

export interface RecordFlags {
  belated: boolean;
  leftOut: number[]; // if belated: visits before the confirming one at which a wanted test was left out
  confirmed: number; // … and the first later visit whose test made a state near-certain; −1: none
  tests: { visit: number; uninformative: boolean; probability: number | null }[]; // those with a recorded outcome
  probability: number | null; // of being belated; null without draws
}

// Visits are positions in the record, from 0. With probabilities and a certainty above 0, flags that stand in a smaller share of
// draws are taken back. As Audit::of.
export function recordFlags(
  h: Histories,
  flags: NodeFlags,
  audit: AuditJson,
  records: RecordsJson,
  r: number,
  probabilities: FlagProbabilities | null = null,
  certainty = 0,
): RecordFlags {
  const [codes, path, end] = [records.steps[r], h.paths[r], h.ends[r]];
  const sure = probabilities ? probabilities.belated[end] : null;
  const result: RecordFlags = { belated: false, leftOut: [], confirmed: -1, tests: [], probability: sure };
  for (let t = 0; t < codes.length; ++t) {
    const step = decodeStep(codes[t], h.Z);
    if (!audit.tests[step.action]) {
      if (flags.wanted[path[t]] !== 0 && result.confirmed < 0) result.leftOut.push(t);
      continue;
    }
    if (!hasResult(audit, h.measured, step.action, step.observation)) continue;
    const after = t + 1 < codes.length ? path[t + 1] : end;
    const probability = probabilities ? probabilities.uninformative[after] : null;
    const uninformative = flags.uninformative[after] !== 0 && (probability ?? 1) >= certainty;
    result.tests.push({ visit: t, uninformative, probability });
    if (result.confirmed < 0 && flags.confirmed[after] !== 0 && result.leftOut.length > 0) result.confirmed = t;
  }
  result.belated = flags.belated[end] !== 0 && (sure ?? 1) >= certainty;
  return result.belated ? result : { ...result, leftOut: [], confirmed: -1 };
}

// Draws that call a recorded outcome impossible are left out; null if none remain.
export function flagProbabilities(
  h: Histories,
  draws: Mind[],
  audit: AuditJson,
  options: FlagOptions,
): FlagProbabilities | null {
  return finished(counted(h, draws, audit, options));
}

// The same without holding up the page: works for `budget` milliseconds, lets others, goes on. `progress` hears the share done.
// null also if it was aborted.
export async function flagProbabilitiesInPieces(
  h: Histories,
  draws: Mind[],
  audit: AuditJson,
  options: FlagOptions,
  progress?: (share: number) => void,
  signal?: AbortSignal,
  budget = 10,
  pause: () => Promise<void> = nextTask,
): Promise<FlagProbabilities | null> {
  const work = counted(h, draws, audit, options);
  for (;;) {
    const until = performance.now() + budget;
    let done = 0;
    do {
      const step = work.next();
      if (step.done) return step.value;
      done = step.value;
    } while (performance.now() < until);
    progress?.(done / draws.length);
    await pause();
    if (signal?.aborted) return null;
  }
}

// Yields the number of draws done so far.
function* counted(
  h: Histories,
  draws: Mind[],
  audit: AuditJson,
  options: FlagOptions,
): Generator<number, FlagProbabilities | null> {
  const belated = new Float32Array(h.count);
  const uninformative = new Float32Array(h.count);
  let good = 0;
  for (let i = 0; i < draws.length; ++i) {
    const flagged = new FlagWalk(h, draws[i], audit, options);
    const walk = flagged.run();
    let step = walk.next();
    for (; !step.done; step = walk.next()) yield i;
    if (step.value.impossible >= 0) continue;
    ++good;
    for (let node = 0; node < h.count; ++node) {
      belated[node] += flagged.clearlyBelated[node];
      uninformative[node] += step.value.uninformative[node];
    }
    yield i + 1;
  }
  if (good === 0) return null;
  for (let node = 0; node < h.count; ++node) {
    belated[node] /= good;
    uninformative[node] /= good;
  }
  return { belated, uninformative, draws: good };
}

function finished<T>(work: Generator<unknown, T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
