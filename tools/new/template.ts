import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import ts from 'typescript'
import { filesBelow } from '../workspace.ts'
import { type Names, replaced } from './names.ts'

/**
 * What a file of the template is, by its end: a file that is new (`.template`); a section for the end of a document that is there
 * (`.section`); rows for a table that is there (`.rows`).
 */
export type Kind = 'template' | 'section' | 'rows'

export interface Part {
  readonly kind: Kind
  /** From the repository's root, with slashes. */
  readonly path: string
  readonly text: string
}

const FOLDER = join(import.meta.dirname, 'template')

/** The template as it is written: the group `gift-cards` of a package `shop`, in folders like the repository's. */
export function templateParts(): readonly Part[] {
  return filesBelow(FOLDER, () => true).map((file) => {
    const [, path, kind] = /^(.*)\.(template|section|rows)$/.exec(relative(FOLDER, file)) ?? []
    if (path === undefined) throw new Error(`${file} is no part of a template: .template, .section or .rows`)
    // The pattern knows no other kind.
    return { kind: kind as Kind, path: path.split(sep).join('/'), text: readFileSync(file, 'utf8') }
  })
}

/** A template with the words of another group in its paths and texts. */
export function written(parts: readonly Part[], words: ReadonlyMap<string, string>): readonly Part[] {
  return parts.map(({ kind, path, text }) => ({
    kind,
    path: replaced(path, words),
    text: replaced(text, words),
  }))
}

/** A name of the group that its code also uses for something else, or undefined. */
export function ambiguousName(parts: readonly Part[], { camel, one }: Names): string | undefined {
  const used = new Set<string>()
  const collect = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) used.add(node.text)
    ts.forEachChild(node, collect)
  }
  for (const { path, text } of parts) {
    if (path.endsWith('.ts')) collect(ts.createSourceFile(path, text, ts.ScriptTarget.ESNext))
  }
  // What the template calls its own group is renamed.
  for (const own of ['giftCards', 'giftCard', 'GiftCard']) used.delete(own)
  return [camel, one.camel, one.pascal].find((name) => used.has(name))
}
