import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'

/**
 * Finds links of a built site to files and headings that do not exist, as `page: link`. VitePress checks
 * links between pages, and neither headings nor other files.
 */
export function findDeadLinks(outDir: string): readonly string[] {
  const files = globSync('**/*.html', { cwd: outDir }).map((file) => file.split(sep).join('/'))
  const pages = new Map(files.map((file) => [file, readFileSync(join(outDir, file), 'utf8')]))
  const ids = new Map(
    [...pages].map(([file, html]) => [
      file,
      new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)),
    ]),
  )
  const isDead = (from: string, href: string): boolean => {
    const [path = '', anchor] = decodeURIComponent(href).split('#')
    const target = path === '' ? from : posix.join('/', posix.dirname(from), path).slice(1)
    const absolute = path.startsWith('/') ? path.slice(1) : target
    const file = absolute === '' || absolute.endsWith('/') ? `${absolute}index.html` : absolute
    if (!existsSync(join(outDir, file))) return true
    return anchor !== undefined && anchor !== '' && ids.get(file)?.has(anchor) === false
  }
  return [...pages].flatMap(([file, html]) =>
    [...html.matchAll(/<a [^>]*href="([^":]+)"/g)]
      .map(([, href = '']) => href)
      .filter((href) => isDead(file, href))
      .map((href) => `${file}: ${href}`),
  )
}
