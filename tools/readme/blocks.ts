import { readFileSync } from 'node:fs'

/** A block of TypeScript in a document. */
export interface Block {
  /** The document's line that the block's first line of code stands on, from 1. */
  line: number
  code: string
  /**
   * Whether `tools/examples` runs it. Blocks begin with ` ```ts `; those that need what a test has not, a browser, say, or a key service,
   * begin with ` ```ts no-run ` and are compiled alone.
   */
  run: boolean
}

/** The blocks that a document shows as TypeScript. */
export function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^```ts( no-run)?\n([\s\S]*?)^```$/gm)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length + 1,
    code: match[2] ?? '',
    run: match[1] === undefined,
  }))
}

export function blocksOfFile(path: string): Block[] {
  return blocksOf(readFileSync(path, 'utf8'))
}

/** What a document says that its program prints: its blocks that begin with ` ```text `. */
export function printedOf(text: string): string[] {
  return [...text.matchAll(/^```text\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '')
}
