import { createMemoryStore } from '@mintmark/seller'
import { deliverOnce, type ToolCallback, type ToolResult } from '@mintmark/seller/mcp'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { x402ResourceServer } from '@x402/core/server'
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Environment, openPayer, startEnvironment } from './fixture.ts'
import { createHttpServer, NETWORK, SELLERS_WALLET } from './routes.ts'

const stops = new AsyncDisposableStack()
let environment: Environment
beforeAll(async () => {
  environment = await startEnvironment(stops)
})
afterAll(() => stops.disposeAsync())

type Tool = (args: { topic: string }, context: unknown) => ToolResult | Promise<ToolResult>
const toError = (content: object): ToolResult => ({
  isError: true,
  structuredContent: content,
  content: [{ type: 'text', text: JSON.stringify(content) }],
})

/** x402's transport for MCP: the payment is in `_meta`, and the request for payment in the result. */
function createPaymentWrapper(server: x402ResourceServer, accepts: PaymentRequirements[]) {
  return (handler: Tool): ToolCallback<{ topic: string }> =>
    async (args, extra) => {
      const meta = (extra as { _meta?: Record<string, unknown> })._meta
      const payment = meta?.['x402/payment'] as PaymentPayload | undefined
      const ask = async (error: string) =>
        toError(await server.createPaymentRequiredResponse(accepts, { url: 'mcp://tool/report' }, error))
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

/** Connects a client of the official SDK to a server with one paid tool. */
async function openTool() {
  const resources = createHttpServer(environment).server
  await resources.initialize()
  const accepts = await resources.buildPaymentRequirements({
    scheme: 'exact',
    network: NETWORK,
    payTo: SELLERS_WALLET,
    price: '$0.01',
  })
  const tool = { runs: 0 }
  const work: Tool = async ({ topic }) => {
    tool.runs += 1
    return { content: [{ type: 'text', text: `${topic} ${tool.runs}` }] }
  }
  const server = new Server({ name: 'reports', version: '1' }, { capabilities: { tools: {} } })
  const paid = deliverOnce(createPaymentWrapper(resources, accepts), work, resources, {
    store: createMemoryStore(),
    name: 'report',
  })
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
    paid({ topic: String(params.arguments?.topic) }, extra),
  )
  const client = new Client({ name: 'payer', version: '1' })
  const [one, other] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(one), client.connect(other)])
  stops.defer(() => client.close())
  const call = async (topic: string, payment?: PaymentPayload) =>
    (await client.callTool({
      name: 'report',
      arguments: { topic },
      ...(payment && { _meta: { 'x402/payment': payment } }),
    })) as ToolResult
  return { tool, call }
}

/** Asks for a tool, signs a new payment with the stock client, and asks again. */
async function buy(
  call: Awaited<ReturnType<typeof openTool>>['call'],
  topic: string,
  payer: Awaited<ReturnType<typeof openPayer>>,
) {
  const { structuredContent } = await call(topic)
  return call(topic, await payer.createClient().createPaymentPayload(structuredContent as PaymentRequired))
}

it('delivers the result of a paid tool once to a payer who signs again after the answer of the settle was lost', async () => {
  const [{ tool, call }, payer] = [await openTool(), await openPayer(environment)]
  environment.answers.mode = 'lose'
  const first = await buy(call, 'rome', payer)
  environment.answers.mode = 'pass'
  expect(first).toMatchObject({
    isError: true,
    structuredContent: { error: 'settlement_pending', retryAfter: 2 },
  })
  const second = await buy(call, 'rome', payer)
  expect(second).toMatchObject({
    content: [{ text: 'rome 1' }],
    _meta: { 'x402/payment-response': { success: true } },
  })
  expect(await payer.paid()).toBe(1n)
  expect(await buy(call, 'oslo', payer)).toMatchObject({ content: [{ text: 'oslo 2' }] })
  expect(await buy(call, 'rome', payer)).toMatchObject({ content: [{ text: 'rome 3' }] })
  expect([await payer.paid(), tool.runs]).toEqual([3n, 3])
})
