// How quick the explorer is with a registry in it: run by scripts/bench-explorer.
import { statSync } from 'node:fs';
import { bigReport, measure, unlikeReport } from './big_report.ts';
import type { Measured } from './big_report.ts';
import { closeBrowser, fileAddress, makeCase } from './harness.ts';

const times = Number(process.argv[2] ?? 5);
const kilobytes = (path: string) => `${Math.round(statSync(path).size / 1000).toLocaleString('en')} kB`;
const line = (what: string, found: string, target = '') => console.log(`${what.padEnd(44)}${found.padStart(12)}   ${target}`);

const model = makeCase('adni', 300);

async function bench(name: string, report: string): Promise<void> {
  const runs: Measured[] = [];
  for (let run = 0; run < times; ++run) runs.push(await measure(fileAddress(report)));
  // The middle one: a busy moment of the machine does not count, nor does a lucky one.
  const middle = (of: (run: Measured) => number) => runs.map(of).sort((a, b) => a - b)[Math.floor(times / 2)];
  console.log(`${name}: ${runs[0].visits.toLocaleString('en')} visits, middle of ${times} runs`);
  line('file', kilobytes(report), '(at most 5,000 kB)');
  line('first contentful paint', `${Math.round(middle((run) => run.firstPaint))} ms`, '(at most 2,000 ms)');
  line('first view with data', `${Math.round(middle((run) => run.firstView))} ms`, '(at most 2,000 ms)');
  line('policy map, after a click', `${Math.round(middle((run) => run.map))} ms`);
  line('panning the map', `${middle((run) => run.framesPerSecond)} /s`, '(at least 30 frames a second)');
  line('longest frame while panning', `${middle((run) => run.longestFrame)} ms`);
}

await bench('ADNI-like registry', bigReport(model, 62_000));
await bench('hardly two records alike', unlikeReport(20_000, 10));
await closeBrowser();
line('1.6k patients, sites compared: file', kilobytes(bigReport(model, 1_737, '--min-cell', '11')), '(at most 600 kB)');
