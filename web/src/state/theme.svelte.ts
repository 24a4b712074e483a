// Light or dark: as the system has it, unless the reader chose. The choice travels in the address, so that nothing is
// stored on the reader's machine.
import { route } from './route.svelte';

export type Theme = 'light' | 'dark';

class ThemeChoice {
  #system = $state<Theme>('light');

  readonly shown: Theme = $derived.by(() => {
    const name = route.get('theme');
    return name === 'light' || name === 'dark' ? name : this.#system;
  });

  follow(): void {
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    const read = () => (this.#system = dark.matches ? 'dark' : 'light');
    dark.addEventListener('change', read);
    read();
  }

  toggle(): void {
    route.set({ theme: this.shown === 'dark' ? 'light' : 'dark' });
  }
}

export const theme = new ThemeChoice();
