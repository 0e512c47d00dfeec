import type { Kysely } from 'kysely'
import type { FeePayer } from '../../../chains/solana/keys.ts'
import { isSvmNetwork } from '../../../chains/solana/svm-network.ts'
import { openSvmChain } from '../../../chains/solana/svm-nodes.ts'
import type { SvmChainConfig } from '../../../chains/solana/svm-settings.ts'
import { createSvmStatusReader, type SvmStatus } from '../../../chains/solana/svm-status.ts'
import type { Tables } from '../../../database/tables.ts'
import type { ChainReader, PaymentVerifier } from '../../../payment/payment.ts'
import { createSvmReader } from './svm-reader.ts'
import { createSvmUpstream, type SvmUpstream } from './svm-upstream.ts'
import { createSvmVerifier } from './svm-verifier.ts'

/** The engine's parts for payments on Solana. */
export interface SvmParts {
  readonly networks: readonly string[]
  /** The addresses of the fee payers, base58. */
  readonly feePayers: readonly string[]
  readonly upstream: SvmUpstream
  readonly verifier: PaymentVerifier
  readonly chainReader: ChainReader
  /** Reads whether the networks respond, and the balances of the fee payers. It never throws. */
  readonly readStatus: () => Promise<readonly SvmStatus[]>
}

interface SvmPartsOptions {
  readonly db: Kysely<Tables>
  readonly chains: readonly SvmChainConfig[]
  readonly feePayers: readonly FeePayer[]
  readonly allowedMints: ReadonlyMap<string, ReadonlySet<string>>
  /** Milliseconds until a node that has not sent its whole response is given up. */
  readonly requestTimeoutMs?: number
  readonly report: (error: unknown) => void
}

/** Creates the parts of the configured chains. Undefined if there are none. */
export function createSvmParts(options: SvmPartsOptions): SvmParts | undefined {
  if (options.chains.length === 0) return undefined
  const chains = options.chains.map(({ network, rpcUrls }) =>
    openSvmChain(network, rpcUrls, options.requestTimeoutMs),
  )
  const feePayers = options.feePayers.map(({ address }) => address)
  return {
    networks: chains.map(({ network }) => network),
    feePayers,
    upstream: createSvmUpstream({ ...options, chains }),
    verifier: createSvmVerifier({ ...options, chains }),
    chainReader: createSvmReader(chains, options.db, options.report),
    readStatus: createSvmStatusReader(chains, feePayers),
  }
}

/** Reads the outcomes of each payment on its chain. */
export function joinReaders(evm: ChainReader, svm: ChainReader | undefined): ChainReader {
  if (svm === undefined) return evm
  const find = (network: string): ChainReader => (isSvmNetwork(network) ? svm : evm)
  return {
    networks: new Set([...evm.networks, ...svm.networks]),
    readable: (network) => find(network).readable(network),
    inspect: (payment, hint) => find(payment.network).inspect(payment, hint),
    compareWithFinal: (network, blocks) => find(network).compareWithFinal(network, blocks),
  }
}

/** Verifies each payment on its chain. */
export function joinVerifiers(evm: PaymentVerifier, svm: PaymentVerifier | undefined): PaymentVerifier {
  if (svm === undefined) return evm
  return {
    verify: (payment, options) => (isSvmNetwork(payment.network) ? svm : evm).verify(payment, options),
  }
}
