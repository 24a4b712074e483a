// Locks the finished page: after everything has been put into one file, the policy names each inline script and style
// by its hash and forbids all else. The data block is no script and needs no hash.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'vite';

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;

function hashes(html: string, element: RegExp): string {
  return [...html.matchAll(element)].map((match) => hashOf(match[1])).join(' ');
}

export function policyOf(html: string): string {
  const scripts = hashes(html, /<script type="module"[^>]*>([\s\S]*?)<\/script>/g);
  const styles = hashes(html, /<style[^>]*>([\s\S]*?)<\/style>/g);
  return [
    "default-src 'none'",
    `script-src ${scripts}`,
    `style-src ${styles}`,
    'img-src data: blob:',
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

// Works on the written file: only then are scripts and styles inline, byte for byte as a browser hashes them.
export function contentSecurityPolicy(): Plugin {
  let page = '';
  return {
    name: 'interpole-content-security-policy',
    apply: 'build',
    configResolved(config) {
      page = resolve(config.root, config.build.outDir, 'index.html');
    },
    closeBundle() {
      if (!existsSync(page)) return; // the build failed, and says why itself
      const html = readFileSync(page, 'utf8');
      const policy = `<meta http-equiv="Content-Security-Policy" content="${policyOf(html)}" />`;
      writeFileSync(page, html.replace('<meta charset="utf-8" />', `<meta charset="utf-8" />\n    ${policy}`));
    },
  };
}
