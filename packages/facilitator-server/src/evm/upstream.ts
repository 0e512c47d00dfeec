import {
  type Chains,
  CommitOutcomeUnknown,
  describeChainError,
  isRevert,
  revertReason,
  rpcErrorOf,
  withoutAddress,
} from '@mintmark/server-kit'
import type { TransactionReceipt } from 'viem'
import { authorizationDigest } from '../payment/authorization-hash.ts'
import type { Payment, Upstream, UpstreamAnswer } from '../payment/payment.ts'
import { reasons } from '../payment/reasons.ts'
import { createRecovery, type Recovery } from '../payment/recovery.ts'
import {
  broadcast,
  chooseLane,
  type Lane,
  openSettlingChain,
  prepareLane,
  type SettlingChain,
  signCall,
} from './lanes.ts'
import { findReceipt } from './receipts.ts'
import type { SettlementSigner } from './signers.ts'
import { type TendReport, tendChain } from './tend.ts'
import {
  addSettlement,
  findByPayment,
  findBySettlement,
  noteMined,
  noteUnmined,
  type Store,
} from './transaction-store.ts'
import { asHex, refusalReason, showsPayment, transferCall } from './transfer.ts'

export interface BuiltInOptions {
  db: Store
  chains: Chains
  /** At least one; each settles on every chain. */
  signers: readonly SettlementSigner[]
  /** A transfer that needs more gas is refused. Default 500,000: a wallet that checks a passkey still fits. */
  gasCap?: bigint
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

type Refused = UpstreamAnswer & { kind: 'refused' }
type Lost = UpstreamAnswer & { kind: 'lost' }

export function createBuiltInUpstream(options: BuiltInOptions): BuiltInUpstream {
  const { db, chains, signers, gasCap = 500_000n, answerAfter = 'receipt', replaceAfter = 30 } = options
  const { recovery = createRecovery(), maxFeePerGas } = options
  const report = (error: unknown) => options.report?.(withoutAddress(error))
  if (signers.length === 0) throw new Error('The built-in upstream needs at least one signer.')
  const settling = new Map(
    chains.all.map((chain) => [chain.network, openSettlingChain(chain, signers, maxFeePerGas, report)]),
  )

  async function settle(payment: Payment, call: { settlementId: string; signal: AbortSignal }) {
    const on = settling.get(payment.network)
    if (on === undefined) return refused(reasons.invalidNetwork, `There is no access to ${payment.network}.`)
    // A call that was cut off may have signed already, in this process or another.
    const standing = await findByPayment(db, on.chain.id, payment)
    if (standing !== undefined) return answer(on, payment, call.signal)

    const prepared = await prepare(on, payment)
    if ('kind' in prepared) return prepared
    const { lane } = prepared
    lane.busy += 1
    try {
      const sent = await sign(prepared, payment, call.settlementId)
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
      lane.busy -= 1
    }
  }

  /** All that can still refuse: nothing is signed before it is done. */
  async function prepare(on: SettlingChain, payment: Payment): Promise<Prepared | Refused | Lost> {
    const signedByKey =
      (await recovery.recover(authorizationDigest(payment), payment.signature)) === payment.payer
    const transfer = { recipient: payment.asset, data: transferCall(payment, signedByKey) }
    try {
      const from = on.lanes[0]?.signer.address ?? ''
      const [estimate, fees] = await Promise.all([estimateGas(on, from, transfer), on.fees.quote()])
      // The estimate is of the state now; a recipient's first token costs more than the simulation may have seen.
      const gas = (estimate * 5n) / 4n
      if (gas > gasCap)
        return refused(reasons.simulationFailed, `The transfer needs ${gas} gas, above the cap.`)
      const lane = await chooseLane(on, gas * fees.maxFeePerGas)
      if (lane === undefined) return refused(reasons.settleError, 'No signer can pay for the gas.', 503)
      await prepareLane(db, lane)
      return { lane, call: { ...transfer, gas }, fees }
    } catch (error) {
      const answered = rpcErrorOf(error)
      if (answered && isRevert(answered)) return simulated(revertReason(answered))
      report(error)
      return refused(reasons.settleError, 'The chain could not be asked, and nothing was sent.', 503)
    }
  }

  async function sign({ lane, call, fees }: Prepared, payment: Payment, settlementId: string) {
    const where = { chainId: lane.chain.id, signer: lane.signer.address }
    try {
      return await addSettlement(db, where, { ...payment, settlementId }, call, (nonce) =>
        signCall(lane, nonce, call, fees),
      )
    } catch (error) {
      report(error)
      return error instanceof CommitOutcomeUnknown
        ? lost('reset', 'The database was lost while the transaction was written; it may go out yet.')
        : refused(reasons.settleError, 'The transaction could not be written, and nothing was sent.', 503)
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
    return reverted(on, payment, receipt)
  }

  async function note(receipt: TransactionReceipt): Promise<void> {
    const { transactionHash: hash, blockNumber, blockHash } = receipt
    const mined = { hash, blockNumber, blockHash, succeeded: receipt.status === 'success', final: false }
    // `tend` notes it as well; the answer does not depend on it.
    await noteMined(db, hash, mined).catch(report)
  }

  /**
   * Anybody can submit an authorization. If ours reverted because somebody was faster, the seller is paid all the same,
   * and that is for reconciliation to find out.
   */
  async function reverted(
    on: SettlingChain,
    payment: Payment,
    { transactionHash }: TransactionReceipt,
  ): Promise<Refused | Lost> {
    const from = on.lanes[0]?.signer.address ?? ''
    try {
      const signedByKey =
        (await recovery.recover(authorizationDigest(payment), payment.signature)) === payment.payer
      await estimateGas(on, from, { recipient: payment.asset, data: transferCall(payment, signedByKey) })
    } catch (error) {
      const answered = rpcErrorOf(error)
      if (!answered || !isRevert(answered)) {
        return lost(
          'malformed',
          `${transactionHash} reverted, and why is not known: ${describeChainError(error)}`,
        )
      }
      const message = revertReason(answered)
      if (refusalReason(message) === reasons.nonceUsed) {
        return lost(
          'malformed',
          `${transactionHash} reverted, since the nonce was used by another transaction.`,
        )
      }
      return refused(reasons.transactionFailed, `${transactionHash} reverted: ${message}`)
    }
    return refused(reasons.transactionFailed, `${transactionHash} reverted.`)
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

interface Prepared {
  lane: Lane
  call: { recipient: string; data: string; gas: bigint }
  fees: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
}

async function estimateGas(
  { chain }: SettlingChain,
  from: string,
  { recipient, data }: { recipient: string; data: string },
): Promise<bigint> {
  const estimate = await chain.client.request({
    method: 'eth_estimateGas',
    params: [{ from: asHex(from), to: asHex(recipient), data: asHex(data) }],
  })
  return BigInt(estimate)
}

/**
 * What a failed simulation means. A used nonce may have been used by this very payment, submitted by somebody else, so
 * that only the chain's logs can tell.
 */
function simulated(message: string): Refused | Lost {
  const reason = refusalReason(message)
  return reason === reasons.nonceUsed
    ? lost('malformed', `The nonce is used already: ${message}`)
    : refused(reason, message)
}

const success = ({ payer, wireNetwork }: Payment, transaction: string): UpstreamAnswer => ({
  kind: 'answered',
  httpStatus: 200,
  body: { success: true, payer, transaction, network: wireNetwork },
})
const refused = (reason: string, message: string, httpStatus = 400): Refused => ({
  kind: 'refused',
  httpStatus,
  reason,
  message,
})
const lost = (why: Lost['why'], message: string): Lost => ({ kind: 'lost', why, message })
