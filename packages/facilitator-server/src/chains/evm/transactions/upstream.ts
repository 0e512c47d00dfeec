import { type Chains, CommitOutcomeUnknown, withoutAddress } from '@mintmark/server-kit'
import type { TransactionReceipt } from 'viem'
import { authorizationDigest } from '../../../payments/verify/authorization-hash.ts'
import type { Payment, Upstream, UpstreamAnswer, UpstreamCall } from '../../../payments/payment.ts'
import { reasons } from '../../../payments/reasons.ts'
import { createRecovery, type Recovery } from '../../../payments/verify/recovery.ts'
import { lost, notSent, refused, reverted, success, type Unsent } from './upstream-responses.ts'
import {
  broadcast,
  openSettlingChain,
  prepareLane,
  releaseLane,
  type SettlingChain,
  signCall,
} from './nonce-lanes.ts'
import { findReceipt } from '../receipts.ts'
import type { SettlementSigner } from './signers.ts'
import { type Prepared, simulateTransfer } from './simulation.ts'
import { type TendReport, tendChain } from './sweep.ts'
import {
  addSettlement,
  findByPayment,
  findBySettlement,
  noteMined,
  noteUnmined,
  type Store,
} from './transaction-store.ts'
import { showsPayment, transferCall } from '../transfer.ts'

export interface BuiltInOptions {
  db: Store
  chains: Chains
  /** At least one; each settles on every chain. */
  signers: readonly SettlementSigner[]
  /** A transfer that needs more gas is refused. Default 500,000. */
  gasCap?: bigint
  /**
   * The same for a payer that is a contract, whose code we execute and pay for. Default 300,000: several owners, or a
   * passkey where the chain checks its curve, still fit.
   */
  contractGasCap?: bigint
  /** Wei a unit of gas that a transaction offers at most. Default: no cap. */
  maxFeePerGas?: bigint
  /** When a settle is answered: once its transaction was mined (default), or as soon as it was broadcast. */
  answerAfter?: 'receipt' | 'broadcast'
  /** Seconds after which a transaction that was not mined is replaced by one with a higher fee. Default 30. */
  replaceAfter?: number
  /** Told what went wrong on the way and was dealt with. */
  report?: (error: unknown) => void
  recovery?: Recovery
}

/** The upstream that needs nobody else: it settles with our own keys on the chains of `CHAINS`. */
export interface BuiltInUpstream extends Upstream {
  /** Addresses that settle, lower-case. */
  readonly signers: readonly string[]
  /**
   * Looks after what was signed: broadcasts again what the chain has not seen or has lost, fills gaps between nonces,
   * replaces what is stuck, notes what is final. A job calls it now and then, in any number of processes.
   */
  tend(): Promise<TendReport>
  /**
   * Sends a settlement's own transaction again, after a reorganisation took it off the chain, however long it was there.
   * `tend` goes on with it.
   */
  rebroadcast(settlementId: number | string): Promise<void>
  /** Hashes under which a payment may be found on its chain. */
  knownTransactions(payment: Pick<Payment, 'network' | 'asset' | 'payer' | 'nonce'>): Promise<string[]>
}

