// The page as `interpole serve` hands it out: it asks its own machine for the data. Opened from a file, none of this
// runs and the page's policy forbids every request.
import { parsePayload } from '../core/decode';
import type { Payload } from '../core/payload';

export interface FitRequest {
  dynamics: 'shared' | 'coupled' | 'subjective';
  restarts: number;
  seed: number;
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

export async function fetchPayload(): Promise<Payload> {
  return parsePayload(await (await request('GET', '/api/data')).text());
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

async function request(method: string, path: string, body?: string): Promise<Response> {
  const headers: Record<string, string> = { 'X-Interpole-Token': sessionStorage.getItem(storageKey) ?? '' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
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
