import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parsePayload, payloadFromPage, unpacked } from './decode';

const good = { format: 'interpole-explorer', version: 1, model: {}, factors: {}, records: {}, audit: {}, check: {}, title: 'Ä <b>' };

function pageWith(text: string | null): Document {
  return { getElementById: (id: string) => (id === 'interpole-data' && text !== null ? { textContent: text } : null) } as unknown as Document;
}

function packed(value: unknown): string {
  return gzipSync(Buffer.from(JSON.stringify(value))).toString('base64');
}

describe('the data in the page', () => {
  it('read back as they were packed', async () => {
    expect(await payloadFromPage(pageWith(`\n ${packed(good)}\n`))).toEqual(good);
  });

  it('have the numbers of a draw together', () => {
    const draws = { source: 'a few', numbers: [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]] };
    const payload = parsePayload(JSON.stringify({ ...good, draws, beside: { model: {}, draws } }));
    const agent = [[0.1, 0.3, 0.5], [0.2, 0.4, 0.6]];
    expect(payload.draws).toEqual({ source: 'a few', agent });
    expect(payload.beside?.draws).toEqual({ source: 'a few', agent });
    expect(parsePayload(JSON.stringify({ ...good, draws: null })).draws).toBeNull();
  });

  it('are missed in plain words', async () => {
    await expect(payloadFromPage(pageWith(null))).rejects.toThrow('holds no data');
    await expect(payloadFromPage(pageWith('   '))).rejects.toThrow('holds no data');
    await expect(unpacked('***')).rejects.toThrow('not base64');
    await expect(unpacked(Buffer.from('plain').toString('base64'))).rejects.toThrow('cannot be unpacked');
    await expect(unpacked(packed(good).slice(0, 40))).rejects.toThrow('cannot be unpacked');
  });

  it('are refused if they are of another kind or version', () => {
    expect(() => parsePayload('{')).toThrow('not JSON');
    for (const other of [[], 'x', null, { ...good, format: 'interpole-model' }]) {
      expect(() => parsePayload(JSON.stringify(other))).toThrow('not those of an explorer');
    }
    expect(() => parsePayload(JSON.stringify({ ...good, version: 2 }))).toThrow('version 2');
    expect(() => parsePayload(JSON.stringify({ ...good, audit: null }))).toThrow('lack "audit"');
  });
});
