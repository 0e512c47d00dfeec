import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A text of a built file, and what an additive release makes of it. */
interface Edit {
  readonly file: string
  readonly from: string
  readonly to: string
}

/** What a minor release of transport may bring: optional fields on everything that passes between two copies, declared and in use. */
export const ADDITIONS: readonly Edit[] = [
  {
    file: 'transport/dist/operation.d.ts',
    from: 'readonly kind: Door;',
    to: 'readonly kind: Door;\n    readonly edition?: string;',
  },
  {
    file: 'transport/dist/operation.d.ts',
    from: 'export interface CallOptions {',
    to: "export interface CallOptions {\n    priority?: 'low' | 'high' | undefined;",
  },
  {
    file: 'transport/dist/operation.d.ts',
    from: 'export interface CallResult<Data = unknown> {',
    to: 'export interface CallResult<Data = unknown> {\n    edition?: string | undefined;',
  },
  {
    file: 'transport/dist/operation.d.ts',
    from: 'export interface OperationShape {',
    to: 'export interface OperationShape {\n    readonly edition?: string;',
  },
  {
    file: 'transport/dist/operation.js',
    from: 'errors: [],',
    to: "errors: [],\n        edition: 'newer',",
  },
  {
    file: 'transport/dist/operation.js',
    from: 'client.call(shape, input, options)',
    to: "client.call(shape, input, { priority: 'high', ...options })",
  },
  {
    file: 'transport/dist/client.js',
    from: '        kind,\n',
    to: "        kind,\n        edition: 'newer',\n",
  },
]

/** The opposite: a field that clients of an older copy do not answer. Such a release is a major one. */
export const REQUIRED_FIELD: readonly Edit[] = [
  {
    file: 'transport/dist/operation.d.ts',
    from: 'edition?: string | undefined;',
    to: 'edition: string | undefined;',
  },
]

/** Writes edits into the built files of packages; one that finds nothing to edit is a mistake here. */
export function applyEdits(packages: string, edits: readonly Edit[]): void {
  for (const { file, from, to } of edits) {
    const path = join(packages, file)
    const text = readFileSync(path, 'utf8')
    if (!text.includes(from)) throw new Error(`${file} does not say ${from}`)
    writeFileSync(
      path,
      text.replace(from, () => to),
    )
  }
}
