import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startStubNode } from '@mintmark/devkit/nodes/stub-node'
import { expect, onTestFinished, test } from 'vitest'
import { openChains } from './chains.ts'
import { openNodeAccess } from './node-access.ts'
import { isRangeTooLarge } from './range-too-large.ts'
import { createNodes, createRequestEach } from './request-each.ts'
import { describeChainError, findRpcError } from './rpc-error.ts'
import { createSendBatch } from './send-batch.ts'

const TIMEOUT_MS = 200
const calls = [{ method: 'eth_chainId', params: [] }]

type Stall = 'before the headers' | 'in the body' | 'with a byte now and then'

/** Starts a node that never completes a response. */
async function startStallingNode(stall: Stall): Promise<string> {
  const server = createServer((_, response) => {
    if (stall === 'before the headers') return
    response.writeHead(200, { 'content-type': 'application/json' }).write('[{"jsonrpc":"2.0",')
    if (stall === 'in the body') return
    const timer = setInterval(() => response.write(' '), TIMEOUT_MS / 4)
    response.on('close', () => clearInterval(timer))
  })
  return await listenLocally(server)
}

async function listenLocally(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // The server listens on a TCP port, so its address is an object.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each<Stall>(['before the headers', 'in the body', 'with a byte now and then'])(
  'a node that stalls %s is given up after the timeout, and the next one is asked',
  async (stall) => {
    const healthy = await startStubNode({ chainId: 7 })
    onTestFinished(() => healthy.close())
    const rpcUrls = [await startStallingNode(stall), healthy.url]
    const options = { timeout: TIMEOUT_MS, maxResponseBodySize: 1_000_000 }
    const openNodes = () => openNodeAccess({ rpcUrls, timeout: TIMEOUT_MS })
    expect(await createRequestEach(createNodes(openNodes(), options))(calls)).toEqual([{ result: '0x7' }])
    const sendBatch = createSendBatch({
      ...options,
      nodes: openNodes(),
      sendAlone: () => Promise.reject(new Error('alone')),
    })
    expect(await sendBatch(calls)).toEqual(['0x7'])
    const config = { id: 7, rpcUrls, finality: { depth: 1 }, requestTimeoutMs: TIMEOUT_MS }
    const chain = openChains([config]).byId(7)
    expect(await chain?.client.getChainId()).toBe(7)
    expect(await chain?.bulkClient.getChainId()).toBe(7)
  },
)

test('a node does not delay its next request by a Retry-After of a day', async () => {
  let requests = 0
  const server = createServer((_, response) => {
    requests += 1
    if (requests === 1) return void response.writeHead(429, { 'retry-after': '86400' }).end()
    response.writeHead(200, { 'content-type': 'application/json', 'retry-after': '86400' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 0, result: '0x7' }))
  })
  const rpcUrls = [await listenLocally(server)]
  const chain = openChains([{ id: 7, rpcUrls, finality: { depth: 1 } }]).byId(7)
  expect(await chain?.client.getChainId()).toBe(7)
  expect(requests).toBe(2)
})

test.each<Stall>(['before the headers', 'in the body'])(
  'a node that stalls %s returned no error, and a range of logs is split',
  async (stall) => {
    const rpcUrls = [await startStallingNode(stall)]
    const config = { id: 7, rpcUrls, finality: { depth: 1 }, requestTimeoutMs: TIMEOUT_MS }
    const chain = openChains([config]).byId(7)
    const error = await chain?.client
      .getLogs({ fromBlock: 0n, toBlock: 9n })
      .catch((failure: unknown) => failure)
    expect(findRpcError(error)).toBeUndefined()
    expect(describeChainError(error)).toBe('the node did not send its whole response in time')
    expect(isRangeTooLarge(error)).toBe(true)
  },
)
