// The study's own words for patient, visit, test and belated, wherever the page says them.
import { inWords } from './study_words';
import { app } from './app.svelte';

// Of text that the page is made of; sentences of the program have them already (payloadInWords).
export function say(text: string): string {
  return app.loaded ? inWords(text, app.payload.words) : text;
}
