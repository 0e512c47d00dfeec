import { slug } from 'github-slugger'
import { createMarkdownRenderer, disposeMdItInstance } from 'vitepress'
import { beforeAll, expect, it } from 'vitest'
import { readExplanations } from '../../../tools/build/error-docs.ts'
import { renderErrorPage } from '../../../tools/build/error-page.ts'
import { createOpenApiDocuments } from '../../../tools/build/openapi-documents.ts'
import table from '../../../tools/operations/operations.json' with { type: 'json' }
import { repositoryRoot } from '../../../tools/workspace.ts'
import type { Group } from './catalog.ts'
import { headingsOf } from './markdown.ts'
import { referencePages } from './pages.ts'

let pages: ReadonlyMap<string, string>
let problems: readonly string[]
let groups: readonly Group[]
beforeAll(async () => {
  const rendered = await referencePages(repositoryRoot)
  pages = rendered.pages
  problems = rendered.problems
  groups = rendered.groups
})

/** The section of an operation on the page of its group. */
function sectionOf(packageName: string, id: string): string {
  const page = pages.get(`${packageName}/${id.split('.')[0]}.md`) ?? ''
  const [, section = ''] = page.split(`\n### \`${id}\`\n`)
  return section.split('\n### ')[0] ?? ''
}

it('the generated reference has a docstring for every operation, field, error and rule', () => {
  expect(problems).toEqual([])
})

it('the generated reference shows the address, result, errors and an example of every operation', () => {
  for (const { package: name, id, method, path } of table) {
    const section = sectionOf(name, id)
    const http = path.replace(/\{.*/, '')
    for (const part of [
      `\`${method} ${path}\``,
      '\nReturns ',
      '\nErrors',
      '```ts [TypeScript]',
      '```sh [curl]',
      http,
    ])
      expect(section, id).toContain(part)
    expect(pages.get('index.md')).toContain(`[\`${id}\`](${name}/`)
  }
})

it('the generated reference shows every field that an operation takes, and every error that it declares', () => {
  const all = groups.flatMap(({ packageName, operations }) =>
    operations.map((each) => ({ packageName, ...each })),
  )
  expect(all).toHaveLength(table.length)
  for (const { packageName, shape } of all) {
    const section = sectionOf(packageName, shape.id)
    const fields = Object.keys({ ...shape.params, ...shape.query, ...shape.body })
    const errors = shape.errors.map((error) =>
      'kind' in error ? error.kind : String(error.code ?? error.reason),
    )
    for (const words of [...fields.map((field) => `\`${field}\``), ...errors])
      expect(section, shape.id).toContain(words)
  }
})

it('the reference and the page of the servers explain every reason and kind at the address that errors name', async () => {
  const explanations = await readExplanations(repositoryRoot)
  const words = new Set(explanations.map(({ word }) => word))
  const declared = groups.flatMap(({ operations }) => operations.flatMap(({ shape }) => shape.errors))
  for (const error of declared) expect(words).toContain('kind' in error ? error.kind : error.reason)
  const page = renderErrorPage(explanations)
  // The renderer is shared, also with other files: this one needs options of its own.
  disposeMdItInstance()
  const markdown = await createMarkdownRenderer(repositoryRoot, { anchor: { slugify: slug } })
  const reference = await markdown.render(pages.get('errors.md') ?? '')
  for (const { word } of explanations) {
    const id = ` id="${word.toLowerCase()}"`
    expect([page.split(id).length, reference.split(id).length], word).toEqual([2, 2])
  }
})

it('the generated reference gives every heading of a page its own link', () => {
  for (const [file, text] of pages) {
    const titles = headingsOf(text).map(({ title }) => title.toLowerCase().replaceAll('`', ''))
    expect(new Set(titles).size, file).toBe(titles.length)
  }
})

it('the OpenAPI documents name each record as its package does', async () => {
  const documents = JSON.stringify(await createOpenApiDocuments({ operations: {}, records: {} }))
  const responses = new Map(
    [...documents.matchAll(/"operationId":"([^"]+)".*?"200":(.*?),"400"/g)].map(([, id, text]) => [id, text]),
  )
  expect(responses.size).toBeGreaterThan(250)
  for (const { docs, shape } of groups.flatMap(({ operations }) => operations)) {
    if (docs.record === undefined || !responses.has(shape.id) || shape.result === 'header') continue
    const names = ['', 'List', 'Page'].flatMap((kind) => [kind, `${kind}Envelope`])
    const references = names.map((name) => `"#/components/schemas/${docs.record}${name}"`)
    const response = responses.get(shape.id) ?? ''
    expect(
      references.some((each) => response.includes(each)),
      `${shape.id}: ${response}`,
    ).toBe(true)
  }
})
