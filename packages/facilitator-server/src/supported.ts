import { createHash } from 'node:crypto'
import { toNetwork } from '@mintmark/evm-reader'
import { BAZAAR } from './catalog/parse-listing.ts'
import { version1Networks } from './chains/evm/settings/known-chains.ts'
import type { Supported } from './http/payments/x402-operations.ts'
import { IDENTIFIER_EXTENSION } from './payment/identifier.ts'
import { namespaceOf } from './payment/scheme.ts'
import { APPROVAL_TRANSACTION_EXTENSION } from './schemes/evm/shared/permit2/approval-transaction.ts'
import { APPROVAL_EXTENSION } from './schemes/evm/shared/permit2/decode-permit2.ts'
import { schemes } from './schemes/registry.ts'
import type { Served } from './schemes/scheme.ts'

/** What a facilitator supports. */
export interface SupportedParts extends Required<Served> {
  /** The networks whose chain is read. */
  readonly readable: ReadonlySet<string>
  /**
   * The addresses of the signers and fee payers that take no new payments. Payments for them are settled, so
   * that they are still listed as signers.
   */
  readonly retired: ReadonlySet<string>
}

/**
 * Lists what is supported for the sellers of an account. Some payments name one signer or fee payer, which is
 * chosen by the account: accounts are distributed among the signers, and all processes of
 * a seller get the same one, because stock sellers refuse a payment that names another one than they offer.
 *
 * @param accountId Undefined for a call without a key.
 */
export function listSupported(
  parts: SupportedParts,
  accountId: number | undefined,
): Omit<Supported, 'finality'> {
  const { networks, facilitators, feePayers, approvalChains, readable, retired } = parts
  const names = new Map([...version1Networks].map(([name, chainId]) => [toNetwork(chainId), name]))
  const facilitatorAddress = chooseSigner(facilitators, retired, accountId)
  const feePayer = chooseSigner(feePayers, retired, accountId)
  const kinds = [...networks].flatMap((network): Supported['kinds'] => {
    const name = names.get(network)
    const offer = { facilitatorAddress, feePayer, isReadable: readable.has(network) }
    const served = schemes.filter(({ namespace }) => namespace === namespaceOf(network))
    return [
      ...served.flatMap((scheme) => scheme.listKinds?.(network, offer) ?? []),
      ...(name === undefined ? [] : [{ x402Version: 1, scheme: 'exact', network: name }]),
    ]
  })
  const signers = {
    ...(facilitators.size > 0 && { 'eip155:*': [...facilitators] }),
    ...(feePayers.size > 0 && { 'solana:*': [...feePayers] }),
  }
  // An upstream may not execute a payer's signed approval.
  const executed = [
    ...(facilitators.size > 0 ? [APPROVAL_EXTENSION] : []),
    ...(approvalChains.size > 0 ? [APPROVAL_TRANSACTION_EXTENSION] : []),
  ]
  return { kinds, extensions: [...executed, BAZAAR, IDENTIFIER_EXTENSION], signers }
}

/**
 * Chooses an account's signer by rendezvous hashing: independent of the order of the settings, and a signer
 * that is added or removed changes the choice of few accounts.
 */
function chooseSigner(
  addresses: ReadonlySet<string>,
  retired: ReadonlySet<string>,
  accountId: number | undefined,
): string | undefined {
  const ranked = [...addresses]
    .filter((address) => !retired.has(address))
    .map((address) => ({ address, rank: computeRank(address, accountId) }))
  return ranked.toSorted((a, b) => (a.rank < b.rank ? 1 : -1))[0]?.address
}

const computeRank = (address: string, accountId: number | undefined): string =>
  createHash('sha256')
    .update(`${accountId ?? ''} ${address}`)
    .digest('hex')
