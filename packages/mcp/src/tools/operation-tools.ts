import { checkInput, type OperationShape } from '@mintmark/operation'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import * as v from 'valibot'
import type { Descriptions } from '../catalog/descriptions.ts'
import { toInputSchema, toObjectSchema } from '../catalog/schemas.ts'
import type { Clients } from '../clients.ts'
import { isIrreversible, toAnnotations } from '../policy.ts'
import { ToolError } from '../tool-error.ts'
import type { WriteExecutor } from '../writes/write-executor.ts'
import type { Confirmations } from './confirmations.ts'
import type { ResultWriter } from './results.ts'
import { checkTimeZones } from './time-zones.ts'
import { defineTool, type Tool, type ToolContext } from './tool.ts'

/** What calls of operations need. */
export interface OperationCaller {
  readonly clients: Clients
  readonly writes: WriteExecutor
  readonly confirmations: Confirmations
  readonly results: ResultWriter
  readonly allowedWrites: ReadonlySet<string>
  readonly descriptions: Descriptions
}

/** The arguments of a write in addition to its input. */
export const intentFields = {
  intent: v.optional(
    v.pipe(
      v.string(),
      v.minLength(1),
      v.maxLength(200),
      v.description(
        'Names what the user intends, such as "second batch". Equal calls of one intent take effect once. Default: the session. Pass another one only to do the same thing again on purpose.',
      ),
    ),
  ),
  confirmation: v.optional(
    v.pipe(v.string(), v.description('The token of a refusal with the kind ConfirmationRequired.')),
  ),
}

export interface WriteArguments {
  readonly input: Readonly<Record<string, unknown>>
  readonly intent?: string | undefined
  readonly confirmation?: string | undefined
}

/** Calls an operation that reads. */
export async function callRead(
  caller: OperationCaller,
  operation: OperationShape,
  input: Readonly<Record<string, unknown>>,
  { signal }: ToolContext,
): Promise<CallToolResult> {
  checkTimeZones(operation, input)
  const { data, requestId } = await caller.clients.call(operation, input, { signal })
  return caller.results.writeData(data, { requestId })
}

function refuseWrite({ id }: OperationShape): never {
  throw new ToolError({
    kind: 'NotAllowed',
    message: `${id} changes data, and this MCP server does not allow it`,
    whatToDo: `Tell the user: start the MCP server with --allow ${id} to allow this operation, or with --allow ${id.split('.')[0]}.* for its group.`,
  })
}

/** Calls an operation that writes, if it is allowed and confirmed. */
export async function callWrite(
  caller: OperationCaller,
  operation: OperationShape,
  { input, intent, confirmation }: WriteArguments,
  context: ToolContext,
): Promise<CallToolResult> {
  const { writes, confirmations, results, allowedWrites } = caller
  const { id } = operation
  if (!allowedWrites.has(id)) refuseWrite(operation)
  checkInput(operation, input)
  checkTimeZones(operation, input)
  const write = { operation, input, intent, session: context.session }
  const finished = writes.findResult(write)
  if (finished === undefined && isIrreversible(operation)) {
    const exact = { operation: id, input, ...(intent !== undefined && { intent }) }
    const message = `${id} cannot be undone.`
    await confirmations.require({ message, exact, token: confirmation }, context)
  }
  const { data, requestId, isRepeated } = finished ?? (await writes.execute(write))
  const note = isRepeated ? { note: REPEATED_NOTE } : {}
  return results.writeData(data, { requestId, ...note })
}

const REPEATED_NOTE =
  'An equal call took effect before, and this is its result. To do it again on purpose, pass another `intent`'

const openInput = v.record(v.string(), v.unknown())

/** Returns the tool of one operation, for servers with `--groups`. */
export function createOperationTool(caller: OperationCaller, operation: OperationShape): Tool {
  const { id, effect } = operation
  const description = caller.descriptions[id]
  const inputSchema = toInputSchema(operation, description)
  const name = id.replace('.', '_')
  const common = { name, description: description?.summary ?? id, annotations: toAnnotations(operation) }
  if (effect === 'read') {
    return defineTool({
      ...common,
      schema: openInput,
      inputSchema,
      call: (input, context) => callRead(caller, operation, input, context),
    })
  }
  const schema = v.strictObject({ input: openInput, ...intentFields })
  const write = toObjectSchema(schema)
  return defineTool({
    ...common,
    schema,
    inputSchema: { ...write, properties: { ...write.properties, input: inputSchema } },
    call: (call, context) => callWrite(caller, operation, call, context),
  })
}
