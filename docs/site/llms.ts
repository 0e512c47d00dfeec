import { join } from 'node:path'
import { repositoryRoot } from '../../tools/workspace.ts'
import { SECTIONS, titleOf } from './pages.ts'
import type { Group } from './reference/catalog.ts'
import { firstSentence, proseLines } from './reference/markdown.ts'
import { fill, introduction } from './templates.ts'

/** The first paragraph of a page that is prose, as one sentence without links. */
function summaryOf(text: string): string {
  const lines = proseLines(text)
  const isSentence = (line: string) => /^[\p{L}`*[(]/u.test(line)
  const rest = lines.slice(lines.findIndex(isSentence))
  const end = rest.findIndex((line) => !isSentence(line))
  const paragraph = rest.slice(0, end < 0 ? undefined : end).join(' ')
  return firstSentence(paragraph.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
}

/** The index for language models: first calls, then a line for each page. */
export function llmsText(pages: ReadonlyMap<string, string>, groups: readonly Group[]): string {
  const packages = [...new Set(groups.map(({ packageName }) => packageName))]
  const groupLine = ({ name, packageName, operations }: Group) => {
    const names = operations.map(({ shape }) => shape.id.split('.')[1]).join(', ')
    return `- [${name}](reference/${packageName}/${name}.html): ${names}`
  }
  const reference = packages.map((packageName) => {
    const lines = groups.filter((group) => group.packageName === packageName).map(groupLine)
    return `### @mintmark/${packageName}\n\n${lines.join('\n')}`
  })
  const guides = Object.values(SECTIONS)
    .flat()
    .map((page) => `- [${titleOf(page)}](${page}.html): ${summaryOf(pages.get(`${page}.md`) ?? '')}`)
  return fill(join(import.meta.dirname, 'llms.txt.template'), {
    introduction: introduction(repositoryRoot),
    reference: reference.join('\n\n'),
    pages: guides.join('\n'),
  })
}
