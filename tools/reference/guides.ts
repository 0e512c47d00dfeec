import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { headingsOf, proseLines } from '../links/headings.ts'
import { linksOf } from '../links/links.ts'
import type { Guide } from './llms.ts'
import { firstSentence } from './markdown.ts'

/** A document's title and its first sentence. */
function guideOf(root: string, file: string): Guide {
  const text = readFileSync(join(root, file), 'utf8')
  const [title] = headingsOf(text)
  const paragraph: string[] = []
  for (const line of proseLines(text).slice(title?.line ?? 0)) {
    // The first lines that are sentences: neither a heading nor a list, a table or a quotation.
    if (/^[\p{L}`*[(]/u.test(line)) paragraph.push(line)
    else if (paragraph.length > 0) break
  }
  const plain = paragraph.join(' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return { file, title: title?.title ?? file, about: firstSentence(plain) }
}

/** The documents for users, in the order in which `docs/README.md` names them; what it does not name comes last. */
export function readGuides(root: string): readonly Guide[] {
  const named = linksOf(readFileSync(join(root, 'docs/README.md'), 'utf8'))
    .map(({ target }) => posix.normalize(posix.join('docs', target.split('#')[0] ?? '')))
    .filter((file) => file.endsWith('.md') && existsSync(join(root, file)))
  const all = globSync(['docs/*.md', 'docs/guides/*.md'], { cwd: root }).map((file) =>
    file.split(sep).join('/'),
  )
  const files = [...new Set([...named, ...all.sort()])]
  return files
    .filter((file) => file !== 'docs/README.md' && !file.startsWith('docs/reference/'))
    .map((file) => guideOf(root, file))
}
