import type { Chains } from '@mintmark/evm-reader'
import type { ChainAmounts } from '../chains/evm/settings/chain-amounts.ts'
import type { RevertLimits } from '../ledger/settlements/reserve.ts'
import type { ChargeOn } from '../ledger/settlements/rules.ts'
import type { ChainReader } from '../payment/payment.ts'
import type { BuiltInUpstream } from '../schemes/evm/built-in-upstream.ts'
import type { SvmParts } from '../schemes/solana/exact/svm-parts.ts'

/** The parts of the facilitator that operators see. */
export interface OperatedPayments {
  readonly chains: Chains
  readonly chainReader: ChainReader
  readonly builtIn: Pick<BuiltInUpstream, 'signers' | 'retired'> | undefined
  readonly svm: Pick<SvmParts, 'networks' | 'feePayers' | 'readStatus'> | undefined
}

/** The settings that gauges, the states of signers and decisions depend on. */
export interface OperatedSettings {
  readonly price: bigint
  readonly chargeOn: ChargeOn
  readonly upstreamTimeout: number
  readonly upstreamUrl: URL | undefined
  readonly signers: readonly { readonly address: string }[]
  readonly retiredSigners: ReadonlySet<string>
  readonly maxValidity: number
  readonly auditIntervalSeconds: number
  readonly revertLimits: RevertLimits
  readonly treasuryChain: number
  readonly treasury: string
  readonly treasuryFromBlock: bigint
  readonly approvalGrant: ChainAmounts
  readonly approvalGrantsPerDay: ChainAmounts
}
