import { decodeFunctionData, type Hex, toFunctionSelector } from 'viem'
import { addressWord, encodeBytes, numberWord } from './abi-words.ts'
import { multicallAddress } from './multicall-reads.ts'
import { asHex, type ContractCall, type Log, multicallAbi } from './transfer.ts'

const selector = toFunctionSelector('aggregate3((address,bool,bytes)[])').slice(2)
/** Recipient, flag and the offset of the data. */
const CALL_HEAD_BYTES = 3 * 32

/**
 * Encodes one call of Multicall3 that makes many calls. Hand-written, because a general encoder takes longer
 * than the rest of a settle.
 *
 * @param allowFailure Whether a call that reverts leaves the others as they are. Otherwise it reverts them
 * all.
 */
export function encodeBatch(calls: readonly ContractCall[], allowFailure: boolean): ContractCall {
  let offsets = ''
  let tuples = ''
  for (const { recipient, data } of calls) {
    offsets += numberWord(calls.length * 32 + tuples.length / 2)
    tuples += addressWord(recipient) + numberWord(allowFailure ? 1 : 0) + numberWord(CALL_HEAD_BYTES)
    tuples += encodeBytes(data.slice(2))
  }
  const data: Hex = `0x${selector}${numberWord(32)}${numberWord(calls.length)}${offsets}${tuples}`
  return { recipient: multicallAddress.toLowerCase(), data }
}

/**
 * Whether a call is a batch of payments: one of Multicall3 in which every call may fail. In a call that
 * deploys a wallet first, the transfer may not.
 */
export function isBatchCall({ to, input }: { readonly to: string | null; readonly input: string }): boolean {
  if (to?.toLowerCase() !== multicallAddress.toLowerCase()) return false
  try {
    const { functionName, args } = decodeFunctionData({ abi: multicallAbi, data: asHex(input) })
    return functionName === 'aggregate3' && args[0].length > 0 && args[0].every((call) => call.allowFailure)
  } catch {
    // Another function of Multicall3.
    return false
  }
}

/**
 * The part of its gas limit above which a batch may have run out of gas in the middle: a call receives at
 * most 63 of 64 parts of what is left, and uses all of it when it fails for lack of gas. The limit has a
 * reserve of a fifth, so that an intact batch stays below.
 */
export const SPOILED_GAS = { parts: 15n, of: 16n }

/**
 * Whether a batch that was mined did not execute all of its calls with enough gas, because it reverted or
 * because one payer used the gas of the others. Then a payment that was not made did not fail by its own
 * fault.
 */
export const isSpoiledBatch = (
  { status, gasUsed }: { readonly status: string; readonly gasUsed: bigint },
  gasLimit: bigint,
): boolean => status !== 'success' || gasUsed * SPOILED_GAS.of > gasLimit * SPOILED_GAS.parts

/** Names an authorization within a chain. */
export const authorizationKey = (domain: string, payer: string, nonce: string): string =>
  `${domain} ${payer} ${nonce}`

/** Lists the authorizations that a transaction has used, by its logs. */
export function listUsedAuthorizations(logs: readonly Log[], usedTopic: string): string[] {
  return logs.flatMap(({ address, topics: [event, payer, nonce] }) =>
    event === usedTopic && payer !== undefined && nonce !== undefined
      ? [authorizationKey(address.toLowerCase(), `0x${payer.slice(26).toLowerCase()}`, nonce.toLowerCase())]
      : [],
  )
}
