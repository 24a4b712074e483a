import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';
import { fileURLToPath } from 'node:url';
import { contentSecurityPolicy } from './build/content_security_policy';

// Two pages: the served one, and that of a report, which has nothing of what only a served page can do.
const live = process.env.INTERPOLE_WEB_PAGE === 'report' ? 'absent' : 'live';

export default defineConfig({
  resolve: { alias: { '#live': fileURLToPath(new URL(`./src/serve/${live}.ts`, import.meta.url)) } },
  // Short names of scopes: every report carries the page.
  plugins: [svelte({ compilerOptions: { cssHash: ({ hash, css }) => `s${hash(css).slice(0, 5)}` } }), viteSingleFile({ removeViteModuleLoader: true }), contentSecurityPolicy()],
  build: {
    target: 'es2022',
    outDir: process.env.INTERPOLE_WEB_OUT ?? 'dist',
    emptyOutDir: true,
    modulePreload: false,
    reportCompressedSize: false,
  },
});
