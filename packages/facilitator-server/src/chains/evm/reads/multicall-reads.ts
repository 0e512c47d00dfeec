import { type Hex, toFunctionSelector } from 'viem'
import { addressWord, encodeBytes, numberWord } from './abi-words.ts'

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

const selector = toFunctionSelector('tryAggregate(bool,(address,bytes)[])').slice(2)

/**
 * Encodes `tryAggregate(false, calls)`. Hand-written, because viem's encoder took longer than the signature
 * check.
 */
export function encodeReads(reads: readonly Read[]): Hex {
  let offsets = ''
  let calls = ''
  for (const { target, data } of reads) {
    offsets += numberWord(reads.length * 32 + calls.length / 2)
    calls += addressWord(target) + numberWord(64) + encodeBytes(data)
  }
  return `0x${selector}${numberWord(0)}${numberWord(64)}${numberWord(reads.length)}${offsets}${calls}`
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
