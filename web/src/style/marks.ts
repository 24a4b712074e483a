// How an action looks everywhere: a colour, a pattern (so that greyscale and colour-blind readers can tell it) and its
// name beside it. Colours come from tokens.css, patterns from parts/Patterns.svelte.
export const markCount = 8;

export const actionColour = (action: number): string => `var(--action-${action % markCount})`;
export const actionInk = (action: number): string => `var(--action-ink-${action % markCount})`;
export const patternId = (action: number): string => `pattern-${action % markCount}`;
export const patternFill = (action: number): string => `url(#${patternId(action)})`;
export const stateColour = (state: number): string => `var(--state-${state % markCount})`;
