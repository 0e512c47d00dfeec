// What is written from templates, without the generator of the site: the build of the packages needs it too.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCodeBlocks } from './blocks.ts'

/** Fills the `{{names}}` of a template file. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return readFileSync(template, 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${template} has no value for ${name}`)
    return value.trimEnd()
  })
}

/** The first example in a package's README that contains a word. */
export function snippet(root: string, name: string, word: string): string {
  const file = join(root, 'packages', name, 'README.md')
  const found = readCodeBlocks(file).find((block) => block.code.includes(word))
  if (found === undefined) throw new Error(`${file} has no example with ${word}`)
  return found.code
}

export const fenced = (source: string): string => `\`\`\`ts\n${source}\`\`\``

/** What a program needs first: an installation, a client of each server, and errors. */
export function introduction(root: string): string {
  return fill(join(import.meta.dirname, 'introduction.md.template'), {
    gateway: fenced(snippet(root, 'cards', 'createGateway')),
    facilitator: fenced(snippet(root, 'facilitator', 'createFacilitator')),
    errors: fenced(snippet(root, 'envelope', 'isMintmarkError')),
  })
}
