import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Entries } from '@mintmark/envelope'
import type { OperationShape } from '@mintmark/operation'
import ts from 'typescript'
import * as v from 'valibot'
import { beforeAll, describe, expect, it } from 'vitest'
import operations from '../operations/operations.json' with { type: 'json' }
import { repositoryRoot } from '../workspace.ts'
import { startEditor } from './editor.ts'

interface Field {
  /** The field with its operation, such as `orders.preOrder quantity`. */
  readonly name: string
  /** The position of the field in the program. */
  readonly position: number
}

/** A value of a field by which an editor knows the input: it does not know one of the type `never`. */
const sampleOf = (schema: Entries[string] | undefined) => (schema && v.is(schema, 7) ? '7' : "'text'")

/** Writes a program that calls every operation with all fields of its input. */
async function createProgram(): Promise<{ text: string; fields: readonly Field[] }> {
  let text = 'declare const client: never\ndeclare const value: never\n'
  const fields: Field[] = []
  const imported = new Set<string>()
  for (const { package: name, id } of operations) {
    const [group = '', verb = ''] = id.split('.')
    const module: Readonly<Record<string, Readonly<Record<string, OperationShape>>>> = await import(
      `@mintmark/${name}`
    )
    const operation = module[group]?.[verb]
    if (operation === undefined) throw new Error(`@mintmark/${name} has no ${id}`)
    if (!imported.has(group)) text += `import { ${group} } from '@mintmark/${name}'\n`
    imported.add(group)
    const inputs: Entries = { ...operation.params, ...operation.query, ...operation.body }
    // The function of a stream has options instead of an input.
    if (operation.result === 'event-stream' || Object.keys(inputs).length === 0) continue
    // An input has one of the alternative fields, and an editor shows the input with that field.
    const { oneOf = [''] } = operation
    for (const given of oneOf) {
      text += `${id}(client, { `
      for (const input of Object.keys(inputs).filter((name) => name === given || !oneOf.includes(name))) {
        fields.push({ name: `${id} ${input}`, position: text.length })
        text += `${input}: ${input === given ? sampleOf(inputs[input]) : 'value'}, `
      }
      text += '})\n'
    }
  }
  return { text, fields }
}

/** A value that the editor offers for each field with a name. */
const OFFERED_VALUES: Readonly<Record<string, string>> = {
  marketType: '1',
  nftType: "'ERC721'",
  orderStatus: '2',
}

describe('an editor with the built declarations', { timeout: 600_000 }, () => {
  const path = join(repositoryRoot, 'tools', 'gates', 'every-input.mts')
  let fields: readonly Field[]
  let editor: ts.LanguageService
  beforeAll(async () => {
    const program = await createProgram()
    fields = program.fields
    editor = startEditor(path, program.text)
  })

  it('an editor with the built declarations offers the values of enumerations in inputs', () => {
    const checked = fields.filter(({ name }) => name.slice(name.indexOf(' ') + 1) in OFFERED_VALUES)
    expect(checked.length).toBeGreaterThan(4)
    const missing = checked.filter(({ name, position }) => {
      const input = name.slice(name.indexOf(' ') + 1)
      const completions = editor.getCompletionsAtPosition(path, position + `${input}: `.length, {})
      return !completions?.entries.some((entry) => entry.name === OFFERED_VALUES[input])
    })
    expect(missing.map(({ name }) => name)).toEqual([])
  })

  it('an editor with the built declarations shows the docstring of every field of every input', () => {
    const built =
      editor
        .getProgram()
        ?.getSourceFiles()
        .map(({ fileName }) => fileName) ?? []
    expect(built).toContain(fileURLToPath(new URL('../../packages/orders/dist/orders.d.ts', import.meta.url)))
    expect(fields.length).toBeGreaterThan(500)
    const undocumented = fields.filter(({ position }) => {
      const info = editor.getQuickInfoAtPosition(path, position)
      return ts.displayPartsToString(info?.documentation) === ''
    })
    expect(undocumented.map(({ name }) => name)).toEqual([])
  })
})
