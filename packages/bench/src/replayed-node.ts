// A node that serves a replayed chain, and responds to each request after a delay. Parameters: the chain's
// size and the delay, as JSON.
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { devChainId } from '@mintmark/devkit/chain/chain'
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
  readonly address?: string | readonly string[]
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
const SENDER = `0x${'c3'.repeat(20)}`
const ZERO_HASH = `0x${'00'.repeat(32)}`
/** The fields of a block that say nothing about its transfers. */
const OTHER_FIELDS = {
  baseFeePerGas: '0x1',
  difficulty: '0x0',
  extraData: '0x',
  gasLimit: '0x1c9c380',
  gasUsed: '0x0',
  miner: SENDER,
  mixHash: ZERO_HASH,
  nonce: '0x0000000000000000',
  receiptsRoot: ZERO_HASH,
  sha3Uncles: ZERO_HASH,
  size: '0x200',
  stateRoot: ZERO_HASH,
  totalDifficulty: '0x0',
  transactionsRoot: ZERO_HASH,
}

/** @param withTransactions Whether the block contains its transactions or only the header. */
function formatBlock(block: ReplayedBlock | undefined, withTransactions: boolean): string {
  if (block === undefined) return 'null'
  const { number, hash, parentHash, time } = block
  return JSON.stringify({
    number: toHex(number),
    hash,
    parentHash,
    timestamp: toHex(time),
    logsBloom: BLOOM,
    ...(withTransactions && { ...OTHER_FIELDS, transactions: listTransactions(block) }),
  })
}

interface LogOfTransaction {
  readonly transactionHash: string
  readonly transactionIndex: string
}

function listTransactions({ logs, number, hash, address }: ReplayedBlock): unknown[] {
  // As `createReplayedChain` writes them.
  const parsed = JSON.parse(`[${logs}]`) as LogOfTransaction[]
  const byTransaction = new Map(parsed.map((log) => [log.transactionHash, log.transactionIndex]))
  return [...byTransaction].map(([transactionHash, transactionIndex]) => ({
    hash: transactionHash,
    transactionIndex,
    blockNumber: toHex(number),
    blockHash: hash,
    from: SENDER,
    to: address,
    type: '0x2',
    input: '0x',
    value: '0x0',
    nonce: '0x0',
    gas: '0x186a0',
    gasPrice: '0x1',
    maxFeePerGas: '0x1',
    maxPriorityFeePerGas: '0x1',
    chainId: toHex(devChainId),
    accessList: [],
    r: '0x1',
    s: '0x1',
    v: '0x0',
    yParity: '0x0',
  }))
}

function listLogs({ address, blockHash, fromBlock, toBlock }: LogFilter): string {
  const block = blockHash === undefined ? undefined : byHash.get(blockHash)
  const blocks = block ? [block] : chain.slice(Number(fromBlock), Number(toBlock) + 1)
  const selected = blocks.filter(
    (each) => each.logs !== '' && (address === undefined || address.includes(each.address)),
  )
  return `[${selected.map(({ logs }) => logs).join(',')}]`
}

/** Returns the result of a call as JSON. */
function getResult({ method, params = [] }: Call): string {
  const [first, second] = params
  if (method === 'eth_chainId') return `"${toHex(devChainId)}"`
  if (method === 'eth_blockNumber') return `"${toHex(head)}"`
  if (method === 'eth_getBlockByNumber')
    return formatBlock(chain[first === 'latest' ? head : Number(first)], second === true)
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
