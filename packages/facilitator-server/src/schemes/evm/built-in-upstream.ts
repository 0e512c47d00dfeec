import type { EvmPayment } from '../../chains/evm/transactions/execution.ts'
import {
  type ChainUpstream,
  createChainUpstream,
  type UpstreamOptions,
} from '../../chains/evm/upstream/upstream.ts'
import { executions } from '../registry.ts'
import { checkApproval } from './shared/permit2/approvals/sponsor-approval.ts'
import type { Permit2Terms } from './shared/permit2/permit2-terms.ts'
import type { VerifierOptions } from './verify/verify.ts'

export type BuiltInOptions = Omit<UpstreamOptions, 'executions'>

/** The upstream that settles all schemes with our own keys on the chains of `CHAINS`. */
export type BuiltInUpstream = ChainUpstream & Required<Pick<VerifierOptions, 'checkApproval'>>

export function createBuiltInUpstream(options: BuiltInOptions): BuiltInUpstream {
  const upstream = createChainUpstream({ ...options, executions })
  return {
    ...upstream,
    async checkApproval(payment: EvmPayment<Permit2Terms>) {
      const on = upstream.settling.get(payment.network)
      if (on === undefined) throw new Error(`The network ${payment.network} has no signers`)
      return checkApproval(upstream.parts, on, payment)
    },
  }
}
