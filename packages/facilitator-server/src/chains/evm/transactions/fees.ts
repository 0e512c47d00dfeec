import type { Chain } from '@mintmark/server-kit'

/** Fees of an EIP-1559 transaction, in wei a unit of gas. */
export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

export interface FeeQuotes {
  /**
   * What a transaction should offer now: room for the base fee to double.
   *
   * @throws Error when the chain cannot be asked, or its base fee is above the cap.
   */
  quote(): Promise<Fees & { baseFeePerGas: bigint }>
}

/** A node accepts a replacement only when both fees grew by a tenth; an eighth is what nodes ask for at most. */
const replacementPercent = 113n
const quoteKeptFor = 1_000

/** Quotes for one chain, asked for at most once a second however many settle. */
export function createFeeQuotes(chain: Chain, maxFeeCap: bigint | undefined): FeeQuotes {
  let latest: { until: number; quote: ReturnType<FeeQuotes['quote']> } | undefined

  async function ask() {
    const [block, tip] = await Promise.all([
      chain.client.getBlock({ blockTag: 'latest' }),
      chain.client.request({ method: 'eth_maxPriorityFeePerGas' }),
    ])
    const baseFeePerGas = block.baseFeePerGas ?? 0n
    const maxPriorityFeePerGas = BigInt(tip)
    return {
      baseFeePerGas,
      ...capped(
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
        const quote = ask()
        latest = { until: now + quoteKeptFor, quote }
        // A failure is not kept; whoever asked hears of it.
        quote.catch(() => {
          if (latest?.quote === quote) latest = undefined
        })
      }
      return latest.quote
    },
  }
}

function capped(fees: Fees, baseFeePerGas: bigint, cap: bigint | undefined): Fees {
  if (cap === undefined || fees.maxFeePerGas <= cap) return fees
  if (baseFeePerGas > cap) throw new Error(`The base fee, ${baseFeePerGas} wei, is above the cap of ${cap}.`)
  const tip = fees.maxPriorityFeePerGas
  return { maxFeePerGas: cap, maxPriorityFeePerGas: tip < cap ? tip : cap }
}

/**
 * Fees for a transaction that shall replace one that got stuck: today's, and at least an eighth above the old ones.
 * undefined when that is beyond the cap.
 */
export function replacementFees(old: Fees, today: Fees, cap: bigint | undefined): Fees | undefined {
  const grown = (value: bigint): bigint => (value * replacementPercent) / 100n + 1n
  const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
  const fees = {
    maxFeePerGas: larger(grown(old.maxFeePerGas), today.maxFeePerGas),
    maxPriorityFeePerGas: larger(grown(old.maxPriorityFeePerGas), today.maxPriorityFeePerGas),
  }
  return cap !== undefined && fees.maxFeePerGas > cap ? undefined : fees
}
