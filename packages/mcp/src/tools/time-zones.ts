import { type Issue, Timestamp } from '@mintmark/envelope'
import { inputSchema, type OperationShape } from '@mintmark/operation'
import type * as v from 'valibot'
import { ToolError } from '../tool-error.ts'

/**
 * A date-time without a time zone. Servers read it as UTC, as the specification allows, and a user who states
 * a time usually means a local one.
 */
const ZONELESS_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/

/** The parts of a valibot schema that contain other schemas. */
interface SchemaParts {
  readonly wrapped?: v.GenericSchema
  readonly pipe?: readonly v.GenericSchema[]
  readonly item?: v.GenericSchema
  readonly entries?: Readonly<Record<string, v.GenericSchema>>
}

function* findZonelessTimes(schema: v.GenericSchema, value: unknown, path: string): Generator<Issue> {
  if (schema === Timestamp) {
    if (typeof value !== 'string' || !ZONELESS_TIME.test(value)) return
    yield { path, message: `${value} has no time zone. Append Z for UTC, or an offset such as +02:00` }
    return
  }
  // The generic type does not declare the parts; every schema of valibot has them as fields.
  const { wrapped, pipe, item, entries = {} } = schema as unknown as SchemaParts
  const inner = wrapped ?? pipe?.[0]
  if (inner !== undefined) return yield* findZonelessTimes(inner, value, path)
  if (typeof value !== 'object' || value === null) return
  const parts =
    item === undefined ? entries : Object.fromEntries(Object.keys(value).map((key) => [key, item]))
  for (const [name, part] of Object.entries(parts)) {
    yield* findZonelessTimes(part, Reflect.get(value, name), path === '' ? name : `${path}.${name}`)
  }
}

/**
 * Refuses an input with times that have no time zone, as the command line does.
 *
 * @throws ToolError
 */
export function checkTimeZones(operation: OperationShape, input: Readonly<Record<string, unknown>>): void {
  const issues = [...findZonelessTimes(inputSchema(operation), input, '')]
  if (issues.length === 0) return
  throw new ToolError({
    kind: 'InvalidInput',
    message: `The input of ${operation.id} has a time without a time zone. Nothing was sent`,
    whatToDo:
      'Ask the user for the time zone if it is not clear. Then change the fields that `issues` names.',
    issues,
  })
}
