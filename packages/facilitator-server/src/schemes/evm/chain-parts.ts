import {
  createOutcomeReader,
  type ChainReaderOptions as OutcomeReaderOptions,
} from '../../chains/evm/reads/reader.ts'
import {
  type ChainUpstream,
  createChainUpstream,
  type UpstreamOptions,
} from '../../chains/evm/upstream/upstream.ts'
import type { ChainReader } from '../../payment/payment.ts'
import { executions, methodOf } from './methods.ts'
import { checkApproval } from './shared/permit2/approvals/sponsor-approval.ts'
import type { CheckApproval } from './verify/verify.ts'

export type BuiltInOptions = Omit<UpstreamOptions, 'executions'>
export type ChainReaderOptions = Omit<OutcomeReaderOptions, 'methodOf'>

/** The upstream that settles all schemes with our own keys on the chains of `CHAINS`. */
export interface BuiltInUpstream extends ChainUpstream {
  /**
   * Finds out why a payment's signed approval transaction would not be executed. Undefined if it would.
   *
   * @throws Error if the chain or the database cannot be read.
   */
  readonly checkApproval: CheckApproval
}

export function createBuiltInUpstream(options: BuiltInOptions): BuiltInUpstream {
  const upstream = createChainUpstream({ ...options, executions })
  return {
    ...upstream,
    async checkApproval(payment) {
      const on = upstream.settling.get(payment.network)
      if (on === undefined) throw new Error(`The network ${payment.network} has no signers`)
      return checkApproval(upstream.parts, on, payment)
    },
  }
}

/** Creates the reader of payments' outcomes on their chains. */
export const createChainReader = (options: ChainReaderOptions): ChainReader =>
  createOutcomeReader({ ...options, methodOf })
