import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { headingsOf } from '../links/headings.ts'

/** What a page of `docs/` says of one operation, under the heading that is its id. */
export interface Example {
  /** The text above the code, Markdown. */
  readonly prose: string
  readonly code: string
  /** The heading of the part of the page that it stands in. */
  readonly section: { readonly title: string; readonly slug: string } | undefined
}

/** The examples of a page, by the operation's id. */
export function examplesOf(page: string): ReadonlyMap<string, Example> {
  const examples = new Map<string, Example>()
  const headings = headingsOf(page)
  const lines = page.split('\n')
  let section: Example['section']
  headings.forEach(({ level, title, slug, line }, index) => {
    if (level === 2) section = { title, slug }
    const [, id] = /^`(\w+\.\w+)`$/.exec(title) ?? []
    if (level !== 3 || id === undefined) return
    const text = lines.slice(line, (headings[index + 1]?.line ?? lines.length + 1) - 1).join('\n')
    const block = /^```ts\n([\s\S]*?)^```$/m.exec(text)
    if (block === null) return
    examples.set(id, { prose: text.slice(0, block.index).trim(), code: block[1] ?? '', section })
  })
  return examples
}

/** The examples of a package's page; none where it has no page. */
export function examplesOfPackage(root: string, name: string): ReadonlyMap<string, Example> {
  const file = join(root, 'docs', `${name}.md`)
  return existsSync(file) ? examplesOf(readFileSync(file, 'utf8')) : new Map()
}
