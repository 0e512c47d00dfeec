// Measures the scripts that a browser loads before a page of the console is usable. It reads the built site.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import { buildConsole } from '../build/console.ts'
import { repositoryRoot } from '../workspace.ts'

const site = join(repositoryRoot, 'packages/console/dist/site')

/** A module or a group of modules of the built site, as Vite's manifest describes it. */
interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
}

/** The most bytes, gzipped, that a page may load first. */
const MAX_FIRST_LOAD_BYTES = 200_000
/** The most bytes, gzipped, of what every page loads. A page, and what it loads later, is in addition. */
const MAX_SHARED_BYTES = 152_000
/** The most bytes, gzipped, of the script that requests what the page needs. */
const MAX_START_BYTES = 8000
/** The most bytes, gzipped, of the texts in a language, which load at the same time as the scripts. */
const MAX_LANGUAGE_BYTES = 50_000
/** The most scripts that every page loads. */
const MAX_SHARED_SCRIPTS = 5
/** The most scripts that a page loads in addition, on average. */
const MAX_PAGE_SCRIPTS = 12

let manifest: Readonly<Record<string, Chunk>>
beforeAll(() => {
  buildConsole(repositoryRoot)
  manifest = JSON.parse(readFileSync(join(site, '.vite/manifest.json'), 'utf8'))
})

/** Lists a chunk and what it imports before it runs. */
function listChunks(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  for (const each of manifest[name]?.imports ?? []) listChunks(each, found)
  return found
}

/** The gzipped size of scripts, each counted once. */
function measure(...names: readonly string[]): number {
  const chunks = new Set(names.flatMap((name) => [...listChunks(name)]))
  const sizes = [...chunks].map((name) => {
    const file = manifest[name]?.file
    if (file === undefined) throw new Error(`The manifest has no ${name}`)
    return gzipSync(readFileSync(join(site, file)), { level: 9 }).length
  })
  return sizes.reduce((sum, size) => sum + size, 0)
}

const listPages = () => Object.keys(manifest).filter((name) => /^pages\/.*-page\.tsx$/.test(name))

it('the scripts of the console are at most 152 kB before any page', () => {
  expect(measure('index.html')).toBeLessThanOrEqual(MAX_SHARED_BYTES)
})

it.each(['de', 'es'])('the texts in the language %s are at most 50 kB', (language) => {
  const script = readFileSync(join(site, `languages/${language}.js`))
  expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(MAX_LANGUAGE_BYTES)
})

it('the scripts of the console are at most 200 kB with any page', () => {
  const pages = listPages()
  expect(pages.length).toBeGreaterThan(1)
  const sizes = pages.map((page) => [page, measure('index.html', page)] as const)
  expect(sizes.filter(([, size]) => size > MAX_FIRST_LOAD_BYTES)).toEqual([])
})

it('the scripts of the console are few before any page: browsers request six at a time', () => {
  expect(listChunks('index.html').size).toBeLessThanOrEqual(MAX_SHARED_SCRIPTS)
  const [pages, shared] = [listPages(), listChunks('index.html')]
  const counts = pages.map((page) => [...listChunks(page)].filter((name) => !shared.has(name)).length)
  expect(counts.reduce((sum, count) => sum + count, 0) / pages.length).toBeLessThanOrEqual(MAX_PAGE_SCRIPTS)
})

it('the scripts of the console load each page when it is opened', () => {
  const shared = listChunks('index.html')
  expect(listPages().filter((page) => shared.has(page))).toEqual([])
})

it('the scripts of the console contain charts, QR codes and menus only in what loads later', () => {
  const files = [...listChunks('index.html')].map((name) => manifest[name]?.file ?? '')
  const code = files.map((file) => readFileSync(join(site, file), 'utf8')).join('\n')
  for (const mark of ['uplot', 'u-legend', 'react-aria-', 'alphanumeric']) expect(code).not.toContain(mark)
})

it('the first script of the console is small and needs no other one, so that it runs while the others load', () => {
  expect([...listChunks('start.ts')]).toEqual(['start.ts'])
  expect(measure('start.ts')).toBeLessThanOrEqual(MAX_START_BYTES)
})

it('the first script of the console is named in the page before all others', () => {
  const [first] = [...readFileSync(join(site, 'index.html'), 'utf8').matchAll(/<script[^>]*src="([^"]+)"/g)]
  expect(first?.[1]).toBe(`/console/${manifest['start.ts']?.file}`)
})

const readIndex = () => readFileSync(join(site, 'index.html'), 'utf8')

it('the page of the console has no inline script and no inline style, which the policy of the server refuses', () => {
  expect(readIndex()).not.toMatch(/<style|\sstyle=|<script(?![^>]*\ssrc=)/)
})

it('the page of the console loads nothing from another site', () => {
  const addresses = [...readIndex().matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address)
  expect(addresses.length).toBeGreaterThan(2)
  expect(addresses.filter((address) => !address?.startsWith('/console/'))).toEqual([])
})
