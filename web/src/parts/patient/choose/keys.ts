// ← → step through visits, ↑ ↓ through patients, Home and End go to the first and last visit.
import type { ChosenRecord } from './chosen_record.svelte';

// Where arrow keys have a meaning of their own.
// (A list box keeps what it uses itself, up and down.)
const ownKeys = 'input:not([type="checkbox"]), select, textarea, [contenteditable], [data-own-keys], [role="slider"]';

// `everywhere`: the focus is not inside the pictures and tables of the patient. Then keys that scroll the page do so.
export function stepByKey(event: KeyboardEvent, chosen: ChosenRecord, everywhere: boolean): void {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target instanceof Element && event.target.closest(ownKeys)) return;
  const action = actionOf(event.key, chosen, everywhere);
  if (!action) return;
  event.preventDefault();
  action();
}

function actionOf(key: string, chosen: ChosenRecord, everywhere: boolean): (() => void) | null {
  if (key === 'ArrowLeft') return () => chosen.passTo(chosen.visit - 1);
  if (key === 'ArrowRight') return () => chosen.passTo(chosen.visit + 1);
  if (everywhere) return null;
  if (key === 'ArrowUp') return () => chosen.passToRecord(-1);
  if (key === 'ArrowDown') return () => chosen.passToRecord(1);
  if (key === 'Home') return () => chosen.passTo(0);
  if (key === 'End') return () => chosen.passTo(chosen.visits.length - 1);
  return null;
}
