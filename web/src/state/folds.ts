// What the reader opened and closed, as the address has it: "search,-who" is one open, the other closed.

const names = (text: string | null) => (text ?? '').split(',').filter((name) => name !== '');

// Null: the reader did not say.
export function foldOf(text: string | null, name: string): boolean | null {
  const all = names(text);
  if (all.includes(name)) return true;
  return all.includes(`-${name}`) ? false : null;
}

// With one of them open, closed, or as usual (null). Null: all are as usual.
export function foldsText(text: string | null, name: string, open: boolean | null): string | null {
  const others = names(text).filter((one) => one !== name && one !== `-${name}`);
  const all = open === null ? others : [...others, open ? name : `-${name}`];
  return all.length > 0 ? all.join(',') : null;
}
