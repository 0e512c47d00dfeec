import { readFileSync } from 'node:fs'

/** The docstrings of operations and their fields. */
export interface Descriptions {
  readonly operations: Readonly<
    Record<string, { readonly summary: string; readonly fields: Readonly<Record<string, string>> }>
  >
}

/** Reads the docstrings that the build extracted from the sources. Returns empty ones without a build. */
export function readDescriptions(): Descriptions {
  try {
    return JSON.parse(readFileSync(new URL('../../dist/assets/descriptions.json', import.meta.url), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { operations: {} }
    throw error
  }
}

/** Removes the Markdown of a docstring that a terminal does not show: links and marks of code. */
export function toPlainText(text: string): string {
  return text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '')
}
