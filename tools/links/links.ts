import { proseLines } from './headings.ts'

/** A link of a document. */
export interface Link {
  readonly target: string
  /** The document's line, from 1. */
  readonly line: number
}

const KINDS = [
  // [text](target "title") and ![picture](target); the text may hold a picture, and the target parentheses.
  /\]\(\s*<?((?:[^\s()<>]|\([^\s()]*\))*)>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/g,
  // [name]: target
  /^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)/g,
  // <a href="target">, <img src="target">
  /<(?:a|img)\b[^>]*\b(?:href|src)="([^"]*)"/g,
  // An address as it is, or between angle brackets. What ends a sentence is not part of it.
  /(?<!\w)(https?:\/\/[^\s<>()"'`|]*[^\s<>()"'`|.,;:!?*_])/g,
]

/** A line without what stands in it as code. */
function withoutCode(line: string): string {
  return line.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '')
}

/** The links of a Markdown document, in its order; what is shown as code is none. */
export function linksOf(text: string): readonly Link[] {
  return proseLines(text).flatMap((line, index) => {
    const found: Link[] = []
    let rest = withoutCode(line)
    // What is read as one kind is taken away, so that an address is not found once more in the link that holds it.
    for (const kind of KINDS) {
      rest = rest.replace(kind, (_, target: string) => {
        found.push({ target, line: index + 1 })
        return ']'
      })
    }
    return found
  })
}

/** The anchors that a document sets by hand. */
export function handmadeAnchors(text: string): readonly string[] {
  const prose = proseLines(text).map(withoutCode).join('\n')
  return [...prose.matchAll(/<a\b[^>]*\b(?:id|name)="([^"]+)"/g)].flatMap(([, anchor]) => anchor ?? [])
}
