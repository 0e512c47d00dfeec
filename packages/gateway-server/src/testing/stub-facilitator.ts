import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'

/** A request that the stub received. */
export interface ReceivedCall {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** What the stub responds. Undefined: it never responds. */
export interface StubResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The response of an operator interface. */
export const interfaceResponse = (status: number, body: unknown): StubResponse => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
})

/** A server in place of a facilitator. It records what it receives, and misbehaves as the test sets. */
export interface StubFacilitator {
  readonly url: string
  readonly received: ReceivedCall[]
  response: StubResponse | undefined
  /** Closes all connections. */
  disconnect(): void
  close(): void
}

export async function startStubFacilitator(): Promise<StubFacilitator> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      stub.received.push({ method, path, headers, body: Buffer.concat(chunks).toString('utf8') })
      if (stub.response === undefined) return
      response.writeHead(stub.response.status, stub.response.headers)
      response.end(stub.response.body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The stub has no port')
  const stub: StubFacilitator = {
    url: `http://127.0.0.1:${address.port}`,
    received: [],
    response: undefined,
    disconnect: () => server.closeAllConnections(),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return stub
}
