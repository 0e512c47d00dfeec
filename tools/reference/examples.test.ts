import { expect, it } from 'vitest'
import { examplesOf } from './examples.ts'
import { moveLinks } from './markdown.ts'

const page = `# Cards

## Promo code cards

Good for a number of uses.

### \`promoCodeCards.create\`

Makes one. See [below](#removing).

\`\`\`ts
const card = 1
### no heading
\`\`\`

And more.

### \`promoCodeCards.get\`

Told in words alone.

## Removing

### \`promoCodeCards.remove\`

\`\`\`ts
remove()
\`\`\`
`

it('the examples of a page are found under the headings that name operations, with the part that they stand in', () => {
  expect([...examplesOf(page)]).toEqual([
    [
      'promoCodeCards.create',
      {
        prose: 'Makes one. See [below](#removing).',
        code: 'const card = 1\n### no heading\n',
        section: { title: 'Promo code cards', slug: 'promo-code-cards' },
      },
    ],
    [
      'promoCodeCards.remove',
      { prose: '', code: 'remove()\n', section: { title: 'Removing', slug: 'removing' } },
    ],
  ])
})

it('a text that is shown elsewhere takes its links along', () => {
  const moved = moveLinks('[a](b.md#c) [d](e.md), [f](https://example.com)', (target) => `../${target}`)
  expect(moved).toBe('[a](../b.md#c) [d](../e.md), [f](https://example.com)')
})
