/** A heading of a document. */
export interface Heading {
  readonly level: number
  /** As it is written, Markdown. */
  readonly title: string
  /** What a link to it names after the `#`, by GitHub's rules. */
  readonly slug: string
  /** From 1. */
  readonly line: number
}

/** A document's lines with those of its code blocks and comments emptied, so that what is shown is not taken for what is meant. */
export function proseLines(text: string): readonly string[] {
  const uncommented = text.replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, ''))
  let fence: string | undefined
  return uncommented.split('\n').map((line) => {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (fence === undefined) {
      fence = mark
      return mark === undefined ? line : ''
    }
    // A block ends with a fence as long as the one it began with, and nothing after it.
    if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined
    return ''
  })
}

/** What is seen of a heading: the text of its links, without the signs of emphasis and code. */
function seen(title: string): string {
  return title
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(
      /(`+)(.*?)\1|(?<![\w*])\*{1,2}(?=\S)(.*?)\*{1,2}/g,
      (_, __, inCode, emphasised) => inCode ?? emphasised,
    )
}

/** A heading's anchor: lower case; what is no letter, number, mark, connector, space or hyphen goes; spaces become hyphens. */
export function slugOf(title: string): string {
  return seen(title)
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}

/** The headings of a document in their order. One whose slug was there before has a number after it. */
export function headingsOf(text: string): readonly Heading[] {
  const taken = new Map<string, number>()
  return proseLines(text).flatMap((line, index) => {
    const [, signs, title] = /^ {0,3}(#{1,6})[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$/.exec(line) ?? []
    if (signs === undefined || title === undefined) return []
    const plain = slugOf(title)
    let slug = plain
    for (let count = taken.get(plain) ?? 0; taken.has(slug); ) {
      count += 1
      taken.set(plain, count)
      slug = `${plain}-${count}`
    }
    taken.set(slug, 0)
    return [{ level: signs.length, title, slug, line: index + 1 }]
  })
}
