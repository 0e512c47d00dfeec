import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { headingsOf, proseLines } from '../links/headings.ts'
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

/** The documents for users, those that are read first in front. */
export function readGuides(root: string): readonly Guide[] {
  const files = ['README.md', ...globSync(['docs/guides/*.md', 'docs/*.md'], { cwd: root }).sort()]
  return files.map((file) => file.split(sep).join('/')).map((file) => guideOf(root, file))
}
