import { describe, expect, it } from 'vitest'
import { withEntry, withExports, withReadmeRows, withRows, withSubpath, withTables } from './listings.ts'
import { namesOf, replaced, replacements } from './names.ts'

describe('a list of what others export', () => {
  const entered = (list: string) => withEntry(`export const all: T[] = ${list}\n`, 'b', './b.ts', '...b')
  const whole = (list: string) => `import { b } from './b.ts'\nexport const all: T[] = ${list}\n`

  it.each([
    ['[\n  ...a,\n]', '[\n  ...a,\n...b,\n]'],
    ['[...a]', '[...a,\n...b,\n]'],
    ['[]', '[\n...b,\n]'],
  ])('ends with one more: %j', (before, after) => {
    expect(entered(before)).toBe(whole(after))
  })

  it('is missed where there is none', () => {
    expect(() => withEntry('export {}\n', 'b', './b.ts', 'b')).toThrow('There is no ]')
  })
})

it('the interface of all tables extends one more', () => {
  expect(withTables('export interface Tables\n  extends A,\n    B {}\n', 'C', './c.ts')).toBe(
    "import type { C } from './c.ts'\nexport interface Tables\n  extends A,\n    B, C {}\n",
  )
})

it('a main module exports the record as a type and the group as a namespace', () => {
  expect(withExports('export {}\n', 'prizes', 'Prize', './prizes.ts')).toBe(
    "export {}\nexport type { Prize } from './prizes.ts'\nexport * as prizes from './prizes.ts'\n",
  )
})

it('a package.json has a subpath for the group, and keeps the one for itself as the last', () => {
  const manifest = { name: 'x', exports: { '.': {}, './package.json': './package.json' }, files: [] }
  const text = withSubpath(JSON.stringify(manifest), 'prizes')
  const { exports, ...rest } = JSON.parse(text)
  expect(rest).toEqual({ name: 'x', files: [] })
  expect(Object.entries(exports)).toEqual([
    ['.', {}],
    [
      './prizes',
      {
        '@mintmark/source': './src/prizes.ts',
        types: './dist/prizes.d.ts',
        default: './dist/prizes.js',
      },
    ],
    ['./package.json', './package.json'],
  ])
  expect(Object.keys(exports['./prizes'])).toEqual(['@mintmark/source', 'types', 'default'])
})

describe('the table of operations', () => {
  const row = (folder: string, id: string) => ({
    ...{ package: folder, id, name: '–', method: 'GET', path: `/${id}`, source: 'own' },
  })
  const idsWith = (folder: string) => {
    const table = JSON.stringify([row('a', 'a.x'), row('b', 'b.x'), row('c', 'c.x')])
    const after: { id: string }[] = JSON.parse(withRows(table, [row(folder, 'new.x'), row(folder, 'new.y')]))
    return after.map(({ id }) => id)
  }

  it('has rows after the last of their package', () => {
    expect(idsWith('b')).toEqual(['a.x', 'b.x', 'new.x', 'new.y', 'c.x'])
  })

  it('has those of a new package at its end', () => {
    expect(idsWith('d')).toEqual(['a.x', 'b.x', 'c.x', 'new.x', 'new.y'])
  })
})

describe("a package's README", () => {
  const head = '| operation | what it does | scope |\n|---|---|---|\n'
  const rows = '| `prizes.get` | one | `a:read` |\n'
  const told = (text: string) => withReadmeRows(text, rows, 'prizes', 'prizes')

  it('has the rows in the table that names groups', () => {
    const own = '| `fans.get` | one | `a:read` |\n'
    expect(told(`# A\n\n${head}${own}\nMore.\n`)).toBe(`# A\n\n${head}${own}${rows}\nMore.\n`)
  })

  it('has a table of the group after one that its groups share', () => {
    const shared = '| `get` | one | `a:read` |\n'
    expect(told(`${head}${shared}\nMore.\n`)).toBe(
      `${head}${shared}\n\`prizes\` has others:\n\n${head}${rows}\nMore.\n`,
    )
  })

  it('has its first table at the end', () => {
    expect(told('# A\n')).toBe(`# A\n\n${head}${rows}`)
  })

  it('tells the subpath where it tells the others', () => {
    const text = (paths: string) => `${head}${rows}\nEach is also a\nsubpath: ${paths}. More.\n`
    expect(told(text('`@mintmark/a/fans`,\n`/words`'))).toBe(
      text('`@mintmark/a/fans`,\n`/words`, `/prizes`').replace(rows, rows + rows),
    )
  })
})

it('the words of the template become those of a group, each once', () => {
  const words = replacements(namesOf('oxen', 'ox'), {
    folder: 'gift-cards',
    path: '/api/v1/zoo/',
    migration: '0042',
  })
  const text =
    "giftCards giftCard GiftCard a gift card. A gift card; Gift cards, gift_cards 0000-gift-cards '@mintmark/shop' shop:read /api/v1/shop/giftCards"
  expect(replaced(text, words)).toBe(
    "oxen ox Ox an ox. An ox; Oxen, oxen 0042-oxen '@mintmark/gift-cards' gift-cards:read /api/v1/zoo/oxen",
  )
})
