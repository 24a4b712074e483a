// Where a model came from, as lines of a table: whatever the model file says, the known parts first and in words.

export interface ProvenanceLine {
  part: string;
  name: string;
  value: string;
  code: boolean; // digests and the like
}

const parts: Record<string, string> = { study: 'Study', data: 'Data', options: 'Options', world: 'World' };
const names: Record<string, string> = {
  program: 'program', version: 'version', file: 'file', sha256: 'SHA-256', seed: 'seed', dynamics: 'dynamics', optimizer: 'search',
  restarts: 'restarts', patients: 'patients', decisions: 'decisions', histories: 'distinct histories', algorithm: 'learner',
};

const inWords = (key: string) => names[key] ?? key.replaceAll('_', ' ');

function text(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function lines(part: string, path: string[], value: unknown): ProvenanceLine[] {
  if (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null)) {
    return value.flatMap((item, i) => lines(part, [...path, String(i + 1)], item));
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([key, item]) => lines(part, [...path, inWords(key)], item));
  }
  const shown = Array.isArray(value) ? value.map(text).join(', ') : text(value);
  return [{ part, name: path.join(' · '), value: shown, code: /^[0-9a-f]{32,}$/.test(shown) }];
}

export function provenanceLines(provenance: Record<string, unknown>): ProvenanceLine[] {
  const known = ['program', 'version', ...Object.keys(parts)];
  const keys = Object.keys(provenance).sort((a, b) => {
    const place = (key: string) => (known.includes(key) ? known.indexOf(key) : known.length);
    return place(a) - place(b);
  });
  return keys.flatMap((key) => {
    const value = provenance[key];
    const nested = typeof value === 'object' && value !== null;
    return lines(nested ? (parts[key] ?? inWords(key)) : 'Program', nested ? [] : [inWords(key)], value);
  });
}
