import { type Chains, removeAddress } from '@mintmark/evm-reader'
import { batchByKey } from '../../../database/batch.ts'
import type { Store } from '../../../database/store.ts'
import type { Payment, Upstream } from '../../../payment/payment.ts'
import { createBatches } from '../batches/settle-batches.ts'
import { findReceipt } from '../reads/receipts.ts'
import type { FindSender } from '../reads/simulated-calls.ts'
import type { PaymentNonce } from '../reads/transfer-method.ts'
import type { AllowedFactories } from '../settings/allowed-assets.ts'
import type { ApprovalLimits } from '../settings/approval-limits.ts'
import type { ChainAmounts } from '../settings/chain-amounts.ts'
import { DEFAULT_GAS_CAPS, type GasCaps } from '../settings/gas-caps.ts'
import type { BuiltInParts, EvmPayment, Executions } from '../transactions/execution.ts'
import { broadcastAgain, openSettlingChain, type SettlingChain } from '../transactions/nonce-lanes.ts'
import { settleOnChain } from '../transactions/settle-on-chain.ts'
import type { SettlementSigner } from '../transactions/signers.ts'
import { recordUnmined } from '../transactions/transaction-outcomes.ts'
import {
  findBySettlement,
  getNewestAttempt,
  isPaymentSuperseded,
  listHashesOfPayments,
} from '../transactions/transaction-store.ts'
import { lost } from '../transactions/upstream-responses.ts'
import { createFindSender } from './simulation-sender.ts'
import { type SweepReport, sweepChain } from './sweep.ts'

export interface UpstreamOptions {
  db: Store
  chains: Chains
  executions: Executions
  /** At least one. Each settles on every chain. */
  signers: readonly SettlementSigner[]
  /**
   * The addresses of signers that take no new payments: they finish what they have sent, and send payments
   * that are signed for them. Default: none.
   */
  retired?: ReadonlySet<string>
  /** Default: `DEFAULT_GAS_CAPS`, on every chain. */
  gasCaps?: GasCaps
  /** The contracts that may deploy payers' wallets (ERC-6492). Default: none. */
  walletFactories?: AllowedFactories
  /** Per chain: the most wei per unit of gas that a transaction offers. Default: no cap. */
  maxFeePerGas?: ChainAmounts
  /** Per chain: what payers are given for the gas of their approvals. Default: nothing. */
  approvalLimits?: (chainId: number) => ApprovalLimits | undefined
  /**
   * Seconds after which a transaction that was not mined is replaced by one with a higher fee. Default 30.
   */
  replaceAfter?: number
  /** Receives errors that were handled. */
  report?: (error: unknown) => void
  /** Milliseconds since the epoch. Default: the system's clock. */
  now?: () => number
}

/** The upstream that settles with our own keys on the chains of `CHAINS`. */
export interface ChainUpstream extends Upstream {
  /** Addresses of the signers, lower-case. */
  readonly signers: readonly string[]
  /** The addresses of those that take no new payments. */
  readonly retired: ReadonlySet<string>
  /** Finds the sender and the fees with which a verification simulates a settlement. */
  readonly findSender: FindSender
  /** What the settles share. */
  readonly parts: BuiltInParts
  /** The chains on which payments are settled, by their networks. */
  readonly settling: ReadonlyMap<string, SettlingChain>
  /**
   * Maintains signed transactions: broadcasts the ones that the chain lacks, fills gaps between nonces,
   * replaces stuck transactions, signs those again whose nonce another program used, and records final ones.
   * A job calls it regularly, in any number of processes.
   *
   * @param network Only those of this network (CAIP-2). Default: of all chains.
   */
  sweep(network?: string): Promise<SweepReport>
  /**
   * Broadcasts a settlement's own transaction again after a reorganization removed it from the chain, however
   * old it is. Later sweeps continue with it.
   */
  rebroadcast(settlementId: number | string): Promise<void>
  /** Lists the hashes under which a payment may be found on its chain. */
  listSignedTransactions(payment: Pick<Payment, 'network' | 'domain' | 'payer' | 'nonce'>): Promise<string[]>
  /** Whether a payment's transaction can never be mined, and none will be signed again. */
  isSuperseded(payment: Pick<Payment, 'network' | 'domain' | 'payer' | 'nonce'>): Promise<boolean>
}

