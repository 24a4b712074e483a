import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';
import { contentSecurityPolicy } from './build/content_security_policy';

export default defineConfig({
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
