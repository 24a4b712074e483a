// A model file as the explorer is handed it: which actions are terminal and what each can yield, spelt out (docs/model-file.md).
import type { DynamicsJson, ModelJson, PolicyJson } from '../src/core/payload';

interface ModelFile extends DynamicsJson {
  states: string[];
  actions: string[];
  observations?: string[]; // not where factors are measured
  inverse_temperature: number;
  means: number[][];
  policy?: PolicyJson;
  outcomes?: (string[] | null)[];
  world?: DynamicsJson;
}

export function modelOfFile(text: string): ModelJson {
  const file = JSON.parse(text) as ModelFile;
  const { states, actions, observations = [], inverse_temperature, means, policy, outcomes } = file;
  const terminal = file.observation.map((rows) => rows === null);
  const allowed = actions.map((_, a) =>
    observations.map((name) => !terminal[a] && (!outcomes || (outcomes[a] ?? []).includes(name))),
  );
  const dynamics = ({ initial_belief, transition, observation }: DynamicsJson) => ({ initial_belief, transition, observation });
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
    world: file.world ? dynamics(file.world) : null,
  };
}
