import type { Chain } from '@mintmark/server-kit'
import { type Hex, toFunctionSelector } from 'viem'

/** Where Multicall3 stands on nearly every EVM chain. */
export const multicallAddress = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** One call of a contract's view. */
export interface Read {
  /** Lower-case address. */
  target: string
  /** Call data, hex digits without 0x. */
  data: string
}

export interface ReadResult {
  success: boolean
  /** What was returned, hex digits without 0x. */
  data: string
}

/** Executes one eth_call of Multicall3 on the newest block. */
export type MulticallCall = (data: Hex, gas?: bigint) => Promise<Hex>

export interface BatchedReads {
  /** Answers the reads, in order, out of one eth_call; reads asked for in the same turn share it. */
  read(reads: readonly Read[]): Promise<ReadResult[]>
  /** As `read`, in a call of its own with limited gas: for code that a stranger has written. */
  readAlone(reads: readonly Read[], gas: bigint): Promise<ReadResult[]>
}

interface Waiting {
  reads: readonly Read[]
  resolve(results: ReadResult[]): void
  reject(error: unknown): void
}

/** A node refuses calls that are too large or take too long. */
const readsPerCall = 240
/** More calls at once than this make a node slower, not faster; what arrives meanwhile shares the next call. */
const callsAtOnce = 4

const selector = toFunctionSelector('tryAggregate(bool,(address,bytes)[])').slice(2)
const word = (value: number): string => value.toString(16).padStart(64, '0')
const paddedLength = (digits: number): number => Math.ceil(digits / 64) * 64

/** Multicall3 on one chain. */
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

/** Gathers reads of one chain into calls of Multicall3. Errors of the call reach every read that shared it. */
export function createBatchedReads(call: MulticallCall): BatchedReads {
  let queue: Waiting[] = []
  let running = 0
  let scheduled = false

  const schedule = () => {
    if (scheduled || running >= callsAtOnce) return
    scheduled = true
    // After the turn's input was handled, so that requests that arrived together are read together.
    setImmediate(() => {
      scheduled = false
      while (queue.length > 0 && running < callsAtOnce) void flush()
    })
  }

  const flush = async () => {
    let reads = 0
    let taken = 0
    for (const waiting of queue) {
      if (taken > 0 && reads + waiting.reads.length > readsPerCall) break
      reads += waiting.reads.length
      taken += 1
    }
    const group = queue.slice(0, taken)
    queue = queue.slice(taken)
    running += 1
    try {
      const results = await execute(
        call,
        group.flatMap((waiting) => waiting.reads),
      )
      let start = 0
      for (const waiting of group) {
        waiting.resolve(results.slice(start, start + waiting.reads.length))
        start += waiting.reads.length
      }
    } catch (error) {
      for (const waiting of group) waiting.reject(error)
    } finally {
      running -= 1
      if (queue.length > 0) schedule()
    }
  }

  return {
    read: (reads) =>
      new Promise((resolve, reject) => {
        queue.push({ reads, resolve, reject })
        schedule()
      }),
    readAlone: (reads, gas) => execute(call, reads, gas),
  }
}

async function execute(call: MulticallCall, reads: readonly Read[], gas?: bigint): Promise<ReadResult[]> {
  return decodeResults(await call(encodeReads(reads), gas), reads.length)
}

/** `tryAggregate(false, calls)`. Packed by hand: viem's encoder took longer than the signature check. */
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
 * @throws Error when the answer is not `count` results: no Multicall3 stands there, or the node cut it short.
 */
export function decodeResults(answer: string, count: number): ReadResult[] {
  const digits = answer.slice(2)
  const number = (at: number): number => {
    const text = digits.slice(at, at + 64)
    const value = text.length === 64 ? Number.parseInt(text, 16) : Number.NaN
    if (!Number.isSafeInteger(value)) throw new Error('Multicall3 gave a malformed answer.')
    return value
  }
  if (digits === '') throw new Error('Multicall3 does not stand at its address on this chain.')
  const list = number(0) * 2
  if (number(list) !== count)
    throw new Error('Multicall3 gave another number of results than it was asked for.')
  const start = list + 64
  return Array.from({ length: count }, (_, index) => {
    const result = start + number(start + index * 64) * 2
    const bytes = result + number(result + 64) * 2
    const length = number(bytes) * 2
    const data = digits.slice(bytes + 64, bytes + 64 + length)
    if (data.length !== length) throw new Error('Multicall3 gave a malformed answer.')
    return { success: number(result) === 1, data }
  })
}
