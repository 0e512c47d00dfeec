import { posix } from 'node:path'
import { describe as describeTests, expect, it } from 'vitest'
import operations from '../operations/operations.json' with { type: 'json' }
import { repositoryRoot } from '../workspace.ts'
import { createSkills } from './skills.ts'

const described = operations.map(
  ({ id }) => [id, { summary: `Does ${id}.`, fields: { id: 'The id.' } }] as const,
)
const files = createSkills(repositoryRoot, { operations: Object.fromEntries(described), records: {} })
const skills = [...files.keys()].filter((path) => path.endsWith('/SKILL.md'))

const ids = new Set(operations.map(({ id }) => id))
const groups = new Set(operations.map(({ id }) => id.split('.')[0] ?? ''))

/** Finds names of operations that do not exist, in code: `orders.pay` of the group `orders`. */
function findDeadNames(text: string): readonly string[] {
  const code = [...text.matchAll(/^```[\s\S]*?^```|`[^`\n]+`/gm)].map(([block]) => block).join('\n')
  const names = [...code.matchAll(/(?<![\w.'/@-])([a-z]\w+)\.([a-z]\w+)(?=\(|\.items|\.pages|`)/g)]
  return names.flatMap(([name, group = '']) => (groups.has(group) && !ids.has(name) ? [name] : []))
}

it.each(skills)('the skill has a name, a description and every operation: %s', (path) => {
  const [, head = ''] = files.get(path)?.split('---\n') ?? []
  const [, name, description = ''] = /^name: ([a-z-]+)\ndescription: (.*)\n$/.exec(head) ?? []
  expect(name).toBe(posix.basename(posix.dirname(path)))
  expect(description.length).toBeLessThanOrEqual(1024)
  const list = files.get(`${posix.dirname(path)}/references/operations.md`)
  for (const id of ids) expect(list).toContain(`- \`${id}\` { id }: Does ${id}.`)
})

it.each([...files.keys()])(
  'the file of a skill names no operation and no file that does not exist: %s',
  (path) => {
    const text = files.get(path) ?? ''
    expect(findDeadNames(text)).toEqual([])
    const links = [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, target = '']) => target)
    const missing = links.filter(
      (each) => !/^https?:/.test(each) && !files.has(posix.join(posix.dirname(path), each)),
    )
    expect(missing).toEqual([])
  },
)

describeTests('the search for dead names', () => {
  it('finds an operation that does not exist, in code of a line and of a block', () => {
    expect(findDeadNames('`orders.pay` and `orders.payOrder`')).toEqual(['orders.pay'])
    expect(findDeadNames('```ts\nawait promoCodeCards.make(gateway)\n```')).toEqual(['promoCodeCards.make'])
    expect(findDeadNames('```ts\nfor await (const each of nfts.all.items(gateway)) log(each)\n```')).toEqual([
      'nfts.all',
    ])
  })
})
