import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { delimiter, join, resolve, sep } from 'node:path'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { PATIENCE } from './child.ts'
import { PROGRAM, type Project } from './project.ts'
import { type Served, serveLocally } from './remote-parties.ts'

/** Where a Chromium is: what CHROMIUM_PATH names, or the first on PATH of the names it goes by; undefined where there is none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env.CHROMIUM_PATH) {
    if (!existsSync(env.CHROMIUM_PATH)) throw new Error(`CHROMIUM_PATH names no file: ${env.CHROMIUM_PATH}`)
    return env.CHROMIUM_PATH
  }
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  return (env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path))
}

/** Why nothing is tried in a browser. */
export const NO_CHROMIUM = 'there is no Chromium on PATH, and CHROMIUM_PATH names none'

/** How a page comes by the packages: one file that a bundler made, or each file by itself and an import map. */
export type Delivery = 'bundled' | 'import map'

/** A page: the entries its import map names, and a script, an ES module that puts `program` on `globalThis`. */
export interface Page {
  readonly imports?: Readonly<Record<string, string>>
  readonly script: string
}

const loading = (file: string) => `import { program } from '/${file}'\nglobalThis.program = program`

/** The pages by which the program comes to a browser. */
export async function programPages({ folder, packages }: Project): Promise<Record<Delivery, Page>> {
  const bundle = 'program.bundled.js'
  await build({
    absWorkingDir: folder,
    entryPoints: [PROGRAM],
    outfile: bundle,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
  })
  return {
    bundled: { script: loading(bundle) },
    'import map': { script: loading(PROGRAM), imports: importMap(folder, packages) },
  }
}

/** Serves pages by their names, and a project's scripts. */
export function servePages({ folder }: Project, pages: Readonly<Record<string, Page>>): Promise<Served> {
  return serveLocally(async (request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    const page = pages[path.slice(1)]
    if (page !== undefined) return void response.setHeader('content-type', 'text/html').end(htmlOf(page))
    const file = resolve(folder, `.${path}`)
    const script = /\.m?js$/.test(file) && file.startsWith(folder + sep)
    const code = script ? await readFile(file).catch(() => undefined) : undefined
    if (code === undefined) return void response.writeHead(404).end()
    response.setHeader('content-type', 'text/javascript').end(code)
  })
}

const htmlOf = ({ script, imports = {} }: Page) => `<!doctype html>
<meta charset="utf-8">
<title>Runtimes</title>
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module">${script}</script>`

/** What a package's `exports` or `imports` lead to for a browser. */
type Target = string | { readonly [condition: string]: Target }

function targetFor(target: Target): string | undefined {
  if (typeof target === 'string') return target
  const found = Object.entries(target).find(([condition]) =>
    ['browser', 'import', 'default'].includes(condition),
  )
  return found && targetFor(found[1])
}

/** The import map with which a browser finds every entry of the packages. */
function importMap(folder: string, packages: readonly string[]): Record<string, string> {
  const map: Record<string, string> = {}
  for (const name of packages) {
    const manifest: { exports?: Record<string, Target>; imports?: Record<string, Target> } = JSON.parse(
      readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'),
    )
    // `exports` may also be the target of the one entry there is.
    const subpaths = Object.entries(manifest.exports ?? {}).every(([key]) => key.startsWith('.'))
    const entries: [string, Target | undefined][] = subpaths
      ? Object.entries(manifest.exports ?? {}).map(([key, target]) => [`${name}${key.slice(1)}`, target])
      : [[name, manifest.exports]]
    for (const [specifier, target] of [...entries, ...Object.entries(manifest.imports ?? {})]) {
      const path = target && targetFor(target)
      if (path?.endsWith('js')) map[specifier] = `/node_modules/${name}/${path.replace(/^\.\//, '')}`
    }
  }
  return map
}

/** Opens a page in Chromium and answers what the program in it answered. */
export async function runInBrowser(executablePath: string, page: string, given: object): Promise<unknown> {
  const browser = await chromium.launch({
    executablePath,
    // As root, which containers often are, Chromium has no sandbox; only our own page is opened in it.
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  const late = setTimeout(() => browser.close(), PATIENCE)
  try {
    const tab = await browser.newPage()
    const failures: string[] = []
    tab.on('pageerror', (error) => failures.push(error.message))
    await tab.goto(page, { waitUntil: 'load' })
    if (failures.length > 0) throw new Error(`the page does not load: ${failures.join('; ')}`)
    return await tab.evaluate(
      // The page has put the program there.
      (told) => (globalThis as unknown as { program(given: object): Promise<unknown> }).program(told),
      given,
    )
  } finally {
    clearTimeout(late)
    await browser.close()
  }
}
