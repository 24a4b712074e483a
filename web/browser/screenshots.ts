// Pictures of every view for the documentation, in both themes: run by scripts/docs-images.
// Usage: node screenshots.ts REPORT.html FOLDER
import { writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { assertQuiet, closeBrowser, fileAddress, settled, viewNames, visit } from './harness.ts';
import { smallPng } from './png_palette.ts';

const [report, folder] = process.argv.slice(2).map((path) => resolve(path));

const viewport = { width: 1280, height: 1240 };

// What each view shows at its best, where that is not what it begins with.
const places: Partial<Record<(typeof viewNames)[number], string>> = {
  patient: 'patient?visit=1',
  why: 'why?visit=1&changes=1:u',
};

for (const theme of ['light', 'dark'] as const) {
  for (const view of viewNames) {
    const seen = await visit(fileAddress(report, `#/${places[view] ?? view}`), { colorScheme: theme, viewport });
    await settled(seen.page);
    await seen.page.getByRole('progressbar').first().waitFor({ state: 'detached', timeout: 60_000 });
    const picture = smallPng(await seen.page.screenshot({ animations: 'disabled' }));
    const name = join(folder, `explorer-${view}-${theme}.png`);
    writeFileSync(name, picture);
    if (view === 'patient' && theme === 'light') writeFileSync(join(folder, 'report.png'), picture);
    console.log(`${basename(name)} ${Math.round(picture.length / 1000)} kB`);
    assertQuiet(seen);
    await seen.close();
  }
}
await closeBrowser();
