// A view and its parameters as text: `#/patient?record=3&visit=2`.
// `study` is the study builder, in a live session that has one; `beside` is there where a second model is.
export const viewNames = ['start', 'map', 'patient', 'why', 'flags', 'cohorts', 'world', 'check', 'beside', 'study'] as const;
export type ViewName = (typeof viewNames)[number];
export type Parameters = Record<string, string | number | null | undefined>;

export interface Place {
  view: ViewName;
  parameters: Record<string, string>;
}

export function parseHash(hash: string): Place {
  const [path, query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const view = viewNames.find((name) => name === path) ?? 'start';
  return { view, parameters: Object.fromEntries(new URLSearchParams(query)) };
}

export function formatHash(view: ViewName, parameters: Parameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined && value !== '') query.set(name, String(value));
  }
  // Commas and colons are legal here and far easier to read than their escapes.
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  return `#/${view}${text ? `?${text}` : ''}`;
}
