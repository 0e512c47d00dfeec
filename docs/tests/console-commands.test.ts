// The guide of the console says which page does what a command of the server does.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { healthTexts } from '../../packages/console/app/texts/operator.ts'
import { facilitatorCommands } from '../../packages/facilitator-server/src/commands/commands.ts'
import { gatewayCommands } from '../../packages/gateway-server/src/commands/commands.ts'
import { repositoryRoot } from '../../tools/workspace.ts'

/** The compiler of the tests reads no JSX, so that the module is not named in an import. */
const NAVIGATION = new URL('../../packages/console/app/navigation/items.ts', import.meta.url).href

interface PageItem {
  readonly label: string
}

type Groups = readonly { readonly items: readonly PageItem[] }[]

interface Navigation {
  readonly navigation: Groups
  readonly listOperatorNavigation: (session: { isOperator: boolean; hasFacilitator: boolean }) => Groups
}

const { navigation, listOperatorNavigation }: Navigation = await import(NAVIGATION)
/** The titles of the pages of the console. */
const known = [...navigation, ...listOperatorNavigation({ isOperator: true, hasFacilitator: true })]
  .flatMap(({ items }) => items)
  .map(({ label }) => label)

const guide = readFileSync(join(repositoryRoot, 'docs/guides/console.md'), 'utf8')
const [, section = ''] = guide.split('## Commands and their pages')
const [table = ''] = section.split('\n## ')

/** The description of each command's page, by command. */
const pages = new Map(
  [...table.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, name, page]) => [name, page]),
)

it('the table of commands and pages in the guide of the console has every command of the gateway, and no other', () => {
  expect([...pages.keys()].toSorted()).toEqual(Object.keys(gatewayCommands).toSorted())
})

it.each([...pages])(
  'the table of commands and pages in the guide of the console names a page of the console for %s, or says why it has none',
  (_, page = '') => {
    const names = [...page.matchAll(/\*([^*]+)\*/g)].map(([, name]) => name)
    expect(names.length > 0 || /^none: .{20,}/.test(page)).toBe(true)
    for (const name of names) expect(known).toContain(name)
  },
)

describe('the table of the facilitator in the guide of the console', () => {
  const [, rest = ''] = guide.split('## The facilitator')
  const [rows = ''] = rest.split('\n## ')
  const lines = [...rows.matchAll(/^\| (`.+`) \| (.+) \|$/gm)].map(([, names = '', page = '']) => ({
    names,
    page,
  }))

  it('the table of the facilitator in the guide of the console has every command of the facilitator, and no other', () => {
    const named = lines.flatMap(({ names }) => [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name))
    expect(named.toSorted()).toEqual(Object.keys(facilitatorCommands).toSorted())
  })

  it.each(lines)('names a page of the console for $names, or says why it has none', ({ page }) => {
    const names = [...page.matchAll(/\*([^*]+)\*/g)].map(([, name]) => name)
    expect(names.length > 0 || /^none: .{20,}/.test(page)).toBe(true)
    for (const name of names) expect(known).toContain(name)
  })
})

it('the page Health says when each command is needed that has no page and runs on a server', () => {
  const named = [...pages].flatMap(([name, page]) => (page?.includes('*Health* says when') ? [name] : []))
  expect(named.length).toBeGreaterThan(0)
  expect(Object.keys(healthTexts.commands.purposes)).toEqual(expect.arrayContaining(named))
  expect(Object.keys(gatewayCommands)).toEqual(
    expect.arrayContaining(Object.keys(healthTexts.commands.purposes)),
  )
})

describe('the tables of alerts in the guide of the console', () => {
  const operating = readFileSync(join(repositoryRoot, 'docs/guides/running-the-servers.md'), 'utf8')
  const [, rest = ''] = guide.split('## Alerts and their pages')
  const [tables = ''] = rest.split('\n## ')

  it.each(['gateway', 'facilitator'])(
    'the tables of alerts in the guide of the console have every alert of the %s, with a page of the console',
    (server) => {
      const alerts = operating.matchAll(new RegExp(`^\\| \`mintmark_${server}_(\\w+)`, 'gm'))
      const names = new Set([...alerts].map(([, name = '']) => name))
      expect(names.size).toBeGreaterThan(8)
      const [, table = ''] = tables.split(`begin with \`mintmark_${server}_\`.`)
      const rows = [...(table.split('\n\n')[1] ?? '').matchAll(/^\| (`.+`) \| (.+) \|$/gm)]
      const named = rows.flatMap(([, alert = '']) =>
        [...alert.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
      )
      expect(named.toSorted()).toEqual([...names].toSorted())
      for (const [, , page = ''] of rows) {
        const [, name = ''] = /\*([^*]+)\*/.exec(page) ?? []
        expect(known).toContain(name)
      }
    },
  )
})
