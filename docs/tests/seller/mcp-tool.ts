// A paid tool of MCP with x402's transport, and how a payer buys it.

import type { SellerOptions } from '@mintmark/seller'
import { deliverOnce, type ToolCallback, type ToolResult } from '@mintmark/seller/mcp'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { x402Client } from '@x402/core/client'
import type { x402ResourceServer } from '@x402/core/server'
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { declarePaymentIdentifierExtension } from '@x402/extensions/payment-identifier'
import { NETWORK, SELLERS_WALLET } from './routes.ts'

export type Tool = (args: { topic: string }, context: unknown) => ToolResult | Promise<ToolResult>
const toError = (content: object): ToolResult => ({
  isError: true,
  structuredContent: content,
  content: [{ type: 'text', text: JSON.stringify(content) }],
})

const extensions = { 'payment-identifier': declarePaymentIdentifierExtension() }

/** x402's transport for MCP: the payment is in `_meta`, and the request for payment in the result. */
function createPaymentWrapper(server: x402ResourceServer, accepts: PaymentRequirements[]) {
  return (handler: Tool): ToolCallback<{ topic: string }> =>
    async (args, extra) => {
      const meta = (extra as { _meta?: Record<string, unknown> })._meta
      const payment = meta?.['x402/payment'] as PaymentPayload | undefined
      const ask = async (error: string) =>
        toError(
          await server.createPaymentRequiredResponse(
            accepts,
            { url: 'mcp://tool/report' },
            error,
            extensions,
          ),
        )
      const requirements = payment && server.findMatchingRequirements(accepts, payment)
      if (payment === undefined || requirements === undefined) return ask('Payment required')
      const verified = await server.verifyPayment(payment, requirements)
      if (!verified.isValid) return ask(verified.invalidReason ?? 'invalid')
      const result = await handler(args, extra)
      if (result.isError) return result
      try {
        const settled = await server.settlePayment(payment, requirements)
        if (!settled.success) return await ask(settled.errorReason ?? 'failed')
        return { ...result, _meta: { 'x402/payment-response': settled } }
      } catch (error) {
        return ask(String(error))
      }
    }
}

/** Creates a server of MCP whose tool `report` costs 0.01 USDC. */
export async function createPaidTool(
  resources: x402ResourceServer,
  work: Tool,
  options: SellerOptions,
): Promise<Server> {
  await resources.initialize()
  const accepts = await resources.buildPaymentRequirements({
    scheme: 'exact',
    network: NETWORK,
    payTo: SELLERS_WALLET,
    price: '$0.01',
  })
  const paid = deliverOnce(createPaymentWrapper(resources, accepts), work, resources, {
    ...options,
    name: 'report',
  })
  const server = new Server({ name: 'reports', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
    paid({ topic: String(params.arguments?.topic) }, extra),
  )
  return server
}

/** Asks for the tool, signs a new payment with the stock client, and asks again. */
export async function buyTool(client: Client, topic: string, payer: x402Client): Promise<ToolResult> {
  const call = async (payment?: PaymentPayload) =>
    (await client.callTool({
      name: 'report',
      arguments: { topic },
      ...(payment && { _meta: { 'x402/payment': payment } }),
    })) as ToolResult
  const { structuredContent } = await call()
  return call(await payer.createPaymentPayload(structuredContent as unknown as PaymentRequired))
}
