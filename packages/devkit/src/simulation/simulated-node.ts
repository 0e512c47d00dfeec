import { domainSeparator, type Hex } from 'viem'
import { encodeRevert, type SimulatedTransaction, toAuthorizationKey } from './chain-state.ts'
import type { ChainView, MinedTransaction, SimulatedBlock, SimulatedChain } from './simulated-chain.ts'
import { PERMIT2, PROXIES, toNonceWord } from './simulated-permit2.ts'

/** One call of a JSON-RPC method. */
export interface NodeRequest {
  readonly id: unknown
  readonly method: string
  readonly params?: readonly unknown[]
}

/** How a node responds to one HTTP request. */
export interface NodeView extends ChainView {
  /** Whether it returns no receipts, as a node whose index is behind. */
  readonly lacksReceipts: boolean
  /** Whether ranges of logs miss their newest block. */
  readonly missesLogs: boolean
  /**
   * Whether it knows the transactions of its own blocks only: its pool was full when others arrived, or
   * nobody sent it any.
   */
  readonly forgetsPool: boolean
}

/** Decodes the signed bytes of a transaction. */
export type DecodeTransaction = (raw: Hex) => SimulatedTransaction

class RpcFailure extends Error {
  readonly code: number
  readonly data: Hex | undefined
  constructor(code: number, message: string, data?: Hex) {
    super(message)
    this.code = code
    this.data = data
  }
}

const MULTICALL = '0xca11bde05977b3631167028862be2a173976ca11'
const TRANSFER_GAS = 70_000
/** Of a transaction without call data. */
const PLAIN_GAS = 21_000
const TIP = 1_000_000_000n

const toQuantity = (value: number | bigint): Hex => `0x${value.toString(16)}`
const toWord = (value: number | bigint): string => value.toString(16).padStart(64, '0')

/** Returns the response of a node to one call, as execution clients format it. */
export function respond(
  chain: SimulatedChain,
  view: NodeView,
  request: NodeRequest,
  decode: DecodeTransaction,
): object {
  const { id, method, params = [] } = request
  const parts = { chain, view, decode }
  try {
    const handler = METHODS[method]
    if (handler === undefined) throw new RpcFailure(-32601, `The method ${method} does not exist`)
    return { jsonrpc: '2.0', id, result: handler(parts, params) }
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error
    const { code, message, data } = error
    return { jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } }
  }
}

interface NodeParts {
  readonly chain: SimulatedChain
  readonly view: NodeView
  readonly decode: DecodeTransaction
}

const METHODS: Readonly<Record<string, (parts: NodeParts, params: readonly unknown[]) => unknown>> = {
  eth_blockNumber: ({ view }) => toQuantity(getHead(view).number),
  eth_chainId: ({ chain }) => toQuantity(chain.options.id),
  eth_maxPriorityFeePerGas: () => toQuantity(TIP),
  eth_getCode: () => '0x',
  eth_getBlockByNumber: (parts, [which]) => formatBlock(findBlock(parts, which)),
  eth_getTransactionReceipt: (parts, [hash]) => findReceipt(parts, String(hash)),
  eth_getTransactionByHash: (parts, [hash]) => findTransaction(parts, String(hash)),
  eth_getTransactionCount: countTransactions,
  eth_getBalance: (parts, [address, which]) =>
    toQuantity(requireBlock(parts, which).state.balances.get(String(address).toLowerCase()) ?? 0n),
  eth_getLogs: (parts, [filter]) => findLogs(parts, filter as LogFilter),
  eth_call: (parts, [call, which]) => callContract(parts, call as RpcCall, requireBlock(parts, which)),
  eth_estimateGas: ({ view, chain }, [call]) => {
    execute(chain, call as RpcCall, getHead(view))
    return toQuantity(TRANSFER_GAS)
  },
  eth_sendRawTransaction: ({ chain, decode }, [raw]) => {
    const transaction = decode(raw as Hex)
    const refusal = chain.submit(transaction)
    if (refusal !== undefined) throw new RpcFailure(-32000, refusal)
    return transaction.hash
  },
}

