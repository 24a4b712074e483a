// Gets the data out of the page: an element with the base64 text of gzipped JSON.
import { measuredOf } from './measured/outcomes';
import type { DrawsJson, MeasuredJson, PackedDrawsJson, Payload } from './payload';

const ELEMENT = 'interpole-data';
const NEWEST = 1;

export async function payloadFromPage(page: Document = document): Promise<Payload> {
  const element = page.getElementById(ELEMENT);
  const text = element?.textContent?.trim() ?? '';
  if (text === '') throw new Error('This page holds no data. Make one with: interpole report');
  return parsePayload(await unpacked(text));
}

// The text behind base64 of gzip.
export async function unpacked(base64: string): Promise<string> {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    const binary = atob(base64);
    bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  } catch {
    throw new Error('The data in this page are damaged: they are not base64. Make the report again.');
  }
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return await new Response(stream).text();
  } catch {
    throw new Error('The data in this page are damaged: they cannot be unpacked. Make the report again.');
  }
}

export function parsePayload(text: string): Payload {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error('The data in this page are damaged: they are not JSON. Make the report again.');
  }
  if (!isObject(json) || json.format !== 'interpole-explorer') {
    throw new Error('The data in this page are not those of an explorer (format: "interpole-explorer").');
  }
  if (json.version !== NEWEST) {
    throw new Error(
      `The data in this page have version ${String(json.version)}; this explorer reads version ${NEWEST}. ` +
        'Make the report again with the program this page came from.',
    );
  }
  for (const key of ['model', 'factors', 'records', 'audit', 'check'] as const) {
    if (!isObject(json[key])) throw new Error(`The data in this page lack "${key}". Make the report again.`);
  }
  const payload = json as unknown as Payload;
  for (const of of [payload, payload.beside]) {
    if (of?.draws) of.draws = drawByDraw(of.draws as unknown as PackedDrawsJson);
  }
  if (payload.model.measured) {
    payload.factors.outcomes = payload.model.measured;
    payload.records.steps = stepsOfMeasured(payload.model.measured, payload.records.steps);
    // A second model has the same factors, and of the same visits: one table of what was measured for both.
    if (payload.beside) payload.beside.model.measured = payload.model.measured;
  }
  return payload;
}

function drawByDraw({ source, numbers }: PackedDrawsJson): DrawsJson {
  return { source, agent: (numbers[0] ?? []).map((_, draw) => numbers.map((ofDraws) => ofDraws[draw])) };
}

// Steps with the places of their outcomes.
function stepsOfMeasured(json: MeasuredJson, steps: number[][]): number[][] {
  const { recorded, placesOfVisits } = measuredOf(json);
  let visit = 0;
  return steps.map((codes) =>
    codes.map((code) => {
      const action = code >> 1;
      return action * (recorded + 1) + (code % 2 === 1 ? placesOfVisits[visit++] + 1 : 0);
    }),
  );
}

function isObject(x: unknown): x is Record<string, unknown> {
  return typeof x === 'object' && x !== null && !Array.isArray(x);
}
