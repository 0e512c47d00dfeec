import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What to do with one JSON-RPC request instead of forwarding it: an answer, or 'hang up'. */
export type Interference = (method: string, params: unknown) => object | 'hang up' | undefined

/** A node in front of the node: it forwards everything but what a test interferes with. */
export interface FaultyNode {
  readonly url: string
  interfere: Interference
  /** Methods that were called, in order. */
  readonly calls: string[]
  close(): void
}

export async function faultyNode(rpcUrl: string): Promise<FaultyNode> {
  const calls: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    // What viem sends is one JSON-RPC request.
    const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: unknown }
    calls.push(method)
    const instead = node.interfere(method, params)
    if (instead === 'hang up') return void request.socket.destroy()
    response.setHeader('content-type', 'application/json')
    if (instead) return void response.end(JSON.stringify({ jsonrpc: '2.0', id, ...instead }))
    const answer = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    response.end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Listening on a port, so its address is an object.
  const { port } = server.address() as AddressInfo
  const node: FaultyNode = {
    url: `http://127.0.0.1:${port}`,
    interfere: () => undefined,
    calls,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
  return node
}