/** The most payments whose hashes one statement lists. */
const MAX_LISTED_PAYMENTS = 500

export function createChainUpstream(options: UpstreamOptions): ChainUpstream {
  const { db, chains, executions, signers, retired = new Set(), replaceAfter = 30 } = options
  if (signers.every(({ address }) => retired.has(address)))
    throw new Error('The built-in upstream requires at least one signer that is not retired')
  const report = (error: unknown): void => {
    options.report?.(removeAddress(error))
  }
  const parts: BuiltInParts = {
    db,
    executions,
    walletFactories: options.walletFactories ?? new Set(),
    now: options.now ?? Date.now,
    report,
  }
  const settling: ReadonlyMap<string, SettlingChain> = new Map(
    chains.all.map((chain) => {
      const gasCaps = options.gasCaps ?? DEFAULT_GAS_CAPS
      const maxFeePerGas = options.maxFeePerGas?.(chain.id)
      const approvalLimits = options.approvalLimits?.(chain.id)
      return [
        chain.network,
        openSettlingChain(chain, signers, { gasCaps, maxFeePerGas, approvalLimits, retired }, report),
      ]
    }),
  )
  // A reconciler asks for hundreds of payments at once.
  const listHashes = batchByKey(
    (chainId: number, payments: PaymentNonce[]) => listHashesOfPayments(db, chainId, payments),
    { maxItems: MAX_LISTED_PAYMENTS },
  )
  const batches = new Map([...settling].map(([network, on]) => [network, createBatches(parts, on)]))
  return {
    signers: signers.map((signer) => signer.address),
    retired,
    findSender: createFindSender(settling),
    parts,
    settling,
    async settle(payment: EvmPayment, call) {
      const { batchDelayMs = 0 } = call
      const batched = batchDelayMs > 0 ? batches.get(payment.network) : undefined
      try {
        const response = await batched?.settle(payment, call, batchDelayMs)
        return response ?? (await settleOnChain(parts, settling.get(payment.network), payment, call))
      } catch (error) {
        // The database could not be read, so a transaction may exist.
        report(error)
        return lost('reset', 'The transactions could not be read')
      }
    },
    async sweep(network) {
      const swept = [...settling.values()].filter(
        ({ chain }) => network === undefined || chain.network === network,
      )
      const reports = await Promise.all(
        swept.map((on) => sweepChain({ db, on, executions, replaceAfter, report })),
      )
      return reports.reduce(addReports, EMPTY_REPORT)
    },
    rebroadcast: (settlementId) => rebroadcast(parts, chains, String(settlementId)),
    async listSignedTransactions(payment) {
      const chain = settling.get(payment.network)?.chain
      return chain === undefined ? [] : listHashes(chain.id, payment)
    },
    async isSuperseded(payment) {
      const chain = settling.get(payment.network)?.chain
      return chain !== undefined && (await isPaymentSuperseded(db, chain.id, payment))
    },
  }
}

async function rebroadcast(
  { db, report }: BuiltInParts,
  chains: Chains,
  settlementId: string,
): Promise<void> {
  const signed = await findBySettlement(db, settlementId)
  const newest = signed && getNewestAttempt(signed.transaction)
  const chain = signed && chains.byId(signed.chainId)
  if (signed === undefined || newest === undefined || chain === undefined) return
  for (const { hash } of signed.transaction.attempts) {
    if (await findReceipt(chain, hash)) return
  }
  await recordUnmined(db, signed.transaction)
  const outcome = await broadcastAgain(chain, newest)
  if (outcome.kind === 'rejected')
    report(new Error(`The nodes rejected the repeated broadcast of a settlement: ${outcome.message}`))
}

const EMPTY_REPORT: SweepReport = {
  broadcast: 0,
  replaced: 0,
  signedAgain: 0,
  filled: 0,
  mined: 0,
  final: 0,
}

const addReports = (left: SweepReport, right: SweepReport): SweepReport => ({
  broadcast: left.broadcast + right.broadcast,
  replaced: left.replaced + right.replaced,
  signedAgain: left.signedAgain + right.signedAgain,
  filled: left.filled + right.filled,
  mined: left.mined + right.mined,
  final: left.final + right.final,
})
