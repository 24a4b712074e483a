// What those who read the page call a patient, a visit, a test, and what comes late: the study's words in place of the page's.
import type { CheckJson, Payload, WordsJson } from '../core/payload';

type Usual = keyof WordsJson;

const pattern = /\b(?:(an?) )?(patients?|visits?|tests?|belated)\b/gi;
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const isCapital = (word: string) => word.charAt(0) !== word.charAt(0).toLowerCase();

// "an hour", "a unit": by sound, as far as spelling tells it.
const vowel = (word: string) =>
  /^[AEFHILMNORSX](?=[A-Z-])/.test(word) || (/^(hour|honest|heir|[aeio]|u(?!ni|se|su|ti|r[aio]))/i.test(word) && !/^(eu|one\b|once)/i.test(word));
const article = (word: string) => (vowel(word) ? 'an' : 'a');

// Text that the page itself is made of. Articles and capitals are kept.
export function inWords(text: string, words: WordsJson | undefined): string {
  if (!words) return text;
  return text.replace(pattern, (all, before: string | undefined, found: string) => {
    const usual = found.toLowerCase();
    const many = usual !== 'belated' && usual.endsWith('s');
    const forms = words[(many ? usual.slice(0, -1) : usual) as Usual];
    if (!forms) return all;
    const word = many ? (forms[1] ?? forms[0]) : forms[0];
    const shown = isCapital(found) ? capital(word) : word;
    if (!before) return shown;
    return `${isCapital(before) ? capital(article(word)) : article(word)} ${shown}`;
  });
}

// A sentence of the program, in which names of the data may stand: they are left as they are, and so is what is quoted.
export function inWordsAround(text: string, words: WordsJson | undefined, names: string[]): string {
  if (!words) return text;
  const kept = [...names].filter((name) => name.search(pattern) >= 0).sort((a, b) => b.length - a.length);
  const escaped = kept.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const whole = new RegExp(`("[^"]*"|“[^”]*”${escaped.map((name) => `|${name}`).join('')})`, 'g');
  // Odd parts are what stood between the brackets of the pattern.
  return text.split(whole).map((part, i) => (i % 2 === 1 ? part : inWords(part, words))).join('');
}

// The document with the study's words in all sentences that the program wrote; names of its data stay as they are.
export function payloadInWords(payload: Payload): Payload {
  const { words } = payload;
  if (!words) return payload;
  const tell = (text: string) => inWordsAround(text, words, namesIn(payload));
  const checked = (check: CheckJson): CheckJson => ({
    ...check,
    checks: check.checks.map((one) => ({ ...one, question: tell(one.question), what: tell(one.what), sentence: tell(one.sentence) })),
    not_checked: check.not_checked.map(tell),
    weak: check.weak.map(tell),
  });
  const { audit, bias, shares, cohorts, groups, beside, terms } = payload;
  const termsTold = (of: typeof terms) => of && { sentences: of.sentences.map(tell), ...(of.starts ? { starts: tell(of.starts) } : {}) };
  return {
    ...payload,
    facts: payload.facts.map(tell),
    warnings: payload.warnings.map(tell),
    findings: payload.findings.map(tell),
    audit: {
      ...audit, no_belated: tell(audit.no_belated), no_uninformative: tell(audit.no_uninformative), no_unlikely: tell(audit.no_unlikely ?? ''),
    },
    bias: bias && {
      ...bias, sentences: bias.sentences.map(tell), reasons: bias.reasons?.map(tell),
      findings: bias.findings.map((finding) => ({ ...finding, name: tell(finding.name), sentence: tell(finding.sentence) })),
    },
    shares: shares && {
      ...shares, sentences: shares.sentences.map(tell), parts: shares.parts.map((part) => ({ ...part, words: tell(part.words) })),
    },
    // The first row is the program's own, the others have names of the data.
    cohorts: cohorts && { ...cohorts, rows: cohorts.rows.map((row, i) => (i === 0 ? { ...row, name: inWords(row.name, words) } : row)) },
    groups: groups && { ...groups, sentences: groups.sentences.map(tell), notes: groups.notes.map(tell) },
    check: checked(payload.check),
    ...(terms ? { terms: termsTold(terms) } : {}),
    ...(beside
      ? {
          beside: {
            ...beside, facts: beside.facts.map(tell), warnings: beside.warnings.map(tell), check: checked(beside.check),
            ...(beside.terms ? { terms: termsTold(beside.terms) } : {}),
          },
        }
      : {}),
  };
}

function namesIn({ model, factors, cohorts, groups }: Payload): string[] {
  return [
    ...model.states, ...model.actions, ...model.observations, ...factors.names, ...factors.levels.flat(),
    ...(cohorts?.rows.slice(1).map(({ name }) => name) ?? []), ...(groups?.groups.map(({ group }) => group) ?? []),
  ];
}
