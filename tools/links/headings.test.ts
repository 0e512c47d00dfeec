import { describe, expect, it } from 'vitest'
import { headingsOf, slugOf } from './headings.ts'

describe("a heading's slug", () => {
  it.each([
    ['First call', 'first-call'],
    ['`promoCodeCards.create`', 'promocodecardscreate'],
    ['TOTAL_BELOW_USED', 'total_below_used'],
    [
      'What the specification does not show, and our answer',
      'what-the-specification-does-not-show-and-our-answer',
    ],
    ['`/health` & `/metrics`', 'health--metrics'],
    ['A [link](there.md) and *emphasis*', 'a-link-and-emphasis'],
    ['@mintmark/cards', 'mintmarkcards'],
    ['Größe', 'größe'],
  ])('of %s is %s', (title, slug) => {
    expect(slugOf(title)).toBe(slug)
  })

  it('that was there before has a number after it', () => {
    const slugs = headingsOf('# A\n\n## A\n\n## A 1\n\n## A\n').map(({ slug }) => slug)
    expect(slugs).toEqual(['a', 'a-1', 'a-1-1', 'a-2'])
  })
})

it('headings are told with their level and line, not those that are shown as code or commented out', () => {
  const text = '# One\n\n```sh\n# no heading\n```\n\n<!--\n# hidden\n-->\n\n## Two ##\n'
  expect(headingsOf(text)).toEqual([
    { level: 1, title: 'One', slug: 'one', line: 1 },
    { level: 2, title: 'Two', slug: 'two', line: 11 },
  ])
})

it('a block of code ends where its own fence comes again', () => {
  const text = '````md\n```\n# shown\n```\n````\n# meant\n'
  expect(headingsOf(text).map(({ title }) => title)).toEqual(['meant'])
})
