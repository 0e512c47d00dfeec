import { readFile } from 'node:fs/promises'

/** The docstrings of an operation, which the build extracts from the sources. */
export interface Description {
  readonly summary: string
  /** By field. A field of a nested object, or of a list of objects, is named `phases.price`. */
  readonly fields?: Readonly<Record<string, string>>
}

/** By the id of the operation. */
export type Descriptions = Readonly<Record<string, Description>>

const file = new URL('../../dist/assets/descriptions.json', import.meta.url)

/** Reads the docstrings. Empty without a build. */
export async function readDescriptions(): Promise<Descriptions> {
  try {
    const { operations } = JSON.parse(await readFile(file, 'utf8')) as { operations: Descriptions }
    return operations
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

/** Returns the first sentence of a docstring. */
export function getHeadline(summary: string): string {
  return summary.split(/\n|(?<=\.)\s/)[0] ?? ''
}
