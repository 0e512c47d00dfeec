// A seller in a process of its own, which its parent kills.
import { randomUUID } from 'node:crypto'
import { runOrders } from '@mintmark/devkit/served-process'
import { createPostgresStore } from '@mintmark/seller'
import { deliverOnce } from '@mintmark/seller/express'
import { createPaymentStatus } from '@mintmark/seller/status'
import { createFacilitator } from '@mintmark/transport'
import { paymentMiddlewareFromHTTPServer } from '@x402/express'
import express from 'express'
import { Pool } from 'pg'
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
  const app = express()
  app.use(
    deliverOnce(
      paymentMiddlewareFromHTTPServer,
      createHttpServer({ answers: { url: facilitatorUrl }, account: { token } }),
      {
        store: createPostgresStore(pool),
        status: createPaymentStatus(facilitator),
        handlerMs: 5_000,
        onError: () => {},
      },
    ),
  )
  app.get('/report', ({ query }, response) => void response.send(`report ${query.n} of run ${randomUUID()}`))
  const stops = new AsyncDisposableStack()
  stops.defer(() => pool.end())
  const url = await serve(app, stops)
  return { url, close: () => stops.disposeAsync() }
}

runOrders(sell)