function getHead({ blocks }: ChainView): SimulatedBlock {
  const head = blocks.at(-1)
  if (head === undefined) throw new Error('A simulated node has no block')
  return head
}

/** Finds the block that a parameter selects: a number, a tag, or a hash (EIP-1898). */
function findBlock({ view }: NodeParts, which: unknown): SimulatedBlock | undefined {
  const { blocks, finalized } = view
  if (which === 'latest' || which === 'pending' || which === undefined) return getHead(view)
  if (which === 'finalized' || which === 'safe') return blocks[finalized]
  if (typeof which === 'object' && which !== null && 'blockHash' in which)
    return blocks.find(({ hash }) => hash === which.blockHash)
  return blocks[Number(which)]
}

function requireBlock(parts: NodeParts, which: unknown): SimulatedBlock {
  const block = findBlock(parts, which)
  if (block === undefined) throw new RpcFailure(-32000, 'header not found')
  return block
}

function formatBlock(block: SimulatedBlock | undefined): object | null {
  if (block === undefined) return null
  return {
    number: toQuantity(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    timestamp: toQuantity(block.timestamp),
    baseFeePerGas: toQuantity(block.baseFeePerGas),
    gasLimit: toQuantity(30_000_000),
    gasUsed: '0x0',
    difficulty: '0x0',
    size: '0x0',
    transactions: block.transactions.map(({ transaction }) => transaction.hash),
  }
}

/** A transaction in the pool counts for `pending` only. */
function countTransactions(parts: NodeParts, [address, which]: readonly unknown[]): Hex {
  const from = String(address).toLowerCase()
  const mined = requireBlock(parts, which).state.nonces.get(from) ?? 0
  return toQuantity(which === 'pending' ? Math.max(mined, parts.chain.getPendingNonce(from)) : mined)
}

function listLogs(block: SimulatedBlock) {
  let logIndex = 0
  return block.transactions.flatMap(({ transaction, execution }, transactionIndex) =>
    (execution.succeeded ? execution.logs : []).map((log) => {
      logIndex += 1
      return {
        ...log,
        blockNumber: toQuantity(block.number),
        blockHash: block.hash,
        transactionHash: transaction.hash,
        transactionIndex: toQuantity(transactionIndex),
        logIndex: toQuantity(logIndex - 1),
        removed: false,
      }
    }),
  )
}

function findReceipt({ view }: NodeParts, hash: string): object | null {
  if (view.lacksReceipts) return null
  const isIncluded = ({ transaction }: MinedTransaction) => transaction.hash === hash
  const block = view.blocks.find(({ transactions }) => transactions.some(isIncluded))
  const index = block?.transactions.findIndex(isIncluded) ?? -1
  const included = block?.transactions[index]
  if (block === undefined || included === undefined) return null
  return {
    transactionHash: hash,
    transactionIndex: toQuantity(index),
    blockNumber: toQuantity(block.number),
    blockHash: block.hash,
    from: included.transaction.from,
    to: included.transaction.to,
    status: included.execution.succeeded ? '0x1' : '0x0',
    logs: listLogs(block).filter(({ transactionHash }) => transactionHash === hash),
    cumulativeGasUsed: toQuantity(TRANSFER_GAS),
    gasUsed: toQuantity(included.transaction.data === '0x' ? PLAIN_GAS : TRANSFER_GAS),
    effectiveGasPrice: toQuantity(block.baseFeePerGas),
    logsBloom: '0x',
    type: '0x2',
    contractAddress: null,
  }
}

/**
 * A node knows the transactions of its blocks. Unless it forgets them, it also knows those of the pool, and
 * those that a block will contain that it does not have yet.
 */
function findTransaction({ chain, view }: NodeParts, hash: string): object | null {
  const isOwn = (transaction: SimulatedTransaction) => transaction.hash === hash
  const block = view.blocks.find(({ transactions }) =>
    transactions.some(({ transaction }) => isOwn(transaction)),
  )
  const others = view.forgetsPool ? [] : chain.viewBehind(0).blocks
  const mined = [...view.blocks, ...others].flatMap(({ transactions }) =>
    transactions.map(({ transaction }) => transaction),
  )
  const transaction = mined.find(isOwn) ?? (view.forgetsPool ? undefined : chain.pool.find(isOwn))
  if (transaction === undefined) return null
  const index = block?.transactions.findIndex((each) => isOwn(each.transaction))
  return {
    hash,
    from: transaction.from,
    to: transaction.to,
    nonce: toQuantity(transaction.nonce),
    value: toQuantity(transaction.value),
    input: transaction.data,
    blockHash: block?.hash ?? null,
    blockNumber: block === undefined ? null : toQuantity(block.number),
    transactionIndex: index === undefined ? null : toQuantity(index),
    gas: toQuantity(TRANSFER_GAS),
    gasPrice: toQuantity(transaction.maxFeePerGas),
    maxFeePerGas: toQuantity(transaction.maxFeePerGas),
    maxPriorityFeePerGas: toQuantity(TIP),
    type: '0x2',
    chainId: toQuantity(chain.options.id),
    accessList: [],
    r: '0x1',
    s: '0x1',
    v: '0x0',
  }
}

interface LogFilter {
  readonly address: string | readonly string[]
  readonly topics: readonly (string | readonly string[] | null)[]
  readonly blockHash?: string
  readonly fromBlock?: string
  readonly toBlock?: string
}

function findLogs(parts: NodeParts, filter: LogFilter): object[] {
  const { view } = parts
  const addresses = [filter.address].flat().map((address) => address.toLowerCase())
  const matches = (log: { address: string; topics: readonly string[] }) =>
    addresses.includes(log.address) &&
    filter.topics.every((topic, place) => topic === null || [topic].flat().includes(log.topics[place] ?? ''))
  if (filter.blockHash !== undefined) {
    const block = findBlock(parts, { blockHash: filter.blockHash })
    if (block === undefined) throw new RpcFailure(-32000, 'unknown block')
    return listLogs(block).filter(matches)
  }
  const end = Math.min(Number(filter.toBlock) + 1, view.blocks.length - (view.missesLogs ? 1 : 0))
  return view.blocks.slice(Number(filter.fromBlock), end).flatMap(listLogs).filter(matches)
}

interface RpcCall {
  readonly from?: string
  readonly to: string
  readonly data: string
}

function execute(chain: SimulatedChain, { from = '0x', to, data }: RpcCall, block: SimulatedBlock): void {
  const call = { from: from.toLowerCase(), to: to.toLowerCase(), data, value: 0n }
  const execution = block.state.copy().call(call, BigInt(block.timestamp))
  if (execution.succeeded) return
  if (!chain.options.hasReasons) throw new RpcFailure(3, 'execution reverted', '0x')
  const { reason, customError } = execution
  throw new RpcFailure(3, `execution reverted: ${reason}`, customError ?? encodeRevert(reason))
}

function callContract({ chain }: NodeParts, call: RpcCall, block: SimulatedBlock): Hex {
  const to = call.to.toLowerCase()
  if (to === MULTICALL) return aggregate(chain, call.data, block)
  const value = readValue(chain, to, call.data.slice(2), block)
  if (value !== undefined) return `0x${value}`
  // The token's transfer returns nothing.
  execute(chain, call, block)
  return '0x'
}

/** Executes Multicall3's `tryAggregate(bool,(address,bytes)[])`. Each call has the state that the earlier ones left. */
function aggregate(chain: SimulatedChain, data: string, { state, ...rest }: SimulatedBlock): Hex {
  const block = { ...rest, state: state.copy() }
  const digits = data.slice(10)
  const number = (at: number) => Number.parseInt(digits.slice(at, at + 64), 16)
  const list = number(64) * 2
  const count = number(list)
  const results = Array.from({ length: count }, (_, index) => {
    const start = list + 64 + number(list + 64 + index * 64) * 2
    const to = `0x${digits.slice(start + 24, start + 64)}`
    const bytes = start + number(start + 64) * 2
    const length = number(bytes) * 2
    return readContract(chain, to, digits.slice(bytes + 64, bytes + 64 + length), block)
  })
  let offsets = ''
  let tail = ''
  for (const { succeeded, returned } of results) {
    offsets += toWord(count * 32 + tail.length / 2)
    const padded = returned.padEnd(Math.ceil(returned.length / 64) * 64, '0')
    tail += `${toWord(succeeded ? 1 : 0)}${toWord(64)}${toWord(returned.length / 2)}${padded}`
  }
  return `0x${toWord(32)}${toWord(count)}${offsets}${tail}`
}

interface Returned {
  readonly succeeded: boolean
  /** Hex digits. */
  readonly returned: string
}

const SELECTORS = {
  authorizationState: 'e94a0102',
  balanceOf: '70a08231',
  domainSeparator: '3644e515',
  name: '06fdde03',
  version: '54fd4d50',
  blockTimestamp: '0f28c97d',
  blockNumber: '42cbb15c',
  allowance: 'dd62ed3e',
  nonceBitmap: '4fe02b44',
  permit2: '6afdd850',
}
const PROXY_ADDRESSES: readonly string[] = Object.values(PROXIES)
/** Every owner has approved Permit2. */
const UNLIMITED = 2n ** 256n - 1n

const encodeText = (text: string): string => {
  const digits = Buffer.from(text).toString('hex')
  return `${toWord(32)}${toWord(text.length)}${digits.padEnd(64, '0')}`
}

function readContract(chain: SimulatedChain, to: string, data: string, block: SimulatedBlock): Returned {
  const returned = readValue(chain, to, data, block)
  if (returned !== undefined) return { succeeded: true, returned }
  const call = { from: MULTICALL, to, data: `0x${data}`, value: 0n }
  const { succeeded } = block.state.call(call, BigInt(block.timestamp))
  return { succeeded, returned: '' }
}

const separators = new Map<string, string>()

function computeSeparator({ options: { id, contracts } }: SimulatedChain): string {
  const key = `${id} ${contracts.token}`
  const verifyingContract: Hex = `0x${contracts.token.slice(2)}`
  const domain = { name: 'USDC', version: '2', chainId: id, verifyingContract }
  const separator = separators.get(key) ?? domainSeparator({ domain }).slice(2)
  separators.set(key, separator)
  return separator
}

function readValue(
  chain: SimulatedChain,
  to: string,
  data: string,
  block: SimulatedBlock,
): string | undefined {
  const { state, timestamp, number } = block
  const address = `0x${data.slice(32, 72)}`
  switch (data.slice(0, 8)) {
    case SELECTORS.blockTimestamp:
      return toWord(timestamp)
    case SELECTORS.blockNumber:
      return toWord(number)
    case SELECTORS.balanceOf:
      return toWord(state.tokens.get(address) ?? 0n)
    case SELECTORS.authorizationState:
      return toWord(state.used.has(toAuthorizationKey(address, `0x${data.slice(72, 136)}`)) ? 1 : 0)
    case SELECTORS.domainSeparator:
      return computeSeparator(chain)
    case SELECTORS.name:
      return encodeText('USDC')
    case SELECTORS.version:
      return encodeText('2')
    case SELECTORS.allowance:
      return toWord(UNLIMITED)
    case SELECTORS.nonceBitmap:
      return toWord(state.nonceWords.get(toNonceWord(address, BigInt(`0x${data.slice(72, 136)}`))) ?? 0n)
    case SELECTORS.permit2:
      return toWord(BigInt(PERMIT2))
    default:
      return to === chain.options.contracts.token || PROXY_ADDRESSES.includes(to) ? undefined : ''
  }
}
