// A real Chromium before a real report, made by the real program. Everything a page says on its console, and every
// request it makes, is kept: tests demand that there is none.
import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const program = process.env.INTERPOLE_PROGRAM ?? '';
const root = process.env.INTERPOLE_SOURCE ?? '';
if (!existsSync(program) || !existsSync(root)) {
  throw new Error('set INTERPOLE_PROGRAM to the built program and INTERPOLE_SOURCE to the project: `make test` does');
}
export const folder = mkdtempSync(join(tmpdir(), 'interpole-browser-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

export const study = (name: string) => join(root, 'studies', name);
export const file = (name: string) => join(folder, name);

export function interpole(...words: string[]): string {
  return execFileSync(program, [...words, '--quiet'], { encoding: 'utf8', maxBuffer: 1 << 28 });
}

export interface Case {
  name: string;
  study: string; // file; empty: none
  data: string[]; // FILE, or name=FILE
  model: string; // file
}

const studies = { bias: 'bias.toml', tree: 'tree.toml', adni: 'adni/adnimerge.toml', ward: 'ward.toml', vitals: 'vitals.toml', clinic: 'clinic.toml' };

const given = (made: Case) => [...(made.study ? ['--study', made.study] : []), ...made.data.flatMap((table) => ['--data', table])];

// Simulated records and a model fitted to them. Seed 1 everywhere: what the tests look for is in these data.
export function makeCase(environment: keyof typeof studies, patients: number): Case {
  const name = `${environment}-${patients}`;
  const data = file(`${name}.csv`);
  interpole('simulate', environment, '--patients', String(patients), '--seed', '1', '--output', data);
  const made = { name, study: study(studies[environment]), data: [data], model: file(`${name}.json`) };
  return environment === 'ward' ? fittedTo(made, 'auto') : fitted(made);
}

// Two groups that decide differently.
export function makeTwoSites(patients: number): Case {
  const data = [['north', '0.7'], ['south', '0.9']].map(([site, boundary], index) => {
    const table = file(`${site}.csv`);
    interpole('simulate', 'diag', '--patients', String(patients), '--seed', String(index + 1), '--boundary', boundary,
              '--output', table);
    return `${site}=${table}`;
  });
  return fitted({ name: 'two-sites', study: study('two-sites.toml'), data, model: file('two-sites.json') });
}

export function fitted(made: Case, ...flags: string[]): Case {
  return fittedTo(made, 'belief', ...flags);
}

function fittedTo(made: Case, policy: 'belief' | 'auto', ...flags: string[]): Case {
  interpole('fit', ...given(made), '--output', made.model, '--restarts', '2', '--policy', policy, ...flags);
  return made;
}

export function makeReport(made: Case, ...flags: string[]): string {
  const output = file(`${made.name}.html`);
  interpole('report', '--model', made.model, ...given(made), '--output', output, ...flags);
  return output;
}

let running: Promise<Browser> | undefined;

export function browser(): Promise<Browser> {
  running ??= chromium.launch({
    executablePath: process.env.INTERPOLE_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
           '--disable-component-update', '--disable-sync'],
  });
  return running;
}

export async function closeBrowser(): Promise<void> {
  await (await running)?.close();
}

export interface Visit {
  page: Page;
  complaints: string[]; // console errors and warnings, uncaught exceptions, dialogs
  requests: string[]; // but for the page itself
  close(): Promise<void>;
}

export async function visit(address: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const seen = await blankPage(options);
  await seen.page.goto(address);
  await seen.page.getByRole('heading', { level: 2 }).first().waitFor();
  return seen;
}

// A page that has gone nowhere yet.
export async function blankPage(options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await (await browser()).newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.isNavigationRequest()) requests.push(request.url());
  });
  return { page, complaints, requests, close: () => context.close() };
}

export function assertQuiet(seen: Visit): void {
  assert.deepEqual(seen.complaints, [], 'the page complained');
  assert.deepEqual(seen.requests, [], 'the page asked for something');
}

// Every view, and the heading it begins with.
export const views = {
  start: 'What the records say about how decisions are made',
  map: 'Policy map',
  patient: 'Patient',
  why: 'Why did it move?',
  flags: 'Flags',
  cohorts: 'Cohorts and groups',
  world: 'Agent vs world',
  check: 'Model check',
};
export const viewNames = Object.keys(views) as (keyof typeof views)[];

export const fileAddress = (path: string, hash = '') => pathToFileURL(path).href + hash;

// Another view of an open page: only the fragment changes, as when a link is followed.
export async function show(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => (location.hash = to), hash);
  await settled(page);
}

// Two frames later: whatever was asked for has been drawn.
export async function settled(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

// The address follows sliders and keys held down with a little delay.
export async function addressHas(page: Page, pattern: RegExp): Promise<void> {
  await page.waitForURL(pattern, { timeout: 5000 });
}

// … and what is being dragged writes it several times on the way: until the last.
export async function addressRests(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const pause = () => new Promise((done) => setTimeout(done, 400));
    for (let before = ''; before !== location.hash; await pause()) before = location.hash;
  });
}

// One of several, as a reader does it: the buttons themselves lie hidden under their labels.
export async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('radio', { name, exact: true }).locator('xpath=ancestor::label[1]').click();
  await settled(page);
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeRun {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
}

// What axe-core finds wrong, as lines a person can act upon. (The page's policy forbids it to load scripts: axe comes in
// through the debugger.)
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const run = await page.evaluate(() => (window as unknown as { axe: { run(): Promise<AxeRun> } }).axe.run());
  return run.violations.flatMap((fault) =>
    fault.nodes.map((node) => `${fault.id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`));
}

export interface Server {
  address: string; // with the token
  stop(): Promise<void>;
}

export function serve(made: Case, ...flags: string[]): Promise<Server> {
  return serveWith('--model', made.model, ...given(made), ...flags);
}

export function serveWith(...flags: string[]): Promise<Server> {
  const child: ChildProcess = spawn(program, ['serve', '--no-browser', ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = () => new Promise<void>((done) => {
    child.once('exit', () => done());
    child.kill('SIGINT');
  });
  return new Promise((resolve, reject) => {
    let said = '';
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}`)));
    child.stdout?.on('data', (text) => {
      said += String(text);
      const address = /http:\/\/\S+/.exec(said)?.[0];
      if (address) resolve({ address, stop });
    });
  });
}

