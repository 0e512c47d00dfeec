// docs/security-standards.md names a test for each item of the standards, by its file and a part of its title.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { repositoryRoot } from '../../tools/workspace.ts'

const page = readFileSync(join(repositoryRoot, 'docs/security-standards.md'), 'utf8')
const rows = [...page.matchAll(/^\| ((?:API|V)\d[^|]*) \| ([^|]+) \| ?(.*?) ?\|$/gm)].map(
  ([, item = '', how = '', test = '']) => ({ item, how, test }),
)

it('the table of the API Security Top 10 has its ten items, in order', () => {
  const items = rows.flatMap(({ item }) => /^API\d+/.exec(item) ?? [])
  expect(items).toEqual(Array.from({ length: 10 }, (_, index) => `API${index + 1}`))
})

it.each(rows)(
  'the row of $item in the security standards names an existing test, or says why it does not apply',
  ({ how, test }) => {
    if (test === '') return expect(how).toMatch(/^Does not apply: /)
    const [, file = '', title = ''] = /^`([\w./-]+\.test\.tsx?)`: (.{10,})$/.exec(test) ?? []
    expect(existsSync(join(repositoryRoot, file)), file).toBe(true)
    expect(readFileSync(join(repositoryRoot, file), 'utf8').includes(title), title).toBe(true)
  },
)
