import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Rolldown } from 'vite'
import { writeBrotliCopies } from './vite/brotli.ts'
import { writeOfflineFiles } from './vite/offline-files.ts'
import { startFirst } from './vite/start-first.ts'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** The gateway that `vite` on this machine sends calls to. */
const gateway = process.env.MINTMARK_GATEWAY ?? 'http://localhost:4000'

/** Chromium, Safari and Firefox of 2024: they know `light-dark()` and native dialogs. */
const target = ['chrome123', 'safari17.5', 'firefox123']

/**
 * Which modules share a script. Each request costs a slow phone 150 ms, six at a time, and HTTP headers:
 * without groups a page loads 45 scripts instead of eleven. What no group has is split by the pages that use
 * it.
 */
const groups = [
  // Without what `start.ts` runs before all else has loaded.
  { name: 'start', test: /app.(start|pages)\.ts|first-reads|preload-helper/, priority: 3 },
  // What the page needs to show anything: changes of the console leave the libraries in the browser's cache.
  { name: 'framework', test: /node_modules/, tags: ['$initial'], priority: 2 },
  { name: 'shell', tags: ['$initial'], priority: 1 },
  // What many pages use, such as tables. With fewer pages it would grow for all.
  { name: 'common', test: /(app|src)\W/, minShareCount: 14 },
] satisfies Rolldown.CodeSplittingGroup[]

export default defineConfig({
  root: path('app'),
  base: '/console/',
  cacheDir: path('../../.mintmark/vite'),
  plugins: [react(), startFirst(), writeOfflineFiles(), writeBrotliCopies()],
  // The sources of the client packages, so that a build needs no other build before it.
  resolve: { conditions: ['@mintmark/source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: path('dist/site'),
    emptyOutDir: true,
    target,
    // Data URLs of fonts and scripts would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    // The test of the sizes reads which scripts a page loads.
    manifest: true,
    // A preload is a script of Vite's that knows the dependencies of lazy pages. Browsers of the target need
    // no polyfill for it.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: { index: path('app/index.html'), start: path('app/start.ts') },
      output: { codeSplitting: { groups } },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/admin', '/console/auth', '/console/images', '/console/invitations', '/openapi.json'].map(
        (prefix) => [
          prefix,
          // The gateway accepts calls of its own pages only, and these come from another origin.
          { target: gateway, headers: { origin: new URL(gateway).origin } },
        ],
      ),
    ),
  },
})
