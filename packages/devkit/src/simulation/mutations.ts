import fs from 'node:fs'
import { registerHooks, syncBuiltinESMExports } from 'node:module'
import { fileURLToPath } from 'node:url'

/** A mistake in the product's code that simulations find. */
export interface Mutation {
  /** What the product then does, after "finds a server that …". */
  readonly name: string
  /** The module, or the file of an SQL function. */
  readonly file: URL
  /** What the file contains exactly once. */
  readonly from: string
  readonly to: string
}

/** The variable with the name of the mutation that a worker applies. */
export const MUTATION_VARIABLE = 'SIMULATED_MUTATION'

/**
 * Changes a file of the product while this operating system process loads it. The file itself stays as it is.
 * It must run before the code that is simulated is imported.
 */
export function applyMutation(mutations: readonly Mutation[]): void {
  const name = process.env[MUTATION_VARIABLE]
  if (name === undefined) return
  const mutation = mutations.find((each) => each.name === name)
  if (mutation === undefined) throw new Error(`There is no mutation "${name}"`)
  if (mutation.file.pathname.endsWith('.sql')) mutateTextFile(mutation)
  else mutateModule(mutation)
}

function mutateModule(mutation: Mutation): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (url !== mutation.file.href) return loaded
      return { ...loaded, source: mutate(String(loaded.source), mutation) }
    },
  })
}

function mutateTextFile(mutation: Mutation): void {
  const { readFileSync } = fs
  const readMutated = (path: fs.PathOrFileDescriptor, options: BufferEncoding) => {
    const text = readFileSync(path, options)
    return path instanceof URL && path.href === mutation.file.href ? mutate(text, mutation) : text
  }
  Object.assign(fs, { readFileSync: readMutated })
  syncBuiltinESMExports()
}

function mutate(text: string, { name, file, from, to }: Mutation): string {
  const parts = text.split(from)
  if (parts.length !== 2)
    throw new Error(`The mutation "${name}" changes nothing, or too much, in ${fileURLToPath(file)}`)
  return parts.join(to)
}
