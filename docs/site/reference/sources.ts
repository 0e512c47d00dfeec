import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { headingsOf } from './markdown.ts'

/** What a page of `docs/` contains for one operation, under the heading with its id. */
export interface Example {
  /** The text above the code, Markdown. */
  readonly prose: string
  readonly code: string
  /** The second-level heading before it. */
  readonly section: { readonly title: string; readonly slug: string } | undefined
}

/** The examples of a package's page in `docs/`, by the operation's id. */
export function examplesOf(root: string, packageName: string): ReadonlyMap<string, Example> {
  const examples = new Map<string, Example>()
  const file = join(root, 'docs', `${packageName}.md`)
  const page = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const headings = headingsOf(page)
  const lines = page.split('\n')
  let section: Example['section']
  headings.forEach(({ level, title, slug, line }, index) => {
    if (level === 2) section = { title, slug }
    const [, id] = /^`(\w+\.\w+)`$/.exec(title) ?? []
    const text = lines.slice(line, (headings[index + 1]?.line ?? lines.length + 1) - 1).join('\n')
    const block = /^```ts\n([\s\S]*?)^```$/m.exec(text)
    if (level !== 3 || id === undefined || block === null) return
    examples.set(id, { prose: text.slice(0, block.index).trim(), code: block[1] ?? '', section })
  })
  return examples
}
