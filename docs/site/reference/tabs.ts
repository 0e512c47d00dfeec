import type { OperationShape } from '@mintmark/operation'
import { createExampleWords, formatCommand } from '../../../packages/mintmark/src/cli/example.ts'
import { listGroups } from '../../../packages/mintmark/src/cli/operations.ts'
import { createSampleInput } from '../../../packages/mintmark/src/cli/sample-values.ts'
import type { Operation } from './catalog.ts'

const COMMANDS = new Map(
  listGroups().flatMap((group) =>
    group.operations.map((each) => [each.operation.id, createExampleWords(group, each)] as const),
  ),
)

/** The widest line of a command. */
const COLUMNS = 76

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Encodes a text of a path or a query by RFC 3986, as calls are signed. */
const encode = (value: unknown): string =>
  encodeURIComponent(String(value)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  )

/** The input of the docstring's example, and a value for each other field that is required. */
function exampleInput({ shape, docs }: Operation): Readonly<Record<string, unknown>> {
  return { ...docs.example, ...createSampleInput(shape, false), ...docs.example }
}

/** Calls the gateway by the function of the guide about other languages, and the facilitator by curl alone. */
function curlCommand(
  { service, method, scope, ...shape }: OperationShape,
  input: Readonly<Record<string, unknown>>,
): string {
  const pick = (fields: object = {}) => Object.entries(input).filter(([name]) => name in fields)
  const path = shape.path.replace(/\{(\w+)\}/g, (_, name: string) => encode(input[name]))
  const pairs = pick(shape.query).map(([name, value]) => `${encode(name)}=${encode(value)}`)
  const query = pairs.toSorted().join('&')
  const body = shape.body && quote(JSON.stringify(Object.fromEntries(pick(shape.body))))
  if (service === 'gateway') {
    const words = [query === '' && body === undefined ? '' : quote(query), body ?? ''].filter(
      (word) => word !== '',
    )
    return ['call', method, path, ...words].join(' ')
  }
  const address = `"$MINTMARK_FACILITATOR_URL${path}${query === '' ? '' : `?${query}`}"`
  const words = [
    `curl --request ${method} ${address}`,
    `--header "Authorization: Bearer $MINTMARK_FACILITATOR_TOKEN"`,
    ...(body === undefined ? [] : [`--header 'Content-Type: application/json' --data ${body}`]),
  ]
  return words.join(' \\\n  ')
}

/** The example of an operation in tabs: TypeScript, the command line, and curl. */
export function exampleTabs(operation: Operation, code: string): string {
  const words = COMMANDS.get(operation.shape.id)
  const tabs = [
    `\`\`\`ts [TypeScript]\n${code}\`\`\``,
    ...(words === undefined ? [] : [`\`\`\`sh [CLI]\n${formatCommand(words, COLUMNS)}\n\`\`\``]),
    `\`\`\`sh [curl]\n${curlCommand(operation.shape, exampleInput(operation))}\n\`\`\``,
  ]
  return `::: code-group\n\n${tabs.join('\n\n')}\n\n:::`
}
