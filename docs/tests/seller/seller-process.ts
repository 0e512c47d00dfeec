// A seller in a process of its own, which its parent kills.
import { randomUUID } from 'node:crypto'
import { runOrders } from '@mintmark/devkit/served-process'
import { createPostgresStore } from '@mintmark/seller'
import { deliverOnce } from '@mintmark/seller/express'
import { createPaymentStatus } from '@mintmark/seller/status'
import { createFacilitator } from '@mintmark/transport'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { paymentMiddlewareFromHTTPServer } from '@x402/express'
import express from 'express'
import { Pool } from 'pg'
import { createPaidTool, type Tool } from './mcp-tool.ts'
import { createHttpServer } from './routes.ts'
import { serve } from './serve.ts'

/** How to sell. */
export interface SellerOrders {
  readonly databaseUrl: string
  readonly facilitatorUrl: string
  readonly token: string
}

async function sell({ databaseUrl, facilitatorUrl, token }: SellerOrders) {
  const pool = new Pool({ connectionString: databaseUrl })
  // Connections are cut by the test.
  pool.on('error', () => {})
  const facilitator = createFacilitator({ baseUrl: facilitatorUrl, credentials: { token } })
  const http = createHttpServer({ answers: { url: facilitatorUrl }, account: { token } })
  const options = {
    store: createPostgresStore(pool),
    status: createPaymentStatus(facilitator),
    handlerMs: 5_000,
    onError: () => {},
  }
  const write = (topic: unknown) => `report ${topic} of run ${randomUUID()}`
  const app = express()
  app.post('/mcp', async (request, response) => {
    const work: Tool = async ({ topic }) => ({ content: [{ type: 'text', text: write(topic) }] })
    const server = await createPaidTool(http.server, work, options)
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport as Transport)
    await transport.handleRequest(request, response)
  })
  app.use(deliverOnce(paymentMiddlewareFromHTTPServer, http, options))
  app.get('/report', ({ query }, response) => void response.send(write(query.n)))
  const stops = new AsyncDisposableStack()
  stops.defer(() => pool.end())
  const url = await serve(app, stops)
  return { url, close: () => stops.disposeAsync() }
}

runOrders(sell)
