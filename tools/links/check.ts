import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { Problem } from '../check/problem.ts'
import { filesBelow } from '../workspace.ts'
import { headingsOf } from './headings.ts'
import { handmadeAnchors, type Link, linksOf } from './links.ts'

/** What is read of a repository's documents. */
export interface LinkReport {
  readonly problems: readonly Problem[]
  /** The addresses elsewhere, each with the documents that name it. They are not fetched. */
  readonly external: ReadonlyMap<string, readonly string[]>
  /** How many links were looked at. */
  readonly count: number
}

/** Hosts that only one machine or one network knows, and registries, which `npm` is told and documents are not. */
const PRIVATE_HOST =
  /^(?:localhost|(?:[\d.]+)|\[.*\]|[^.]+|.*\.(?:local|localhost|internal|intranet|lan|corp|home|test))$|^(?:registry|deb|mirrors?|proxy)\./

/** Why a document may not name an address; undefined when it may. */
export function externalProblem(target: string): string | undefined {
  const url = URL.parse(target)
  if (url === null) return 'is no address'
  if (url.protocol === 'mailto:') return undefined
  if (url.protocol !== 'https:') return 'should be https'
  if (url.username !== '' || url.password !== '') return 'holds credentials'
  if (PRIVATE_HOST.test(url.hostname)) return `names ${url.hostname}, which not everybody reaches`
  return undefined
}

/** Folders that are not in the repository: a link there leads nowhere on a bare checkout. */
const NOT_COMMITTED = /(?:^|\/)(?:node_modules|dist|\.nx|\.mintmark|coverage)(?:\/|$)/

/** Looks at the links of documents below one folder; reads each document once. */
function reader(root: string) {
  const anchors = new Map<string, ReadonlySet<string>>()

  function anchorsOf(path: string): ReadonlySet<string> {
    const known = anchors.get(path)
    if (known !== undefined) return known
    const text = readFileSync(path, 'utf8')
    const found = new Set([...headingsOf(text).map(({ slug }) => slug), ...handmadeAnchors(text)])
    anchors.set(path, found)
    return found
  }

  /** Why a link of a document leads nowhere; undefined when it does lead somewhere. */
  return function relativeProblem(document: string, target: string): string | undefined {
    if (target === '') return 'leads nowhere'
    if (target.startsWith('/')) return 'should be relative to its document'
    const [file = '', anchor] = target.split('#')
    const path = file === '' ? document : join(dirname(document), decodeURIComponent(file))
    const name = relative(root, path).split(sep).join('/')
    if (name.startsWith('..')) return 'leads out of the repository'
    if (NOT_COMMITTED.test(name)) return `leads to ${name}, which is not committed`
    if (!existsSync(path)) return `leads to ${name}, which does not exist`
    if (anchor === undefined) return undefined
    if (statSync(path).isDirectory() || !/\.(?:md|txt)$/.test(path))
      return `names a heading of ${name}, which has none`
    return anchorsOf(path).has(anchor) ? undefined : `names #${anchor}, which ${name} does not have`
  }
}

/** The documents of a repository: all its Markdown, and llms.txt. */
function documentsOf(root: string): readonly string[] {
  return filesBelow(root, (path) => path.endsWith('.md') || path === join(root, 'llms.txt'))
}

/** Follows every link of every document as far as the repository goes. */
export function checkLinks(root: string): LinkReport {
  const relativeProblem = reader(root)
  const problems: Problem[] = []
  const external = new Map<string, string[]>()
  let count = 0

  function look(document: string, file: string, { target, line }: Link): void {
    count += 1
    const elsewhere = /^[a-z][a-z0-9+.-]*:/i.test(target)
    if (elsewhere) external.set(target, [...(external.get(target) ?? []), file])
    const text = elsewhere ? externalProblem(target) : relativeProblem(document, target)
    if (text !== undefined) problems.push({ file, line, text: `${target || 'a link'} ${text}` })
  }

  for (const document of documentsOf(root)) {
    const file = relative(root, document).split(sep).join('/')
    for (const link of linksOf(readFileSync(document, 'utf8'))) look(document, file, link)
  }
  return { problems, external, count }
}
