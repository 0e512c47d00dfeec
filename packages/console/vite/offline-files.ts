import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

const BASE = '/console/'
const PAGE = /\/pages\/.*-page\.tsx$/
const SCANNER = /\/scanner-page\.tsx$/
/** The files of `public/` that pages load. */
const PUBLIC_FILES = [
  'preferences.js',
  'languages/de.js',
  'languages/es.js',
  'icon.svg',
  'console.webmanifest',
]

const isPage = ({ facadeModuleId }: Rolldown.OutputChunk) =>
  PAGE.test(facadeModuleId ?? '') && !SCANNER.test(facadeModuleId ?? '')

/**
 * Writes `offline-files.js`: the addresses that `worker.js` stores, which are the page of the console and all
 * that it loads except other pages than the scanner. It changes with each version of the console, and
 * browsers then install the worker again.
 */
export function writeOfflineFiles(): Plugin {
  let publicFolder = ''
  return {
    name: 'write-offline-files',
    apply: 'build',
    enforce: 'post',
    configResolved({ publicDir }) {
      publicFolder = publicDir
    },
    generateBundle(_options, bundle) {
      const scripts = listScripts(bundle)
      const files = ['index.html', ...PUBLIC_FILES, ...scripts].map((name) => `${BASE}${name}`)
      // The names of scripts change with their contents.
      const hash = createHash('sha256').update(files.join())
      for (const name of PUBLIC_FILES) hash.update(readFileSync(join(publicFolder, name)))
      const version = hash.digest('hex').slice(0, 12)
      const source = `self.offlineFiles = ${JSON.stringify({ version, files }, undefined, 2)}\n`
      this.emitFile({ type: 'asset', fileName: 'offline-files.js', source })
    },
  }
}

/** Lists the scripts and styles that the console loads without opening another page than the scanner. */
function listScripts(bundle: Rolldown.OutputBundle): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (name: string) => {
    const chunk = bundle[name]
    if (chunk?.type !== 'chunk' || found.has(name) || isPage(chunk)) return
    found.add(name)
    for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style)
    for (const each of [...chunk.imports, ...chunk.dynamicImports]) visit(each)
  }
  for (const chunk of Object.values(bundle))
    if (chunk.type === 'chunk' && chunk.isEntry) visit(chunk.fileName)
  return found
}
