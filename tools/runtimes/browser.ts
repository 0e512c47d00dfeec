import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { serveLocally } from '@mintmark/devkit/serve-locally'
import { chromium } from 'playwright-core'
import { findChromium } from '../toolchains/toolchains.ts'
import { PROGRAM, type Project } from './project.ts'

const TIMEOUT_MS = 120_000

/** A page: the entries of its import map, and an ES module that assigns `program` to `globalThis`. */
export interface Page {
  readonly imports?: Readonly<Record<string, string>>
  readonly script: string
}

const load = (file: string) => `import { program } from '/${file}'\nglobalThis.program = program`

/** The pages that run the program: as one bundled file, or every file separately with an import map. */
export function programPages({ folder, packages }: Project): Record<'bundled' | 'import-map', Page> {
  return {
    bundled: { script: load('program.bundled.js') },
    'import-map': { script: load(PROGRAM), imports: importMap(folder, packages) },
  }
}

/** Serves pages by their names, and the project's scripts. */
export function servePages(
  { folder }: Project,
  pages: Readonly<Record<string, Page>>,
  stops: AsyncDisposableStack,
): Promise<string> {
  return serveLocally(async (request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    const page = pages[path.slice(1)]
    if (page !== undefined) return void response.setHeader('content-type', 'text/html').end(htmlOf(page))
    const file = resolve(folder, `.${path}`)
    const isScript = /\.m?js$/.test(file) && file.startsWith(folder + sep)
    const code = isScript ? await readFile(file).catch(() => undefined) : undefined
    if (code === undefined) return void response.writeHead(404).end()
    response.setHeader('content-type', 'text/javascript').end(code)
  }, stops)
}

const htmlOf = ({ script, imports = {} }: Page) => `<!doctype html>
<meta charset="utf-8">
<title>Runtimes</title>
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module">${script}</script>`

/** A target of a package's `exports` or `imports`. */
type Target = string | { readonly [condition: string]: Target }

function resolveTarget(target: Target): string | undefined {
  if (typeof target === 'string') return target
  const found = Object.entries(target).find(([name]) => ['browser', 'import', 'default'].includes(name))
  return found && resolveTarget(found[1])
}

/** The import map with which a browser finds every entry of the packages. */
function importMap(folder: string, packages: readonly string[]): Record<string, string> {
  const map: Record<string, string> = {}
  for (const name of packages) {
    const file = join(folder, 'node_modules', name, 'package.json')
    // An optional dependency of another platform.
    if (!existsSync(file)) continue
    const manifest: Partial<Record<'exports' | 'imports', Record<string, Target>>> = JSON.parse(
      readFileSync(file, 'utf8'),
    )
    const { exports = {}, imports = {} } = manifest
    // `exports` can be the conditions of the only entry.
    const hasSubpaths = Object.keys(exports).every((key) => key.startsWith('.'))
    const entries = Object.entries(hasSubpaths ? exports : { '.': exports })
    const named = entries.map(([key, target]) => [`${name}${key.slice(1)}`, target] as const)
    for (const [specifier, target] of [...named, ...Object.entries(imports)]) {
      const path = resolveTarget(target)
      if (path?.endsWith('js')) map[specifier] = `/node_modules/${name}/${path.replace(/^\.\//, '')}`
    }
  }
  return map
}

/** Opens a page in Chromium and returns what its program returns. */
export async function runInBrowser(page: string, given: object): Promise<unknown> {
  const executablePath = await findChromium()
  // Chromium has no sandbox as root, which containers often are. It opens only our own page.
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
  const browser = await chromium.launch({ executablePath, args })
  const timeout = setTimeout(() => browser.close(), TIMEOUT_MS)
  try {
    const tab = await browser.newPage()
    const failures: string[] = []
    tab.on('pageerror', (error) => failures.push(error.message))
    await tab.goto(page, { waitUntil: 'load' })
    if (failures.length > 0) throw new Error(`The page does not load: ${failures.join('; ')}`)
    return await tab.evaluate(
      // The page has assigned the program.
      (input) => (globalThis as unknown as { program(given: object): Promise<unknown> }).program(input),
      given,
    )
  } finally {
    clearTimeout(timeout)
    await browser.close()
  }
}
