import type { Chain } from '@mintmark/evm-reader'
import { type Hex, toFunctionSelector } from 'viem'
import { batch } from '../../../database/batch.ts'

/** The address of Multicall3 on nearly every EVM chain. */
export const multicallAddress = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** One call of a view function. */
export interface Read {
  /** Lower-case address. */
  target: string
  /** Call data, hex digits without 0x. */
  data: string
}

export interface ReadResult {
  success: boolean
  /** The returned data, hex digits without 0x. */
  data: string
}

/** Executes one eth_call of Multicall3 on the newest block. */
export type MulticallCall = (data: Hex, gas?: bigint) => Promise<Hex>

export interface BatchedReads {
  /**
   * Executes the reads in one eth_call, which all reads of the same turn share. Returns the results in order.
   */
  read(reads: readonly Read[]): Promise<ReadResult[]>
  /** Executes the reads in a separate call with limited gas, for untrusted code. */
  readAlone(reads: readonly Read[], gas: bigint): Promise<ReadResult[]>
}

/** A node refuses calls that are too large or take too long. */
export const MAX_READS_PER_CALL = 240
/** More concurrent calls make a node slower, not faster. Later reads share the next call. */
export const MAX_CONCURRENT_CALLS = 4

const selector = toFunctionSelector('tryAggregate(bool,(address,bytes)[])').slice(2)
const word = (value: number): string => value.toString(16).padStart(64, '0')
const paddedLength = (digits: number): number => Math.ceil(digits / 64) * 64

/** Creates the call of Multicall3 on one chain. */
export const multicallOn =
  (chain: Chain): MulticallCall =>
  (data, gas) =>
    chain.client.request({
      method: 'eth_call',
      params: [
        { to: multicallAddress, data, ...(gas && { gas: `0x${gas.toString(16)}` as const }) },
        'latest',
      ],
    })

/**
 * Batches the reads of one chain into calls of Multicall3. An error of a call rejects every read that shared
 * it.
 */
export function createBatchedReads(call: MulticallCall): BatchedReads {
  return {
    read: batch(
      async (groups: (readonly Read[])[]) => splitResults(await execute(call, groups.flat()), groups),
      {
        maxItems: MAX_READS_PER_CALL,
        weigh: (reads) => reads.length,
        maxConcurrentRuns: MAX_CONCURRENT_CALLS,
        retriesAlone: false,
      },
    ),
    readAlone: (reads, gas) => execute(call, reads, gas),
  }
}

/** Returns the results of each group of reads. */
export function splitResults(
  results: readonly ReadResult[],
  groups: readonly (readonly Read[])[],
): ReadResult[][] {
  let start = 0
  return groups.map(({ length }) => {
    start += length
    return results.slice(start - length, start)
  })
}

async function execute(call: MulticallCall, reads: readonly Read[], gas?: bigint): Promise<ReadResult[]> {
  return decodeResults(await call(encodeReads(reads), gas), reads.length)
}

/**
 * Encodes `tryAggregate(false, calls)`. Hand-written, because viem's encoder took longer than the signature
 * check.
 */
export function encodeReads(reads: readonly Read[]): Hex {
  let offsets = ''
  let calls = ''
  for (const { target, data } of reads) {
    offsets += word(reads.length * 32 + calls.length / 2)
    calls += `${target.slice(2).padStart(64, '0')}${word(64)}${word(data.length / 2)}`
    calls += data.padEnd(paddedLength(data.length), '0')
  }
  return `0x${selector}${word(0)}${word(64)}${word(reads.length)}${offsets}${calls}`
}

/**
 * @throws Error if the response does not contain `count` results: the address has no Multicall3, or the node
 * truncated it.
 */
export function decodeResults(response: string, count: number): ReadResult[] {
  const digits = response.slice(2)
  const number = (at: number): number => {
    const text = digits.slice(at, at + 64)
    const value = text.length === 64 ? Number.parseInt(text, 16) : Number.NaN
    if (!Number.isSafeInteger(value)) throw new Error('The response of Multicall3 is malformed')
    return value
  }
  if (digits === '') throw new Error('This chain has no Multicall3 at its usual address')
  const list = number(0) * 2
  if (number(list) !== count) throw new Error('Multicall3 returned the wrong number of results')
  const start = list + 64
  return Array.from({ length: count }, (_, index) => {
    const result = start + number(start + index * 64) * 2
    const bytes = result + number(result + 64) * 2
    const length = number(bytes) * 2
    const data = digits.slice(bytes + 64, bytes + 64 + length)
    if (data.length !== length) throw new Error('The response of Multicall3 is malformed')
    return { success: number(result) === 1, data }
  })
}
