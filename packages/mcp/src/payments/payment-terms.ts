import type { PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { ToolError } from '../tool-error.ts'

/** A way to pay that a seller offers, and that a budget covers. */
export interface PaymentTerms {
  readonly requirements: PaymentRequirements
  /** `eip155:8453/0x…`, in lower case. */
  readonly asset: string
  readonly amount: bigint
}

/** Only transfers of exactly the amount by EIP-3009: other methods sign allowances. */
function isSupported({ scheme, network, asset, amount, extra }: PaymentRequirements): boolean {
  const method = extra?.assetTransferMethod
  return (
    scheme === 'exact' &&
    /^eip155:\d+$/.test(network) &&
    /^0x[0-9a-fA-F]{40}$/.test(asset) &&
    /^\d{1,78}$/.test(amount) &&
    (method === undefined || method === 'eip3009')
  )
}

/** Returns the key of an asset's budget. */
function toAssetKey(network: string, asset: string): string {
  return `${network}/${asset}`.toLowerCase()
}

/**
 * Chooses the first of a seller's terms that is supported and whose asset has a budget.
 *
 * @throws ToolError if none of the terms qualifies.
 */
export function choosePaymentTerms(required: PaymentRequired, assets: readonly string[]): PaymentTerms {
  // A seller can send anything.
  const listed: readonly unknown[] = Array.isArray(required.accepts) ? required.accepts : []
  const accepts = listed.filter(
    (each): each is PaymentRequirements => typeof each === 'object' && each !== null,
  )
  if (required.x402Version === 2) {
    for (const requirements of accepts.filter(isSupported)) {
      const asset = toAssetKey(requirements.network, requirements.asset)
      if (assets.includes(asset)) return { requirements, asset, amount: BigInt(requirements.amount) }
    }
  }
  const offers = accepts.map(({ scheme, network, asset }) => `${scheme} ${network}/${asset}`).slice(0, 10)
  throw new ToolError({
    kind: 'PaymentUnsupported',
    message: `The seller accepts no payment that has a budget. It offers: ${offers.join(', ') || 'nothing'}`,
    whatToDo: `Tell the user. Budgets exist for: ${assets.join(', ')}.`,
  })
}
