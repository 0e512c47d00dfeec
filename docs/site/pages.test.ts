import { createMarkdownRenderer, disposeMdItInstance } from 'vitepress'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../../tools/workspace.ts'
import { listUnlisted, pageOf, resolveLinks } from './pages.ts'

it.each([
  ['docs/guides/paging.md', 'guides/paging.md'],
  ['packages/cards/README.md', 'packages/cards.md'],
  ['CONTRIBUTING.md', 'contributing.md'],
  ['tools/README.md', 'tools.md'],
])('shows %s as the page %s', (file, page) => {
  expect(pageOf(file)).toBe(page)
})

it('shows every written page in a section of the sidebar', () => {
  expect(listUnlisted()).toEqual([])
})

// The renderer is shared, also with other files: this one needs options of its own.
disposeMdItInstance()
const markdown = await createMarkdownRenderer(repositoryRoot, { config: resolveLinks })

/**
 * The link that the page of `guides/paging.md` shows for a link of its file, undefined where it shows text.
 */
function resolve(href: string): string | undefined {
  const [, paragraph] = markdown.parse(`[text](${href})`, { relativePath: 'guides/paging.md' })
  const [open, , close] = paragraph?.children ?? []
  expect(open?.tag).toBe(close?.tag)
  return open?.tag === 'a' ? (open.attrGet('href') ?? '') : undefined
}

describe('a link of a file', () => {
  it.each([
    ['webhooks.md#register', '/guides/webhooks.md#register'],
    ['../../packages/cards/README.md', '/packages/cards.md'],
    ['../../packages/cards', '/packages/cards.md'],
    ['../../CONTRIBUTING.md', '/contributing.md'],
    ['#counts', '#counts'],
    ['https://www.x402.org', 'https://www.x402.org'],
  ])('leads to the page of its target: %s', (href, link) => {
    expect(resolve(href)).toBe(link)
  })

  it('becomes text where its target is a file without a page', () => {
    expect(resolve('../../examples/first-call.ts')).toBeUndefined()
  })

  it('stays a dead link where its target does not exist, so that the build fails', () => {
    expect(resolve('../../examples/missing.ts')).toBe('/examples/missing.ts')
  })
})
