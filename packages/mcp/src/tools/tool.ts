import { describeIssue, type Issue } from '@mintmark/envelope'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type {
  CallToolResult,
  ServerNotification,
  ServerRequest,
  ToolAnnotations,
} from '@modelcontextprotocol/sdk/types.js'
import * as v from 'valibot'
import { type ObjectSchema, toObjectSchema } from '../catalog/schemas.ts'
import { ToolError } from '../tool-error.ts'

/** The session and the request that a tool is called in. */
export interface ToolContext {
  /** The id of the session, which is the default intent of its writes. */
  readonly session: string
  readonly supportsElicitation: boolean
  readonly signal: AbortSignal
  /** Sends a request to the client, as a part of the call. */
  readonly sendRequest: RequestHandlerExtra<ServerRequest, ServerNotification>['sendRequest']
}

export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly annotations: ToolAnnotations
  /** Errors become results. */
  call(input: unknown, context: ToolContext): Promise<CallToolResult>
}

interface ToolDefinition<S extends v.GenericSchema> {
  readonly name: string
  readonly description: string
  readonly schema: S
  /** Shown to the model instead of the JSON Schema of `schema`. */
  readonly inputSchema?: ObjectSchema
  readonly annotations: ToolAnnotations
  readonly call: (input: v.InferOutput<S>, context: ToolContext) => Promise<CallToolResult>
}

/** Describes what is wrong with an argument. An unknown one comes with the names of the arguments. */
function describeArgument(issue: v.BaseIssue<unknown>, { properties = {} }: ObjectSchema): Issue {
  const isUnknown = issue.expected === 'never' && issue.path?.length === 1
  const { path, message } = describeIssue(issue)
  if (!isUnknown) return { path, message }
  const names = Object.keys(properties)
  const advice = names.length === 0 ? 'The tool takes no arguments' : `Expected: ${names.join(', ')}`
  return { path, message: `Unknown argument. ${advice}` }
}

/** Defines a tool whose input is checked against its schema. */
export function defineTool<S extends v.GenericSchema>(definition: ToolDefinition<S>): Tool {
  const { schema, inputSchema = toObjectSchema(schema), call, ...rest } = definition
  return {
    ...rest,
    inputSchema,
    async call(input, context) {
      const { success, output, issues } = v.safeParse(schema, input)
      if (!success) {
        throw new ToolError({
          kind: 'InvalidInput',
          message: `The arguments of ${definition.name} are invalid`,
          whatToDo: 'Change the arguments that `issues` names.',
          issues: issues.map((issue) => describeArgument(issue, inputSchema)),
        })
      }
      return await call(output, context)
    },
  }
}
