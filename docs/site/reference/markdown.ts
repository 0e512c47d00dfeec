import GithubSlugger, { slug } from 'github-slugger'

/** Text as code. */
export function code(text: string): string {
  return `\`${text}\``
}

const cell = (text: string) => text.replace(/\s*\n+\s*/g, ' ').replaceAll('|', '\\|')

/** A table, or nothing when there are no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

/** Joins paragraphs, tables and code. Empty ones are left out. */
export function blocks(...parts: readonly (string | undefined | false)[]): string {
  return `${parts.filter((part) => part).join('\n\n')}\n`
}

/** The first sentence, without its end. */
export function firstSentence(text: string): string {
  return text.split(/\n|[.:](?:\n|$)|\.\s/)[0] ?? ''
}

/** Changes the relative link targets of a text that is shown in another folder. */
export function moveLinks(text: string, move: (target: string) => string): string {
  return text.replace(/(\]\()([^)\s]+)(\))/g, (whole, before: string, target: string, after: string) =>
    /^[a-z][a-z+.-]*:/i.test(target) ? whole : `${before}${move(target)}${after}`,
  )
}

const plain = (title: string) => title.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')

/** The anchor of a heading. */
export function slugOf(title: string): string {
  return slug(plain(title))
}

export interface Heading {
  readonly level: number
  /** Markdown. */
  readonly title: string
  readonly slug: string
  /** From 1. */
  readonly line: number
}

/** The lines of a document, with those of code blocks emptied. */
export function proseLines(text: string): readonly string[] {
  let fence: string | undefined
  return text.split('\n').map((line) => {
    const [, mark] = /^ {0,3}(`{3,})/.exec(line) ?? []
    const inside = fence !== undefined || mark !== undefined
    if (fence === undefined) fence = mark
    else if (mark === fence) fence = undefined
    return inside ? '' : line
  })
}

export function headingsOf(text: string): readonly Heading[] {
  const slugger = new GithubSlugger()
  return proseLines(text).flatMap((line, index) => {
    const [, signs = '', title = ''] = /^(#{1,6}) +(.+?) *$/.exec(line) ?? []
    if (title === '') return []
    return [{ level: signs.length, title, slug: slugger.slug(plain(title)), line: index + 1 }]
  })
}