export function createBuiltInUpstream(options: BuiltInOptions): BuiltInUpstream {
  const { db, chains, signers, gasCap = 500_000n, answerAfter = 'receipt', replaceAfter = 30 } = options
  const { recovery = createRecovery(), maxFeePerGas, contractGasCap = 300_000n } = options
  const report = (error: unknown) => options.report?.(withoutAddress(error))
  if (signers.length === 0) throw new Error('The built-in upstream needs at least one signer.')
  const settling = new Map(
    chains.all.map((chain) => [chain.network, openSettlingChain(chain, signers, maxFeePerGas, report)]),
  )

  async function settle(payment: Payment, call: UpstreamCall): Promise<UpstreamAnswer> {
    const on = settling.get(payment.network)
    if (on === undefined) return refused(reasons.invalidNetwork, `There is no access to ${payment.network}.`)
    // A call that was cut off may have signed already, in this process or another.
    const standing = await findByPayment(db, on.chain.id, payment)
    if (standing !== undefined) return answer(on, payment, call.signal)

    const prepared = await prepare(on, payment)
    if ('kind' in prepared) {
      // The nonce may have been used by our own transaction, signed by another call meanwhile.
      const signedMeanwhile = prepared.kind === 'lost' && (await findByPayment(db, on.chain.id, payment))
      return signedMeanwhile ? answer(on, payment, call.signal) : prepared
    }
    const { lane } = prepared
    try {
      const sent = await sign(prepared, payment, call)
      if (sent !== 'taken') {
        if ('kind' in sent) return sent
        const outcome = await broadcast(on.chain, sent)
        // The transaction stands in the database, so it goes out yet: `tend` sends it again.
        if (outcome.kind === 'rejected')
          report(new Error(`A settlement was not accepted: ${outcome.message}`))
        if (outcome.kind === 'nonce-too-low') lane.prepared = undefined
        if (answerAfter === 'broadcast' && outcome.kind === 'accepted') return success(payment, sent.hash)
      }
      return await answer(on, payment, call.signal)
    } finally {
      releaseLane(lane)
    }
  }

  /** All that can still refuse: nothing is signed before it is done. Reserves the signer of what can be signed. */
  async function prepare(on: SettlingChain, payment: Payment): Promise<Prepared | Unsent> {
    const signedByKey =
      (await recovery.recover(authorizationDigest(payment), payment.signature)) === payment.payer
    const transfer = { recipient: payment.asset, data: transferCall(payment, signedByKey) }
    try {
      return await simulateTransfer({ on, payment, transfer, gasCap, contractGasCap, report })
    } catch (error) {
      report(error)
      return notSent('The chain or the database could not be read.')
    }
  }

  async function sign({ lane, call, fees }: Prepared, payment: Payment, owner: UpstreamCall) {
    const where = { chainId: lane.chain.id, signer: lane.signer.address }
    const { settlementId, attempt } = owner
    try {
      await prepareLane(db, lane)
    } catch (error) {
      report(error)
      return notSent('The chain could not be read.')
    }
    try {
      const added = await addSettlement(db, where, { ...payment, settlementId, attempt }, call, (nonce) =>
        signCall(lane, nonce, call, fees),
      )
      return added === 'disowned' ? notSent('The settle took longer than its lease.') : added
    } catch (error) {
      report(error)
      return error instanceof CommitOutcomeUnknown
        ? lost('reset', 'The database was lost while the transaction was written; it may go out yet.')
        : notSent('The transaction could not be stored.')
    }
  }

  /** Waits for the receipt of the payment's transaction, whichever of its attempts is mined. */
  async function answer(on: SettlingChain, payment: Payment, signal: AbortSignal): Promise<UpstreamAnswer> {
    const hashes = async () =>
      (await findByPayment(db, on.chain.id, payment))?.attempts.map((attempt) => attempt.hash) ?? []
    const receipt = await on.receipts.wait(hashes, signal)
    if (receipt === undefined) return lost('timeout', 'The transaction was not mined in time.')
    await note(receipt)
    if (receipt.status === 'success') {
      return showsPayment(receipt.logs, payment)
        ? success(payment, receipt.transactionHash)
        : lost('malformed', `${receipt.transactionHash} succeeded without the transfer that it should make.`)
    }
    return reverted(payment, receipt.transactionHash)
  }

  async function note(receipt: TransactionReceipt): Promise<void> {
    const { transactionHash: hash, blockNumber, blockHash } = receipt
    const mined = { hash, blockNumber, blockHash, succeeded: receipt.status === 'success', final: false }
    // `tend` notes it as well; the answer does not depend on it.
    await noteMined(db, hash, mined).catch(report)
  }

  return {
    signers: signers.map((signer) => signer.address),
    async settle(payment, call) {
      try {
        return await settle(payment, call)
      } catch (error) {
        // The database could not say whether a transaction stands, so there may be one.
        report(error)
        return lost('reset', 'The transactions could not be read.')
      }
    },
    async tend() {
      const reports = await Promise.all(
        [...settling.values()].map((on) => tendChain({ db, on, replaceAfter, maxFeePerGas, report })),
      )
      return reports.reduce((sum, one) => ({
        broadcast: sum.broadcast + one.broadcast,
        replaced: sum.replaced + one.replaced,
        filled: sum.filled + one.filled,
        mined: sum.mined + one.mined,
        final: sum.final + one.final,
      }))
    },
    async rebroadcast(settlementId) {
      const found = await findBySettlement(db, String(settlementId))
      const newest = found?.transaction.attempts.at(-1)
      const on = found && chains.byId(found.chainId)
      if (found === undefined || newest === undefined || on === undefined) return
      for (const { hash } of found.transaction.attempts) if (await findReceipt(on, hash)) return
      await noteUnmined(db, found.transaction)
      const outcome = await broadcast(on, newest)
      if (outcome.kind === 'rejected')
        report(new Error(`A settlement was not accepted again: ${outcome.message}`))
    },
    async knownTransactions(payment) {
      const on = settling.get(payment.network)
      const found = on && (await findByPayment(db, on.chain.id, payment))
      return found?.attempts.map((attempt) => attempt.hash) ?? []
    },
  }
}
