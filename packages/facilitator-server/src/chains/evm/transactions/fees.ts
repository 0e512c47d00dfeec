import type { Chain } from '@mintmark/server-kit'

/** Fees of an EIP-1559 transaction, in wei per unit of gas. */
export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

export interface FeeQuotes {
  /**
   * Returns the fees that a transaction should offer now. They allow the base fee to double.
   *
   * @throws Error if the chain cannot be read, or its base fee is above the cap.
   */
  quote(): Promise<Fees & { baseFeePerGas: bigint }>
}

/** Nodes accept a replacement only if both fees grew by a tenth, or at most an eighth. */
const REPLACEMENT_PERCENT = 113n
const QUOTE_TTL_MS = 1_000

/** Creates the fee quotes of one chain. They are read at most once per second. */
export function createFeeQuotes(chain: Chain, maxFeeCap: bigint | undefined): FeeQuotes {
  let latest: { until: number; quote: ReturnType<FeeQuotes['quote']> } | undefined

  async function readFees() {
    const [block, tip] = await Promise.all([
      chain.client.getBlock({ blockTag: 'latest' }),
      chain.client.request({ method: 'eth_maxPriorityFeePerGas' }),
    ])
    const baseFeePerGas = block.baseFeePerGas ?? 0n
    const maxPriorityFeePerGas = BigInt(tip)
    return {
      baseFeePerGas,
      ...capFees(
        { maxFeePerGas: baseFeePerGas * 2n + maxPriorityFeePerGas, maxPriorityFeePerGas },
        baseFeePerGas,
        maxFeeCap,
      ),
    }
  }

  return {
    quote() {
      const now = performance.now()
      if (latest === undefined || latest.until < now) {
        const quote = readFees()
        latest = { until: now + QUOTE_TTL_MS, quote }
        // Failures are not cached. The caller receives the error.
        quote.catch(() => {
          if (latest?.quote === quote) latest = undefined
        })
      }
      return latest.quote
    },
  }
}

function capFees(fees: Fees, baseFeePerGas: bigint, cap: bigint | undefined): Fees {
  if (cap === undefined || fees.maxFeePerGas <= cap) return fees
  if (baseFeePerGas > cap) throw new Error(`The base fee, ${baseFeePerGas} wei, is above the cap of ${cap}`)
  const tip = fees.maxPriorityFeePerGas
  return { maxFeePerGas: cap, maxPriorityFeePerGas: tip < cap ? tip : cap }
}

/**
 * Returns the fees of a transaction that replaces a stuck one: the current fees, and at least an eighth above the old ones. Returns
 * undefined if that is above the cap.
 */
export function getReplacementFees(old: Fees, current: Fees, cap: bigint | undefined): Fees | undefined {
  const grown = (value: bigint): bigint => (value * REPLACEMENT_PERCENT) / 100n + 1n
  const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
  const fees = {
    maxFeePerGas: larger(grown(old.maxFeePerGas), current.maxFeePerGas),
    maxPriorityFeePerGas: larger(grown(old.maxPriorityFeePerGas), current.maxPriorityFeePerGas),
  }
  return cap !== undefined && fees.maxFeePerGas > cap ? undefined : fees
}
