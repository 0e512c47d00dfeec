import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { headingsOf } from '../links/headings.ts'
import table from '../operations/operations.json' with { type: 'json' }
import { scratchFolder } from '../scratch-folder.ts'
import { repositoryRoot } from '../workspace.ts'
import { readCatalogue } from './catalogue.ts'
import { outdated, writePages } from './files.ts'
import { referencePages } from './pages.ts'

let pages: ReadonlyMap<string, string>
let problems: readonly string[]
beforeAll(async () => {
  ;({ pages, problems } = await referencePages(repositoryRoot))
})

/** What the page of a group says of one operation. */
function sectionOf(packageName: string, group: string, id: string): string {
  const page = pages.get(`docs/reference/${packageName}/${group}.md`) ?? ''
  const [, section = ''] = page.split(`\n### \`${id}\`\n`)
  return section.split('\n### ')[0] ?? ''
}

describe('the reference', () => {
  it('is what the sources make of it', () => {
    expect(
      outdated(repositoryRoot, pages),
      'out of date: run `npm run reference` and commit what it writes',
    ).toEqual([])
  })

  it('has the meaning of every operation, field, error and rule', () => {
    expect(problems).toEqual([])
  })

  it.each(table)(
    'shows $id on the page of its group, and in the index',
    ({ package: name, id, method, path }) => {
      const shown = sectionOf(name, id.split('.')[0] ?? '', id)
      expect(shown).toContain(`\`${method} ${path}\``)
      expect(shown).toMatch(/^Answers /m)
      expect(shown).toMatch(/^Errors/m)
      expect(shown).toContain('```ts')
      expect(pages.get('docs/reference/README.md')).toContain(`[\`${id}\`](${name}/`)
    },
  )

  it('shows every field that an operation takes, and every error that it declares', async () => {
    const { groups } = await readCatalogue(repositoryRoot)
    const missing = groups.flatMap(({ packageName, name, operations }) =>
      operations.flatMap(({ shape }) => {
        const shown = sectionOf(packageName, name, shape.id)
        const fields = Object.keys({ ...shape.params, ...shape.query, ...shape.body })
        const errors = shape.errors.map((error) =>
          Object(error) === error ? Object(error).kind : String(error),
        )
        const wanted = [...fields.map((field) => `\`${field}\``), ...errors]
        return wanted.filter((words) => !shown.includes(words)).map((words) => `${shape.id}: ${words}`)
      }),
    )
    expect(groups.flatMap(({ operations }) => operations)).toHaveLength(table.length)
    expect(missing).toEqual([])
  })

  it('shows no heading twice on a page, for links name them', () => {
    for (const [file, text] of pages) {
      const titles = headingsOf(text).map(({ title }) => title.toLowerCase().replaceAll('`', ''))
      expect(new Set(titles).size, file).toBe(titles.length)
    }
  })
})

describe('llms.txt', () => {
  it('has the form of the convention: a title, a summary, then sections of links with a line each', () => {
    const lines = (pages.get('llms.txt') ?? '').split('\n')
    expect(lines[0]).toBe('# Mintmark')
    expect(lines[2]).toMatch(/^> \w/)
    const sections = lines.slice(lines.findIndex((line) => line.startsWith('## ')))
    const links = sections.filter((line) => line.startsWith('- '))
    expect(links.filter((line) => !/^- \[.+\]\([\w/.-]+\): \S/.test(line))).toEqual([])
    expect(links.length).toBeGreaterThan(30)
  })

  it('is enough for a first call: what to install, a client, a call, its errors, and where every group is told', () => {
    const text = pages.get('llms.txt') ?? ''
    for (const needed of [
      'npm install @mintmark/transport',
      'createGateway({',
      'createFacilitator({',
      'isMintmarkError(',
    ]) {
      expect(text).toContain(needed)
    }
    for (const file of pages.keys()) {
      if (file.startsWith('docs/')) expect(text).toContain(`](${file})`)
    }
  })
})

describe('writing the pages', () => {
  it('writes what is missing or different, removes what is no more, and leaves the rest', () => {
    using scratch = scratchFolder({
      'docs/reference/cards/kept.md': 'kept',
      'docs/reference/cards/changed.md': 'before',
      'docs/reference/cards/gone.md': 'gone',
      'docs/cards.md': 'not ours',
    })
    const wanted = new Map([
      ['docs/reference/cards/kept.md', 'kept'],
      ['docs/reference/cards/changed.md', 'after'],
      ['docs/reference/README.md', 'new'],
      ['llms.txt', 'new'],
    ])
    const different = [
      'docs/reference/README.md',
      'docs/reference/cards/changed.md',
      'docs/reference/cards/gone.md',
      'llms.txt',
    ]
    expect(outdated(scratch.root, wanted)).toEqual(different)
    expect(writePages(scratch.root, wanted)).toEqual({ changed: different, total: 4 })
    expect(outdated(scratch.root, wanted)).toEqual([])
    expect(outdated(join(scratch.root, 'docs'), new Map())).toEqual([])
  })
})
