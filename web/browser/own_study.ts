// A study with names and numbers of our choosing, and records for it: actions follow the last result, so that there is
// something to learn.
import { writeFileSync } from 'node:fs';
import { file, fitted } from './harness.ts';
import type { Case } from './harness.ts';

export interface OwnStudy {
  name: string; // of files
  title?: string;
  states: string[];
  actions: string[];
  observations: string[];
  patients: string[];
  visits: number; // of each patient
}

export function ownCase(own: OwnStudy, tableName = `${own.name}.csv`): Case {
  const made = { name: own.name, study: file(`${own.name}.toml`), data: [file(tableName)], model: file(`${own.name}.json`) };
  writeFileSync(made.study, studyText(own));
  writeFileSync(made.data[0], tableText(own));
  return fitted(made, '--dynamics', 'shared'); // the quickest
}

// TOML takes JSON's strings, but for the delete character.
const quoted = (text: string) => JSON.stringify(text).replaceAll('\u007f', '\\u007f');
const list = (texts: string[]) => `[${texts.map(quoted).join(', ')}]`;

function studyText(own: OwnStudy): string {
  return [
    'format = "interpole-study"',
    'version = 1',
    `name = ${quoted(own.title ?? own.name)}`,
    `states = ${list(own.states)}`,
    `observations = ${list(own.observations)}`,
    ...own.actions.map((action) => `[[actions]]\nname = ${quoted(action)}`),
    '[known]',
    'inverse_temperature = 10',
    'transition."*" = "identity"',
    '',
  ].join('\n');
}

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;

export function tableText(own: OwnStudy): string {
  const random = generator(1);
  const rows = ['patient,step,action,observation'];
  for (const patient of own.patients) {
    const state = Math.floor(random() * own.states.length);
    let action = 0;
    for (let step = 1; step <= own.visits; ++step) {
      const clear = random() < 0.8; // else a result says nothing of the state
      const result = Math.floor(((clear ? state + random() : random() * own.states.length) / own.states.length) * own.observations.length);
      rows.push([cell(patient), step, cell(own.actions[action]), cell(own.observations[result])].join(','));
      action = random() < 0.85 ? Math.floor((result * own.actions.length) / own.observations.length) : Math.floor(random() * own.actions.length);
    }
  }
  return `${rows.join('\n')}\n`;
}

// Numbers in [0, 1) from a linear congruence: the same on every machine.
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
