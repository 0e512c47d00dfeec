import { describe, expect, it } from 'vitest'
import { pageOf, resolveLinks } from './site.ts'

it.each([
  ['docs/guides/paging.md', 'guides/paging.md'],
  ['packages/cards/README.md', 'packages/cards.md'],
  ['CONTRIBUTING.md', 'contributing.md'],
  ['tools/README.md', 'tools.md'],
])('shows %s as the page %s', (file, page) => {
  expect(pageOf(file)).toBe(page)
})

/** The link that the page of `guides/paging.md` shows for a link of its file, undefined where it shows text. */
function resolve(href: string): string | undefined {
  type Rule = Parameters<Parameters<typeof resolveLinks>[0]['core']['ruler']['push']>[1]
  let rule: Rule | undefined
  resolveLinks({ core: { ruler: { push: (_, added) => (rule = added) } } })
  const open = { type: 'link_open', tag: 'a', children: null, attrs: [['href', href]] as [string, string][] }
  const close = { type: 'link_close', tag: 'a', children: null, attrs: null }
  const inline = { type: 'inline', tag: '', children: [open, close], attrs: null }
  rule?.({ tokens: [inline], env: { relativePath: 'guides/paging.md' } })
  expect(open.tag).toBe(close.tag)
  return open.attrs.at(0)?.[1]
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
