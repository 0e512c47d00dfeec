import type { x402ResourceServer } from '@x402/core/server'
import type { SettleResponse } from '@x402/core/types'
import { attachToResourceServer } from './attach.ts'
import { type Answer, type Call, calls } from './call.ts'
import { type SellerOptions, withDefaults } from './options.ts'
import { endCall, runCall } from './settle-purchase.ts'

/** What a tool returns. */
export interface ToolResult {
  [field: string]: unknown
  content: { type: 'text'; text: string }[]
  isError?: boolean
  _meta?: Record<string, unknown>
}

/** What a paid tool of x402's transport for MCP is: `extra` has the payment in `_meta`. */
export type ToolCallback<Arguments, Result = ToolResult> = (
  args: Arguments,
  extra: unknown,
) => Result | Promise<Result>

type Handler<Arguments, Context> = (args: Arguments, context: Context) => ToolResult | Promise<ToolResult>

export interface ToolOptions extends SellerOptions {
  /** The name of the tool. */
  readonly name: string
}

/**
 * Makes purchases of a paid tool paid once and delivered once.
 *
 * MCP does not report whether a result has arrived, so a result counts as delivered unless the call was cancelled before. Payers that name purchases by
 * `payment-identifier` receive it again.
 *
 * @param wrap What `createPaymentWrapper` of `@x402/mcp` returns, which is not in the npm registry. Tested with a wrapper of the same transport.
 * @param handler The tool.
 * @param server The resource server of the wrapper.
 *
 * @example
 * ```ts
 * const paid = createPaymentWrapper(server, { accepts })
 * mcp.registerTool('search', config, deliverOnce(paid, search, server, { store, name: 'search' }))
 * ```
 */
export function deliverOnce<Arguments, Context>(
  wrap: (handler: Handler<Arguments, Context>) => ToolCallback<Arguments>,
  handler: Handler<Arguments, Context>,
  server: x402ResourceServer,
  { name, ...options }: ToolOptions,
): ToolCallback<Arguments> {
  attachToResourceServer(server)
  const settings = withDefaults(options)
  const paid = wrap(async (args, context) => {
    const result = await handler(args, context)
    const call = calls.getStore()
    // A result that is an error is not settled.
    if (call !== undefined && result.isError !== true)
      call.written = { body: Buffer.from(JSON.stringify(result)) }
    return result
  })
  return async (args, extra) => {
    const call: Call = {
      settings,
      status: 200,
      readResource: async () => ({ route: `mcp://tool/${name}`, body: args }),
    }
    const stock = await runCall(call, () => paid(args, extra))
    const settlement = call.entry?.purchase.settlement
    await endCall(call, !(extra as { signal?: AbortSignal } | undefined)?.signal?.aborted)
    return call.answer === undefined ? stock : toResult(call.answer, settlement)
  }
}

function toResult(answer: Answer, settlement: SettleResponse | undefined): ToolResult {
  if (answer.kind === 'redeem') {
    const result = JSON.parse(Buffer.from(answer.response.body, 'base64').toString()) as ToolResult
    return {
      ...result,
      _meta: { ...result._meta, ...(settlement && { 'x402/payment-response': settlement }) },
    }
  }
  const { error, message, retryAfter } = answer.refusal
  const refusal = { error, message, ...(retryAfter !== undefined && { retryAfter }) }
  return {
    isError: true,
    structuredContent: refusal,
    content: [{ type: 'text', text: JSON.stringify(refusal) }],
  }
}
