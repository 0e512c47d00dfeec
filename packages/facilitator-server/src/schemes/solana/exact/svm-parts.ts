import type { Kysely } from 'kysely'
import type { FeePayer } from '../../../chains/solana/keys.ts'
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
