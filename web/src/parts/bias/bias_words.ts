// What is said of agent and world as a whole. Where the model is not one to believe, that, and nothing else.
import type { BiasJson } from '../../core/payload';

export interface BiasWords {
  verdict: string;
  sentences: string[]; // what follows from it, or why there is none
  withheld: boolean;
}

export function biasWords(bias: BiasJson): BiasWords {
  if (bias.verdict === 'withheld') {
    const verdict = 'Whether agent and world differ cannot be said.';
    return { verdict, sentences: (bias.reasons ?? []).map(asSentence), withheld: true };
  }
  const [verdict = 'Whether agent and world differ was not tested.', ...sentences] = bias.sentences;
  return { verdict, sentences, withheld: false };
}

function asSentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
