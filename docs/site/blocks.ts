import { readFileSync } from 'node:fs'

/** A block of TypeScript in a document. */
export interface Block {
  /** The line of the block's first line of code in the document, from 1. */
  line: number
  code: string
  /**
   * Whether `docs/tests` runs it. Blocks begin with ` ```ts `; those that need what a test lacks, such as a
   * browser or a key service, begin with ` ```ts no-run ` and are compiled only.
   */
  run: boolean
}

/** The TypeScript blocks of a document. */
export function listCodeBlocks(text: string): Block[] {
  return [...text.matchAll(/^```ts( no-run)?\n([\s\S]*?)^```$/gm)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length + 1,
    code: match[2] ?? '',
    run: match[1] === undefined,
  }))
}

export function readCodeBlocks(path: string): Block[] {
  return listCodeBlocks(readFileSync(path, 'utf8'))
}

/** The expected output of a document's program: its blocks that begin with ` ```text `. */
export function listPrintedTexts(text: string): string[] {
  return [...text.matchAll(/^```text\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '')
}
