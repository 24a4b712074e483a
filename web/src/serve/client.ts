// The page as `interpole serve` hands it out: it asks its own machine for the data. Opened from a file, none of this
// runs and the page's policy forbids every request.
import { parsePayload } from '../core/decode';
import type { Payload } from '../core/payload';
import type { BuilderState, BuiltStudy } from './builder/builder.svelte';
import type { StudyChoice } from './builder/study_choice';

export interface FitRequest {
  dynamics: 'shared' | 'coupled' | 'subjective';
  restarts?: number;
  seed?: number;
}

export interface FitProgress {
  state: 'idle' | 'running' | 'done' | 'failed' | 'stopped';
  progress: number; // 0 … 1
  message: string;
  seconds: number;
  warnings?: string[];
  command?: string; // the same fit from a shell
  shown?: boolean; // the data are already its own, though it goes on: groups are being compared
}

const storageKey = 'interpole-token';

export const isServed = (): boolean => location.protocol === 'http:';

// The token arrives in the fragment, which browsers never send; it is taken out of the address so that a copied link or
// a screenshot does not carry it.
export function takeToken(): void {
  const token = /^#token=([\w-]+)/.exec(location.hash)?.[1];
  if (!token) return;
  sessionStorage.setItem(storageKey, token);
  const rest = location.hash.replace(/^#token=[\w-]+&?/, '');
  history.replaceState(null, '', `${location.pathname}${rest ? `#${rest}` : '#/start'}`);
}

// Whether a study can be built in this session.
export async function fetchSession(): Promise<{ builder: boolean }> {
  return (await (await request('GET', '/api/session')).json()) as { builder: boolean };
}

// Nothing, while no model has been fitted.
export async function fetchPayload(): Promise<Payload | null> {
  const answer = await request('GET', '/api/data');
  return answer.status === 204 ? null : parsePayload(await answer.text());
}

export async function fetchBuilder(): Promise<BuilderState> {
  return (await (await request('GET', '/api/builder')).json()) as BuilderState;
}

export async function postChoice(choice: StudyChoice | null): Promise<BuiltStudy> {
  return (await (await request('POST', '/api/builder', JSON.stringify(choice))).json()) as BuiltStudy;
}

const mostTableBytes = 64 << 20; // as the program takes them

export async function sendTable(file: File): Promise<BuilderState> {
  if (file.size > mostTableBytes) {
    throw new Error(`${file.name} has more than 64 MB: start interpole serve --table with its name, and it is read where it lies.`);
  }
  return (await (await request('POST', `/api/table?name=${encodeURIComponent(file.name)}`, file)).json()) as BuilderState;
}

export async function startFit(options: FitRequest): Promise<void> {
  await request('POST', '/api/fit', JSON.stringify(options));
}

export async function fitProgress(): Promise<FitProgress> {
  return (await (await request('GET', '/api/fit')).json()) as FitProgress;
}

// Stops a fit; when none runs, forgets the last one, and the data are those of the model file again.
export async function stopFit(): Promise<void> {
  await request('DELETE', '/api/fit');
}

async function request(method: string, path: string, body?: string | Blob): Promise<Response> {
  const headers: Record<string, string> = { 'X-Interpole-Token': sessionStorage.getItem(storageKey) ?? '' };
  if (body !== undefined) headers['Content-Type'] = typeof body === 'string' ? 'application/json' : 'application/octet-stream';
  const answer = await fetch(path, { method, headers, body, cache: 'no-store' });
  if (!answer.ok) throw new Error(await refusal(answer));
  return answer;
}

async function refusal(answer: Response): Promise<string> {
  if (answer.status === 401 || answer.status === 403) {
    return 'This page was not opened with the address that interpole printed. Copy that address, with all that follows “#”, and open it again.';
  }
  const text = (await answer.text()).trim();
  return text ? text.slice(0, 500) : `interpole answered with status ${answer.status}.`;
}
