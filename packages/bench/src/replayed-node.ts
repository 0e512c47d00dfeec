// A node that serves a replayed chain, and responds to each request after a delay. Parameters: the chain's
// size and the delay, as JSON.
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { type ChainSize, createReplayedChain, type ReplayedBlock, toHex } from './replayed-chain.ts'
import { serveParent } from './serve-parent.ts'

export interface NodeOptions extends ChainSize {
  readonly delayMs: number
}

interface Call {
  readonly id: number
  readonly method: string
  readonly params?: readonly unknown[]
}

interface LogFilter {
  readonly address: readonly string[]
  readonly blockHash?: string
  readonly fromBlock?: string
  readonly toBlock?: string
}

// The parent sends the options.
const { delayMs, ...size } = JSON.parse(process.argv[2] ?? '') as NodeOptions
const chain = createReplayedChain(size)
const head = chain.length - 1
const byHash = new Map(chain.map((block) => [block.hash, block]))
const BLOOM = `0x${'00'.repeat(256)}`

function formatHeader(block: ReplayedBlock | undefined): string {
  if (block === undefined) return 'null'
  const { number, hash, parentHash, time } = block
  return JSON.stringify({
    number: toHex(number),
    hash,
    parentHash,
    timestamp: toHex(time),
    logsBloom: BLOOM,
    transactions: [],
  })
}

function listLogs({ address, blockHash, fromBlock, toBlock }: LogFilter): string {
  const block = blockHash === undefined ? undefined : byHash.get(blockHash)
  const blocks = block ? [block] : chain.slice(Number(fromBlock), Number(toBlock) + 1)
  const selected = blocks.filter((each) => each.logs !== '' && address.includes(each.address))
  return `[${selected.map(({ logs }) => logs).join(',')}]`
}

/** Returns the result of a call as JSON. */
function getResult({ method, params = [] }: Call): string {
  const [first] = params
  if (method === 'eth_blockNumber') return `"${toHex(head)}"`
  if (method === 'eth_getBlockByNumber') return formatHeader(chain[first === 'latest' ? head : Number(first)])
  // The filter of this method.
  if (method === 'eth_getLogs') return listLogs(first as LogFilter)
  // The contracts exist from the first block on.
  if (method === 'eth_getCode') return '"0x00"'
  throw new Error(`${method} is not served. Add it to getResult`)
}

const respond = (call: Call): string => `{"jsonrpc":"2.0","id":${call.id},"result":${getResult(call)}}`

serveParent(async (request, response) => {
  const calls: Call | Call[] = JSON.parse(await text(request))
  if (delayMs > 0) await pause(delayMs)
  const body = Array.isArray(calls) ? `[${calls.map(respond).join(',')}]` : respond(calls)
  response.writeHead(200, { 'content-type': 'application/json' }).end(body)
})
