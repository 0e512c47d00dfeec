import type { OperationShape } from '@mintmark/operation'
import * as v from 'valibot'
import { getHeadline } from '../catalog/descriptions.ts'
import { getArea, getGroup, operations } from '../catalog/operations.ts'
import { toInputSchema } from '../catalog/schemas.ts'
import { isIrreversible } from '../policy.ts'
import { ToolError } from '../tool-error.ts'
import { callRead, callWrite, intentFields, type OperationCaller } from './operation-tools.ts'
import { defineTool, type Tool } from './tool.ts'

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

const operationId = v.pipe(v.string(), v.description('The id of an operation, such as promoCodeCards.get.'))
const operationInput = v.pipe(
  v.optional(v.record(v.string(), v.unknown()), {}),
  v.description('The input of the operation. describe_operation returns its schema.'),
)

/** The most operations that an error names. */
const MAX_SIMILAR = 20

/** Counts the letters that two words begin with. */
function countEqualLetters(one: string, other: string): number {
  let count = 0
  while (count < one.length && one[count] === other[count]) count += 1
  return count
}

/**
 * Lists the operations of the group of an unknown id, those first that begin like it, or those with its name
 * in other groups.
 */
function listSimilarOperations(unknown: string): readonly string[] {
  const [group = '', name = ''] = unknown.toLowerCase().split('.')
  const ids = [...operations.keys()]
  const ofGroup = ids.filter((id) => id.toLowerCase().startsWith(`${group}.`))
  const similar = ofGroup.length > 0 ? ofGroup : ids.filter((id) => id.toLowerCase().endsWith(`.${name}`))
  const rank = (id: string) => countEqualLetters(unknown.toLowerCase(), id.toLowerCase())
  return similar.toSorted((a, b) => rank(b) - rank(a)).slice(0, MAX_SIMILAR)
}

function getOperation(id: string): OperationShape {
  const operation = operations.get(id)
  if (operation !== undefined) return operation
  const similar = listSimilarOperations(id)
  throw new ToolError({
    kind: 'UnknownOperation',
    message: `There is no operation ${id}`,
    whatToDo:
      similar.length === 0
        ? 'Find its id with list_operations.'
        : `Use one of: ${similar.join(', ')}. Or find its id with list_operations.`,
  })
}

function createListGroups({ clients, results, allowedWrites }: OperationCaller): Tool {
  return defineTool({
    name: 'list_groups',
    description:
      'Lists the groups of operations, with their area and their number of reads and writes. Begin here.',
    schema: v.strictObject({}),
    annotations: READS,
    async call() {
      const groups = Map.groupBy(operations.values(), getGroup)
      const rows = [...groups].map(([group, members]) => {
        const writes = members.filter(({ effect }) => effect === 'write')
        const area = members.map(getArea).find((each) => each !== undefined)
        const service = members[0]?.service ?? 'gateway'
        return {
          group,
          area,
          service,
          isConfigured: clients.has(service),
          reads: members.length - writes.length,
          writes: writes.length,
          allowedWrites: writes.filter(({ id }) => allowedWrites.has(id)).length,
        }
      })
      return results.writeData(rows)
    },
  })
}

function createListOperations({ results, allowedWrites, descriptions }: OperationCaller): Tool {
  return defineTool({
    name: 'list_operations',
    description: 'Lists operations with one sentence each, by group or by a word of their id or description.',
    schema: v.strictObject({
      group: v.optional(
        v.pipe(v.string(), v.description('A group, such as promoCodeCards, or an area, such as cards.')),
      ),
      search: v.optional(v.pipe(v.string(), v.description('A word of the id or the description.'))),
    }),
    annotations: READS,
    async call({ group, search = '' }) {
      const word = search.toLowerCase()
      const rows = [...operations.values()]
        .filter(
          (operation) => group === undefined || [getGroup(operation), getArea(operation)].includes(group),
        )
        .map(({ id, effect }) => {
          const summary = getHeadline(descriptions[id]?.summary ?? '')
          return { id, effect, summary, ...(effect === 'write' && { isAllowed: allowedWrites.has(id) }) }
        })
        .filter(({ id, summary }) => `${id} ${summary}`.toLowerCase().includes(word))
      return results.writeData(rows)
    },
  })
}

function createDescribeOperation({ results, allowedWrites, descriptions }: OperationCaller): Tool {
  return defineTool({
    name: 'describe_operation',
    description:
      'Returns what an operation does, the JSON Schema of its input, and the reasons for which it can be refused.',
    schema: v.strictObject({ operation: operationId }),
    annotations: READS,
    async call({ operation: id }) {
      const operation = getOperation(id)
      const { effect, service, scope, errors } = operation
      return results.writeData({
        id,
        description: descriptions[id]?.summary,
        callWith: effect === 'read' ? 'call_read' : 'call_write',
        ...(effect === 'write' && {
          isAllowed: allowedWrites.has(id),
          needsConfirmation: isIrreversible(operation),
        }),
        service,
        scope,
        refusals: errors.map((error) => ('reason' in error ? error.reason : error.kind)),
        inputSchema: toInputSchema(operation, descriptions[id]),
      })
    },
  })
}

function createCallRead(caller: OperationCaller): Tool {
  return defineTool({
    name: 'call_read',
    description: 'Calls an operation that reads, and returns its data. It changes nothing.',
    schema: v.strictObject({ operation: operationId, input: operationInput }),
    annotations: { ...READS, openWorldHint: true },
    async call({ operation: id, input }, context) {
      const operation = getOperation(id)
      if (operation.effect === 'read') return await callRead(caller, operation, input, context)
      throw new ToolError({
        kind: 'InvalidInput',
        message: `${id} changes data`,
        whatToDo: 'Call it with call_write, if the user intends the change.',
      })
    },
  })
}

function createCallWrite(caller: OperationCaller): Tool {
  return defineTool({
    name: 'call_write',
    description:
      'Calls an operation that changes data. Repeat the same call when its result was lost: it takes effect once. Irreversible operations need a confirmation by the user.',
    schema: v.strictObject({ operation: operationId, input: operationInput, ...intentFields }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    async call({ operation: id, ...write }, context) {
      const operation = getOperation(id)
      return operation.effect === 'write'
        ? await callWrite(caller, operation, write, context)
        : await callRead(caller, operation, write.input, context)
    },
  })
}

/** Creates the tools that find, describe and call all operations. */
export function createMetaTools(caller: OperationCaller): readonly Tool[] {
  return [
    createListGroups(caller),
    createListOperations(caller),
    createDescribeOperation(caller),
    createCallRead(caller),
    createCallWrite(caller),
  ]
}
