// A model file as the explorer is handed it: which actions are terminal and what each can yield, spelt out (docs/model-file.md).
import type { DynamicsJson, ModelJson, PolicyJson, TimeJson } from '../src/core/payload';

interface DynamicsFile extends Omit<DynamicsJson, 'transition'> {
  transition?: number[][][];
  rates?: number[][][]; // where visits have times
}

interface ModelFile extends DynamicsFile {
  time?: { unit: string; typical_gap?: number; step?: number; wait?: string };
  states: string[];
  actions: string[];
  observations?: string[]; // not where factors are measured
  inverse_temperature: number;
  means: number[][];
  policy?: PolicyJson;
  outcomes?: (string[] | null)[];
  world?: DynamicsFile;
}

// What comes first: a move to another state, or the end of a typical gap (docs/mathematics/time.md).
function keptRow(rates: number[], state: number, gap: number): number[] {
  const shares = rates.map((rate, to) => (to === state ? 1 : rate * gap));
  const total = shares.reduce((sum, share, to) => (to === state ? sum : sum + share), 1);
  return shares.map((share) => share / total);
}

export function modelOfFile(text: string): ModelJson {
  const file = JSON.parse(text) as ModelFile;
  const { states, actions, observations = [], inverse_temperature, means, policy, outcomes } = file;
  const terminal = file.observation.map((rows) => rows === null);
  const allowed = actions.map((_, a) =>
    observations.map((name) => !terminal[a] && (!outcomes || (outcomes[a] ?? []).includes(name))),
  );
  const time: TimeJson | undefined = file.time && {
    unit: file.time.unit,
    rule: file.time.step === undefined ? 'rates' : 'steps',
    typical: file.time.step ?? file.time.typical_gap ?? NaN,
    wait: file.time.wait === undefined ? null : actions.indexOf(file.time.wait),
  };
  const dynamics = ({ initial_belief, transition, rates, observation }: DynamicsFile): DynamicsJson => ({
    initial_belief,
    transition: transition ?? rates!.map((rows) => rows.map((row, s) => keptRow(row, s, time!.typical))),
    observation,
  });
  return {
    states,
    actions,
    observations,
    terminal,
    allowed,
    ...dynamics(file),
    inverse_temperature,
    means,
    ...(policy && { policy }),
    ...(time && { time }),
    world: file.world ? dynamics(file.world) : null,
  };
}
