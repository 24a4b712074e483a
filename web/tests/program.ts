// Runs the real program: simulated data, a fitted model, and what the explorer is handed of both.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parsePayload } from '../src/core/decode';
import type { Payload } from '../src/core/payload';

const studies = fileURLToPath(new URL('../../studies/', import.meta.url));

export interface Setting {
  name: string;
  environment: 'bias' | 'adni' | 'tree' | 'ward' | 'vitals' | 'clinic';
  study: string; // below studies/
  patients: number;
  seed: number;
  dynamics: 'shared' | 'coupled' | 'subjective';
  gaps?: boolean; // some outcomes are not recorded
  draws?: boolean; // sample the posterior too
  terms?: boolean; // decisions follow more than beliefs
  times?: boolean; // visits are given times
  record?: string; // stands in the study's [record]
}

export class Prepared {
  private constructor(
    readonly setting: Setting,
    readonly folder: string,
    readonly payload: Payload,
  ) {}

  static make(setting: Setting): Prepared {
    const folder = mkdtempSync(join(tmpdir(), 'interpole-agreement-'));
    try {
      return new Prepared(setting, folder, prepare(setting, (name) => join(folder, name)));
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  // What a verb prints about this model and these data.
  ask(verb: string, ...more: string[]): string {
    const given = ['--model', this.file('model.json'), '--study', this.file('study.toml')];
    return run([verb, ...given, '--data', this.file('data.csv'), ...more, '--quiet']);
  }

  file(name: string): string {
    return join(this.folder, name);
  }

  text(name: string): string {
    return readFileSync(this.file(name), 'utf8');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function prepare(setting: Setting, file: (name: string) => string): Payload {
  const seed = ['--seed', String(setting.seed), '--quiet'];
  run(['simulate', setting.environment, '--patients', String(setting.patients), '--output', file('data.csv'), ...seed]);
  if (setting.gaps) forgetOutcomes(file('data.csv'));
  if (setting.times) spreadInTime(file('data.csv'));
  const study = ofOneKind(readFileSync(join(studies, setting.study), 'utf8'));
  writeFileSync(file('study.toml'), setting.record === undefined ? study : withRecord(study, setting.record));
  const data = ['--study', file('study.toml'), '--data', file('data.csv')];
  const learn = [...data, '--dynamics', setting.dynamics, '--policy', setting.terms ? 'auto' : 'belief', ...seed];
  run(['fit', ...learn, '--output', file('model.json'), '--restarts', '2']);
  if (setting.draws) {
    const few = ['--draws', '20', '--warm-up', '60', '--chains', '1', '--restarts', '1'];
    run(['sample', ...learn, '--output', file('draws.csv'), ...few]);
  }
  const given = ['--model', file('model.json'), ...data];
  run(['report', ...given, '--payload', file('payload.json'), '--allow-individual', '--without-groups', '--quiet']);
  return parsePayload(readFileSync(file('payload.json'), 'utf8'));
}

// The page is not handed the covariates of patients, and draws the commonest kind of decision-makers: what it computes is compared
// where there are neither.
function ofOneKind(study: string): string {
  const without = study.replace(/^(context|group) = .*\n/gm, '');
  return without.includes('[policy]') ? without.replace('[policy]', '[policy]\nkinds = 1') : without;
}

export function run(words: string[]): string {
  const program = process.env.INTERPOLE_PROGRAM;
  if (!program) {
    throw new Error('INTERPOLE_PROGRAM is not set. Set it to the path of the interpole program to compare with.');
  }
  try {
    return execFileSync(program, words, { encoding: 'utf8', maxBuffer: 256 << 20, stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
    throw new Error(`interpole ${words.join(' ')} failed: ${said.trim() || String(error)}`);
  }
}

// Empties the outcome of every thirteenth visit of a visits table that has one.
function forgetOutcomes(path: string): void {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const changed = lines.map((line, i) => (i > 0 && i % 13 === 0 ? line.replace(/,[^,]*$/, ',') : line));
  writeFileSync(path, changed.join('\n') + '\n');
}

// Visits after one day or several, and every third half a day later.
function spreadInTime(path: string): void {
  const [header, ...rows] = readFileSync(path, 'utf8').trimEnd().split('\n');
  let time = 0;
  const timed = rows.map((row, i) => {
    const cells = row.split(',');
    time = cells[0] === rows[i - 1]?.split(',')[0] ? time + 1 + ((7 * i) % 5) + (i % 3 === 0 ? 0.5 : 0) : 0;
    return [...cells.slice(0, 2), time, ...cells.slice(2)].join(',');
  });
  writeFileSync(path, [header.replace('patient,step,', 'patient,step,time,'), ...timed].join('\n') + '\n');
}

function withRecord(study: string, record: string): string {
  const lines = `[record]\n${record}\n`;
  return study.includes('[record]') ? study.replace(/\[record\]\n(\w+ = .*\n)+/, lines) : `${study}\n${lines}`;
}

// RFC 4180; the first row names the cells of the others.
export function table(text: string): Record<string, string>[] {
  const rows: string[][] = [[]];
  const cells = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/gy;
  for (let match = cells.exec(text); match && match.index < text.length; match = cells.exec(text)) {
    const cell = match[1].startsWith('"') ? match[1].slice(1, -1).replaceAll('""', '"') : match[1];
    rows[rows.length - 1].push(cell);
    if (match[2] !== ',') rows.push([]);
  }
  const [header, ...body] = rows.filter((row) => row.length > 0);
  return body.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i]])));
}
