import { createMemoryStore } from '@mintmark/seller'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Environment, openPayer, startEnvironment } from './fixture.ts'
import { buyTool, createPaidTool, type Tool } from './mcp-tool.ts'
import { createHttpServer } from './routes.ts'

const stops = new AsyncDisposableStack()
let environment: Environment
beforeAll(async () => {
  environment = await startEnvironment(stops)
})
afterAll(() => stops.disposeAsync())

/** Connects a client of the official SDK to a server with one paid tool. */
async function openTool() {
  const tool = { runs: 0 }
  const work: Tool = async ({ topic }) => {
    tool.runs += 1
    return { content: [{ type: 'text', text: `${topic} ${tool.runs}` }] }
  }
  const resources = createHttpServer(environment).server
  const server = await createPaidTool(resources, work, { store: createMemoryStore() })
  const client = new Client({ name: 'payer', version: '1' })
  const [one, other] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(one), client.connect(other)])
  stops.defer(() => client.close())
  const buy = (topic: string, payer: Awaited<ReturnType<typeof openPayer>>) =>
    buyTool(client, topic, payer.createClient())
  return { tool, buy }
}

it('delivers the result of a paid tool once to a payer who signs again after the answer of the settle was lost', async () => {
  const [{ tool, buy }, payer] = [await openTool(), await openPayer(environment)]
  environment.answers.mode = 'lose'
  const first = await buy('rome', payer)
  environment.answers.mode = 'pass'
  expect(first).toMatchObject({
    isError: true,
    structuredContent: { error: 'settlement_pending', retryAfter: 2 },
  })
  const second = await buy('rome', payer)
  expect(second).toMatchObject({
    content: [{ text: 'rome 1' }],
    _meta: { 'x402/payment-response': { success: true } },
  })
  expect(await payer.paid()).toBe(1n)
  expect(await buy('oslo', payer)).toMatchObject({ content: [{ text: 'oslo 2' }] })
  expect(await buy('rome', payer)).toMatchObject({ content: [{ text: 'rome 3' }] })
  expect([await payer.paid(), tool.runs]).toEqual([3n, 3])
})
