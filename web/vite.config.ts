/** Builds the web page into `web/built`, which the service serves and the package ships. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const SERVICE = process.env['STYLEDNA_SERVICE'] ?? 'http://127.0.0.1:8080';
const COMPRESSED = /\.(?:js|css|svg)$/;

// Vite takes the default export of this file.
// biome-ignore lint/style/noDefaultExport: see above
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Addresses are relative to the document's base, which the service sets.
  base: './',
  plugins: [react(), precompressed()],
  build: {
    outDir: 'built',
    emptyOutDir: true,
    // Small pictures as data: URIs would be larger, and the policy of the page allows files of its own anyway.
    assetsInlineLimit: 0,
    target: 'es2023',
    modulePreload: { polyfill: false },
    // A busy machine is no fault of whoever installs.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  // A module, as the policy of the page wants it: workers made of blobs are not allowed.
  worker: { format: 'es' },
  server: {
    proxy: {
      '/api': { target: SERVICE, changeOrigin: true },
      '/docs': { target: SERVICE },
      '/fonts': { target: SERVICE },
    },
  },
});

/** Compresses once, when the page is built, what the service would compress for every visitor. */
function precompressed(): Plugin {
  return {
    name: 'precompressed',
    apply: 'build',
    writeBundle({ dir }, bundle) {
      for (const name of Object.keys(bundle).filter((file) => COMPRESSED.test(file))) {
        const path = join(dir!, name);
        const bytes = readFileSync(path);
        const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, quality));
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}
