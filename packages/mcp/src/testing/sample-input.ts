import { inputSchema, type OperationShape } from '@mintmark/operation'
import * as v from 'valibot'
import { type ObjectSchema, toInputSchema } from '../catalog/schemas.ts'

interface AnySchema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly AnySchema[]
  readonly minimum?: number
  readonly properties?: Readonly<Record<string, AnySchema>>
  readonly required?: readonly string[]
  readonly oneOf?: readonly { readonly required: readonly string[] }[]
  readonly items?: AnySchema
}

/** Texts of the formats that JSON Schema does not show, in the order in which they are tried. */
const TEXTS = [
  '1',
  '2030-01-01T00:00:00Z',
  `0x${'a'.repeat(40)}`,
  `0x${'b'.repeat(64)}`,
  `0x${'c'.repeat(130)}`,
  'https://example.com/hook',
  'eip155:8453',
]

function createValue(schema: AnySchema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf?.[0] !== undefined) return createValue(schema.anyOf[0])
  switch (schema.type) {
    case 'string':
      return TEXTS[0]
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'array':
      return schema.items === undefined ? [] : [createValue(schema.items)]
    default:
      return Object.fromEntries(
        [...(schema.required ?? []), ...(schema.oneOf?.[0]?.required ?? [])].map((name) => [
          name,
          createValue(schema.properties?.[name] ?? {}),
        ]),
      )
  }
}

type Container = Record<string, unknown>

/** Replaces the text at a path by the next one. */
function advanceText(input: Container, path: readonly PropertyKey[]): void {
  const last = String(path.at(-1))
  // Issues have the path of what the input contains.
  const parent = path.slice(0, -1).reduce<Container>((value, name) => value[String(name)] as Container, input)
  const index = TEXTS.indexOf(String(parent[last]))
  const next = TEXTS[index + 1]
  if (next === undefined) throw new Error(`No text fits ${path.join('.')}`)
  parent[last] = next
}

/** Creates an input that an operation accepts, from its schema. It has the required fields only. */
export function createSampleInput(operation: OperationShape): Readonly<Record<string, unknown>> {
  const schema: ObjectSchema = toInputSchema(operation, undefined)
  const input = createValue(schema as AnySchema) as Container
  for (;;) {
    const { issues } = v.safeParse(inputSchema(operation), input)
    if (issues === undefined) return input
    for (const { path } of issues) advanceText(input, path?.map(({ key }) => key as PropertyKey) ?? [])
  }
}
