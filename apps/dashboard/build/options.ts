import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';
import { app } from './inputs.ts';
import { licences } from './licences.ts';

/** What the api puts a fresh nonce in the place of, at every request. */
export const noncePlaceholder = '__CSP_NONCE__';

/**
 * How the dashboard is built: nothing inlined, every file but the page named by its content. All style sheets are one, for
 * one that failed to load with its script would not be asked for again.
 */
export function buildOptions(outDir: string): InlineConfig {
  return {
    root: app,
    configFile: false,
    logLevel: 'warn',
    plugins: [react(), licences()],
    html: { cspNonce: noncePlaceholder },
    build: {
      outDir,
      emptyOutDir: false,
      manifest: true,
      assetsInlineLimit: 0,
      cssCodeSplit: false,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1_000,
    },
  };
}
