import { type Chain, findRpcError, isRevert } from '@mintmark/evm-reader'
import { cacheLookup } from '@mintmark/server-kit'
import { decodeFunctionResult, encodeFunctionData, type Hex, keccak256, parseAbi, toHex } from 'viem'
import { larger } from '../../../payment/amounts.ts'

/** Fees of an EIP-1559 transaction, in wei per unit of gas. */
export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/** The fees that a transaction should offer now. They allow the base fee to double. */
export interface FeeQuote extends Fees {
  baseFeePerGas: bigint
  /**
   * Wei for publishing 1,024 bytes of a transaction on the parent chain. 0 on chains that are not of the OP
   * stack.
   */
  parentFeePerKilobyte: bigint
}

export interface FeeQuotes {
  /**
   * Returns the fees that a transaction should offer now.
   *
   * @throws FeeCapExceededError, or another Error if the chain cannot be read.
   */
  quote(): Promise<FeeQuote>
}

/** The chain's base fee is above `MAX_FEE_PER_GAS`, so that no transaction within the cap can be mined. */
export class FeeCapExceededError extends Error {
  override name = 'FeeCapExceededError'
}

/** Nodes accept a replacement only if both fees grew by a tenth, or at most an eighth. */
const REPLACEMENT_PERCENT = 113n
const QUOTE_TTL_MS = 1_000

/** Creates the fee quotes of one chain. They are read at most once per second. */
export function createFeeQuotes(chain: Chain, maxFeeCap: bigint | undefined): FeeQuotes {
  const readParentFee = createParentFeeReader(chain)

  async function readFees(): Promise<FeeQuote> {
    const [block, tip, parentFeePerKilobyte] = await Promise.all([
      chain.client.getBlock({ blockTag: 'latest' }),
      chain.client.request({ method: 'eth_maxPriorityFeePerGas' }),
      readParentFee(),
    ])
    const baseFeePerGas = block.baseFeePerGas ?? 0n
    const maxPriorityFeePerGas = BigInt(tip)
    const fees = { maxFeePerGas: baseFeePerGas * 2n + maxPriorityFeePerGas, maxPriorityFeePerGas }
    return { baseFeePerGas, parentFeePerKilobyte, ...capFees(fees, baseFeePerGas, maxFeeCap) }
  }

  // Failures are not cached. The caller receives the error.
  const readRecent = cacheLookup(readFees, { ttlMs: QUOTE_TTL_MS, now: () => performance.now() })
  return { quote: () => readRecent('fees') }
}

/** The contract of chains of the OP stack that computes what a transaction costs on the parent chain. */
export const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000F'
export const gasPriceOracleAbi = parseAbi([
  'function getL1Fee(bytes unsignedTransaction) view returns (uint256)',
])
const KILOBYTE = 1_024
/**
 * Bytes that do not compress, because the oracle estimates the compressed size. A real transaction costs no
 * more.
 */
const incompressible: Hex = `0x${Array.from({ length: KILOBYTE / 32 }, (_, index) =>
  keccak256(toHex(`incompressible ${index}`)).slice(2),
).join('')}`

/**
 * Creates the function that reads the parent chain's fee for 1,024 bytes. A chain without the oracle is
 * called once.
 */
function createParentFeeReader(chain: Chain): () => Promise<bigint> {
  let hasOracle = true
  const data = encodeFunctionData({
    abi: gasPriceOracleAbi,
    functionName: 'getL1Fee',
    args: [incompressible],
  })
  return async () => {
    if (!hasOracle) return 0n
    try {
      const result = await chain.client.request({
        method: 'eth_call',
        params: [{ to: GAS_PRICE_ORACLE, data }, 'latest'],
      })
      hasOracle = result !== '0x'
      return hasOracle
        ? decodeFunctionResult({ abi: gasPriceOracleAbi, functionName: 'getL1Fee', data: result })
        : 0n
    } catch (error) {
      const rpcError = findRpcError(error)
      if (rpcError === undefined || !isRevert(rpcError)) throw error
      hasOracle = false
      return 0n
    }
  }
}

/** The signature, the fees and all other fields of a transaction except its call data, rounded up. */
const ENVELOPE_BYTES = 256

/**
 * Returns the most wei that a call can cost its signer: gas at the highest fee, and on chains of the OP stack
 * the parent chain's fee.
 */
export function getMaxCost(
  { gas, data }: { readonly gas: bigint; readonly data: string },
  { maxFeePerGas, parentFeePerKilobyte }: Pick<FeeQuote, 'maxFeePerGas' | 'parentFeePerKilobyte'>,
): bigint {
  const bytes = (data.length - 2) / 2 + ENVELOPE_BYTES
  return gas * maxFeePerGas + parentFeePerKilobyte * BigInt(Math.ceil(bytes / KILOBYTE))
}

function capFees(fees: Fees, baseFeePerGas: bigint, cap: bigint | undefined): Fees {
  if (cap === undefined || fees.maxFeePerGas <= cap) return fees
  if (baseFeePerGas > cap) {
    throw new FeeCapExceededError(
      `The base fee, ${baseFeePerGas} wei per unit of gas, is above MAX_FEE_PER_GAS, ${cap}`,
    )
  }
  const tip = fees.maxPriorityFeePerGas
  return { maxFeePerGas: cap, maxPriorityFeePerGas: tip < cap ? tip : cap }
}

/**
 * Whether a transaction with these fees pays less than the present tip after the base fee, so that blocks may
 * leave it out.
 */
export function isUnderpriced(
  { maxFeePerGas, maxPriorityFeePerGas }: Fees,
  quote: Pick<FeeQuote, 'baseFeePerGas' | 'maxPriorityFeePerGas'>,
): boolean {
  const left = maxFeePerGas - quote.baseFeePerGas
  const tip = left < maxPriorityFeePerGas ? left : maxPriorityFeePerGas
  return tip < quote.maxPriorityFeePerGas
}

/**
 * Returns the fees of a transaction that replaces a stuck one: the current fees, and at least an eighth above
 * the old ones. Returns undefined if that is above the cap.
 */
export function getReplacementFees(old: Fees, current: Fees, cap: bigint | undefined): Fees | undefined {
  const grown = (value: bigint): bigint => (value * REPLACEMENT_PERCENT) / 100n + 1n
  const fees = {
    maxFeePerGas: larger(grown(old.maxFeePerGas), current.maxFeePerGas),
    maxPriorityFeePerGas: larger(grown(old.maxPriorityFeePerGas), current.maxPriorityFeePerGas),
  }
  return cap !== undefined && fees.maxFeePerGas > cap ? undefined : fees
}
