// A chain without delay: it mines every transaction in a block of its own, at once, and every authorization
// in it pays. Reads return constants, as of the stubbed chain.
import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { devChainId, multicallAddress, tokenAddress } from '@mintmark/devkit/chain/chain'
import { keccak256, parseTransaction, toEventSelector, toFunctionSelector } from 'viem'
import { serveParent } from './serve-parent.ts'
import { aggregate, word } from './stub-views.ts'

interface Call {
  id: number
  method: string
  params?: readonly (string | boolean | { to: string; data: string })[]
}

const quantity = (value: number) => `0x${value.toString(16)}`
const transfer = toFunctionSelector(
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
).slice(2)
const used = toEventSelector('AuthorizationUsed(address,bytes32)')
const transferred = toEventSelector('Transfer(address,address,uint256)')
/** The arguments of a transfer, hex digits. */
const TRANSFER_DIGITS = 9 * 64
const GAS_PER_TRANSFER = 40_000
const startedAt = Math.floor(Date.now() / 1000)

const hashes: string[] = [`0x${word(0)}`]
const receipts = new Map<string, object>()
const transactions = new Map<string, object>()
const hashesByBlock = new Map<number, string>()
let nextNonce = 0

const hashBlock = (number: number) => `0x${createHash('sha256').update(`block ${number}`).digest('hex')}`

/** Lists the arguments of the transfers in call data, whether it has one or many. */
function listTransfers(data: string): string[] {
  const parts = data.slice(2).split(transfer)
  return parts.slice(1).map((part) => part.slice(0, TRANSFER_DIGITS))
}

function createLogs(data: string, place: object): object[] {
  return listTransfers(data).flatMap((digits, index) => {
    const argument = (at: number) => `0x${digits.slice(at * 64, at * 64 + 64)}`
    const log = { ...place, address: tokenAddress.toLowerCase(), removed: false }
    return [
      { ...log, logIndex: quantity(2 * index), topics: [used, argument(0), argument(5)], data: '0x' },
      {
        ...log,
        logIndex: quantity(2 * index + 1),
        topics: [transferred, argument(0), argument(1)],
        data: argument(2),
      },
    ]
  })
}

function mine(raw: string): string {
  const { to, data = '0x', nonce = 0, gas = 0n } = parseTransaction(raw as `0x02${string}`)
  const hash = keccak256(raw as `0x${string}`)
  if (receipts.has(hash)) return hash
  const number = hashes.length
  const blockHash = hashBlock(number)
  hashes.push(blockHash)
  hashesByBlock.set(number, hash)
  nextNonce = Math.max(nextNonce, nonce + 1)
  const place = { blockNumber: quantity(number), blockHash, transactionHash: hash, transactionIndex: '0x0' }
  const logs = createLogs(data, place)
  const gasUsed = quantity((logs.length / 2) * GAS_PER_TRANSFER)
  receipts.set(hash, {
    ...place,
    to,
    from: tokenAddress,
    status: '0x1',
    type: '0x2',
    logs,
    gasUsed,
    cumulativeGasUsed: gasUsed,
    effectiveGasPrice: '0x1',
    contractAddress: null,
    logsBloom: '0x',
  })
  transactions.set(hash, {
    ...place,
    hash,
    to,
    input: data,
    gas: quantity(Number(gas)),
    nonce: quantity(nonce),
  })
  return hash
}

function getBlock(tag: string): object | null {
  const newest = hashes.length - 1
  const number = tag.startsWith('0x') ? Number(tag) : newest
  if (number > newest) return null
  const hash = hashesByBlock.get(number)
  return {
    number: quantity(number),
    hash: hashes[number],
    parentHash: hashes[number - 1] ?? hashes[0],
    timestamp: quantity(startedAt),
    baseFeePerGas: '0x1',
    gasLimit: '0x1c9c380',
    transactions: hash === undefined ? [] : [hash],
  }
}

function getResult({ method, params = [] }: Call): unknown {
  const [target] = params
  const to = typeof target === 'object' ? target.to.toLowerCase() : String(target).toLowerCase()
  switch (method) {
    case 'eth_chainId':
      return quantity(devChainId)
    case 'eth_blockNumber':
      return quantity(hashes.length - 1)
    case 'eth_getBalance':
      return '0xde0b6b3a7640000'
    case 'eth_maxPriorityFeePerGas':
      return '0x1'
    case 'eth_getTransactionCount':
      return quantity(nextNonce)
    case 'eth_getBlockByNumber':
      return getBlock(String(target))
    case 'eth_getLogs':
      return []
    case 'eth_getCode':
      return [tokenAddress, multicallAddress].some((each) => each.toLowerCase() === to) ? '0x00' : '0x'
    case 'eth_sendRawTransaction':
      return mine(String(target))
    case 'eth_getTransactionReceipt':
      return receipts.get(String(target)) ?? null
    case 'eth_getTransactionByHash':
      return transactions.get(String(target)) ?? null
    case 'eth_estimateGas':
      return typeof target === 'object'
        ? quantity(listTransfers(target.data).length * GAS_PER_TRANSFER + 21_000)
        : '0x0'
    case 'eth_call':
      // A simulated transfer succeeds and returns nothing.
      return typeof target === 'object' && to === multicallAddress.toLowerCase()
        ? aggregate(target.data)
        : '0x'
    default:
      throw new Error(`${method} is not answered by the instant chain. Add it to getResult`)
  }
}

function respondToCall(call: Call): object {
  try {
    return { jsonrpc: '2.0', id: call.id, result: getResult(call) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { jsonrpc: '2.0', id: call.id, error: { code: -32_601, message } }
  }
}

serveParent(async (request, response) => {
  const calls: Call | Call[] = JSON.parse(await text(request))
  const body = JSON.stringify(Array.isArray(calls) ? calls.map(respondToCall) : respondToCall(calls))
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  response.writeHead(200, headers).end(body)
})
