// What is said of agent and world as a whole. Where the model is not one to believe, that, and nothing else.
import type { BiasJson } from '../../core/payload';

export interface BiasWords {
  verdict: string;
  sentences: string[]; // what follows from it, or why there is none
  withheld: boolean;
}

// The words are the program's own.
export function biasWords(bias: BiasJson): BiasWords {
  const [verdict = 'Whether agent and world differ at all was not tested.', ...sentences] = bias.sentences;
  return { verdict, sentences, withheld: bias.verdict === 'withheld' };
}
