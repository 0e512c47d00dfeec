import { createRequire } from 'node:module'
import { beforeAll, expect, it } from 'vitest'
import { repositoryRoot } from '../../tools/workspace.ts'
import { readPages } from './pages.ts'
import { headingsOf } from './reference/markdown.ts'
import { referencePages } from './reference/pages.ts'
import { searchOptions } from './search.ts'

// VitePress brings the library, and gives it these options.
const fromVitePress = createRequire(createRequire(import.meta.url).resolve('vitepress/package.json'))

/** What the test uses of the library. */
interface Index {
  add(section: object): void
  search(question: string): readonly { readonly id: string }[]
}

let index: Index
beforeAll(async () => {
  const Search: new (options: object) => Index = fromVitePress('minisearch')
  const fields = ['title', 'titles', 'text']
  index = new Search({ fields, searchOptions: searchOptions.searchOptions, ...searchOptions.options })
  const { pages } = await referencePages(repositoryRoot)
  const written = [...readPages()].filter(([page]) => !page.startsWith('reference/'))
  const reference = [...pages].map(([page, text]) => [`reference/${page}`, text] as const)
  for (const [page, text] of [...written, ...reference]) addPage(page, text)
})

/** Adds the sections of a page, as VitePress does. */
function addPage(page: string, text: string): void {
  const headings = headingsOf(text)
  const lines = text.split('\n')
  let path: readonly string[] = []
  headings.forEach(({ level, title, slug, line }, position) => {
    path = [...path.slice(0, level - 1), title]
    const end = (headings[position + 1]?.line ?? lines.length + 1) - 1
    const id = `/${page.replace(/\.md$/, '.html')}#${slug}`
    index.add({ id, title, titles: path.slice(0, -1), text: lines.slice(line, end).join('\n') })
  })
}

it.each([
  ['rotate an API key', 'guides/authentication'],
  ['redeem a card', 'guides/cards-with-qr-codes'],
  ['idempotency key', 'guides/errors-and-retries'],
  ['lost response unknown outcome', 'guides/errors-and-retries'],
  ['verify a webhook signature', 'guides/webhooks'],
  ['publishable key', 'runtimes'],
  ['paging', 'guides/paging'],
  ['call from Python', 'guides/other-languages'],
  ['curl', 'guides/other-languages'],
  ['refund', 'guides/selling'],
  ['coupon', 'guides/selling'],
  ['backup and restore', 'guides/backups'],
  ['prometheus metrics', 'guides/running-the-servers'],
  ['CORS', 'runtimes'],
  ['import CSV', 'guides/command-line'],
  ['Next.js', 'guides/frameworks'],
  ['x402 facilitator', 'guides/facilitator-with-x402'],
  ['sell an API per call', 'guides/sell-by-the-call'],
  ['sandbox tests', 'guides/testing-with-the-sandbox'],
  ['MCP budget', 'guides/agents-and-mcp'],
  ['OUT_OF_STOCK', 'reference/errors'],
  ['STALE_TIMESTAMP', 'reference/errors'],
  ['insufficient_funds', 'reference/errors'],
  ['RATE_LIMIT_BURST', 'reference/gateway-settings'],
  ['PUBLIC_URL', 'reference/gateway-settings'],
])('a search for “%s” shows the page %s among its first three', (question, page) => {
  const found = index.search(question).map(({ id }) => id.replace(/^\/|\.html#.*$/g, ''))
  expect([...new Set(found)].slice(0, 3)).toContain(page)
})
