import { readFileSync } from 'node:fs'

/** A block of TypeScript in a document. */
export interface Block {
  /** The document's line that the block's first line of code stands on, from 1. */
  line: number
  code: string
}

/** The blocks that a document shows as TypeScript. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  for (const match of text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)) {
    blocks.push({ line: text.slice(0, match.index).split('\n').length + 1, code: match[1] ?? '' })
  }
  return blocks
}

export function blocksOfFile(path: string): Block[] {
  return blocksOf(readFileSync(path, 'utf8'))
}
