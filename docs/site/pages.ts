// The pages of the documentation site: which files they come from, their order, and what is generated from
// them.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { repositoryRoot } from '../../tools/workspace.ts'
import { headingsOf } from './reference/markdown.ts'

/** Markdown that is no page: changelogs, and notes inside packages and tools. */
export const excluded = ['tools/*/**', '**/CHANGELOG.md', 'packages/*/!(README).md', 'packages/*/*/**']

/** The page of a Markdown file: `docs/guides/paging.md` becomes `guides/paging.md`. */
export function pageOf(file: string): string {
  const [, name] = /^packages\/([\w-]+)\/README\.md$/.exec(file) ?? []
  if (name !== undefined) return `packages/${name}.md`
  if (file === 'README.md') return 'repository.md'
  if (file.startsWith('docs/')) return file.slice('docs/'.length)
  return file.replace(/\/README\.md$/, '.md').toLowerCase()
}

const files = globSync(
  ['*.md', 'docs/**/*.md', 'packages/*/README.md', 'examples/*/README.md', 'tools/README.md'],
  { cwd: repositoryRoot, exclude: ['docs/node_modules/**'] },
).map((file) => file.split(sep).join('/'))
const sourceOf = new Map(files.sort().map((file) => [pageOf(file), file]))

/** The Markdown of every page, by the page. */
export function readPages(): ReadonlyMap<string, string> {
  return new Map(
    [...sourceOf].map(([page, file]) => [page, readFileSync(join(repositoryRoot, file), 'utf8')]),
  )
}

/**
 * A link from one file to another as a link between their pages, or undefined where the target has no page.
 */
function resolveLink(page: string, href: string): string | undefined {
  // The search index is built from files, the site from pages.
  const from = sourceOf.get(page) ?? page
  const [path = '', anchor] = href.split('#')
  const hash = anchor === undefined ? '' : `#${anchor}`
  if (path === '') return hash
  const target = posix.normalize(posix.join(posix.dirname(from), path)).replace(/\/$/, '')
  const file = [target, `${target}/README.md`].find((each) => sourceOf.get(pageOf(each)) === each)
  if (file !== undefined) return `/${pageOf(file)}${hash}`
  // The build fails for a link to nothing.
  return existsSync(join(repositoryRoot, target)) ? undefined : `/${target}`
}

type Token = ReturnType<MarkdownRenderer['parse']>[number]

function resolveTokens(page: string, tokens: readonly Token[]): void {
  let isText = false
  for (const token of tokens) {
    if (token.type === 'link_close' && isText) token.tag = 'span'
    if (token.type !== 'link_open') continue
    const href = token.attrGet('href') ?? ''
    isText = false
    if (/^(?:[a-z]+:|\/)/i.test(href)) continue
    const resolved = resolveLink(page, decodeURI(href))
    isText = resolved === undefined
    if (isText) token.tag = 'span'
    token.attrs = resolved === undefined ? [] : [['href', resolved]]
  }
}

/**
 * A markdown-it plugin: links between files become links between pages, and links to other files of the
 * repository text.
 */
export function resolveLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    for (const { children } of tokens) resolveTokens(env.relativePath, children ?? [])
  })
}

function pagesBelow(folder: string): readonly string[] {
  return [...sourceOf.keys()]
    .filter((page) => page.startsWith(folder))
    .map((page) => page.replace(/\.md$/, ''))
}

interface Link {
  readonly text: string
  readonly link: string
}

interface Section {
  readonly text: string
  readonly items: Link[]
}

/** The written pages by section, in reading order. */
export const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  Start: [
    'guides/first-call',
    'guides/authentication',
    'guides/other-languages',
    'guides/errors-and-retries',
    'guides/paging',
  ],
  Guides: [
    'guides/campaigns',
    'guides/cards-with-qr-codes',
    'guides/selling',
    'guides/drop',
    'guides/reacting-to-events',
    'guides/frameworks',
    'guides/console',
    'guides/command-line',
    'guides/sell-by-the-call',
    'guides/x402-and-mpp',
    'guides/facilitator-with-x402',
    'guides/permit2',
    'guides/upto',
    'guides/payment-channels',
    'guides/authorize-and-capture',
    'guides/solana',
    'guides/approval-sponsoring',
    'guides/discovery',
    'guides/payment-identifiers',
    'guides/offers-and-receipts',
    'guides/sign-in-with-x',
    'guides/webhooks',
    'guides/testing-with-the-sandbox',
    'guides/agents-and-mcp',
  ],
  Examples: pagesBelow('examples/'),
  Packages: ['wallet', 'cards', 'orders', 'contracts', 'market', 'events', 'admin', 'facilitator'],
  'npm packages': pagesBelow('packages/').filter((page) => !page.endsWith('-server')),
  Operate: [
    'guides/running-the-servers',
    'guides/deploying',
    'security-standards',
    'guides/backups',
    'guides/tracing',
    'packages/gateway-server',
    'guides/gateway-in-production',
    'packages/facilitator-server',
    'guides/facilitator-in-production',
    'guides/facilitator-faults',
    'guides/server-commands',
    'facilitator-operator',
    'guides/upgrading',
  ],
  'Look up': [
    'glossary',
    'specification-gaps',
    'x402-compatibility',
    'x402-failures',
    'runtimes',
    'support',
    'security',
  ],
  Contribute: ['contributing', 'architecture', 'tools', 'repository'],
  Decisions: pagesBelow('decisions/'),
}

/** Pages that no section shows. The home page is the entry, the reference has sections of its own. */
const UNLISTED = /^index$|^reference\//

/** The title of a page. */
export function titleOf(page: string): string {
  const file = sourceOf.get(`${page}.md`)
  if (file === undefined) throw new Error(`The sidebar names a page that does not exist: ${page}`)
  const [heading] = headingsOf(readFileSync(join(repositoryRoot, file), 'utf8'))
  return heading?.title.replaceAll('`', '') ?? page
}

const linkTo = (page: string): Link => ({ text: titleOf(page), link: `/${page}` })

function referenceSections(): Section[] {
  return [
    {
      text: 'Reference',
      items: [
        'reference/index',
        'reference/errors',
        'reference/records',
        'reference/gateway-settings',
        'reference/facilitator-settings',
      ].map(linkTo),
    },
    ...(SECTIONS.Packages ?? []).map((packageName) => ({
      text: `@mintmark/${packageName}`,
      items: pagesBelow(`reference/${packageName}/`).map((page) => ({
        text: page.split('/').at(-1) ?? '',
        link: `/${page}`,
      })),
    })),
  ]
}

/** Lists the written pages that no section shows although one should. */
export function listUnlisted(): string[] {
  const listed = Object.values(SECTIONS).flat()
  return pagesBelow('').filter((page) => !listed.includes(page) && !UNLISTED.test(page))
}

/** The sidebar: the reference on its own pages, the written pages on all others. */
export function sidebar() {
  const unlisted = listUnlisted()
  if (unlisted.length > 0) throw new Error(`Add to a section of docs/site/pages.ts: ${unlisted.join(', ')}`)
  const sections = Object.entries(SECTIONS).map(([text, pages]) => ({ text, items: pages.map(linkTo) }))
  return { '/reference/': referenceSections(), '/': sections }
}
