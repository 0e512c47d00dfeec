import {
  type Chains,
  CommitOutcomeUnknown,
  isRevert,
  type RpcError,
  revertReason,
  rpcErrorOf,
  withoutAddress,
} from '@mintmark/server-kit'
import { numberToHex, type TransactionReceipt } from 'viem'
import { authorizationDigest } from '../payment/authorization-hash.ts'
import type { Payment, Upstream, UpstreamAnswer, UpstreamCall } from '../payment/payment.ts'
import { reasons } from '../payment/reasons.ts'
import { createRecovery, type Recovery } from '../payment/recovery.ts'
import { createBatchedReads, multicallOn } from './batched-reads.ts'
import type { Fees } from './fees.ts'
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
import { authorizationState, readWord } from './token-reads.ts'
import {
  addSettlement,
  type Call,
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

type Refused = UpstreamAnswer & { kind: 'refused' }
type NotSent = UpstreamAnswer & { kind: 'not_sent' }
type Lost = UpstreamAnswer & { kind: 'lost' }
/** Why nothing was signed. */
type Unsent = Refused | NotSent | Lost

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
    if ('kind' in prepared) return prepared
    const { lane } = prepared
    lane.busy += 1
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
      lane.busy -= 1
    }
  }

  /** All that can still refuse: nothing is signed before it is done. */
  async function prepare(on: SettlingChain, payment: Payment): Promise<Prepared | Unsent> {
    const signedByKey =
      (await recovery.recover(authorizationDigest(payment), payment.signature)) === payment.payer
    const transfer = { recipient: payment.asset, data: transferCall(payment, signedByKey) }
    try {
      const [fees, isContract] = await Promise.all([on.fees.quote(), hasCode(on, payment.payer)])
      const cap = isContract ? contractGasCap : gasCap
      const simulated = await simulate(on, transfer, fees)
      if (simulated === undefined) return notSent('No signer can pay for the gas.')
      const { lane, gas } = simulated
      if (gas > cap)
        return refused(reasons.simulationFailed, `The transfer needs ${gas} gas, above the cap of ${cap}.`)
      const call = { ...transfer, gas }
      if (isContract) await simulateExactly(lane, call, fees)
      await prepareLane(db, lane)
      return { lane, call, fees }
    } catch (error) {
      const answered = rpcErrorOf(error)
      if (answered && isRevert(answered)) return explainRevert(on, payment, transfer.data, answered)
      report(error)
      if (answered && isOutOfGas(answered))
        return refused(reasons.simulationFailed, 'The transfer needs more gas than a transaction can have.')
      return notSent('The chain could not be read.')
    }
  }

  /**
   * What a reverted simulation means. Anybody can submit an authorization, and many tokens revert without a text, so the
   * nonce is read: where it is used, this very payment may have been made, and reconciliation decides from the logs. Nonce
   * and transfer are read in one call, so that a node that lags cannot mix two blocks.
   */
  async function explainRevert(
    on: SettlingChain,
    { asset, payer, nonce }: Payment,
    transfer: string,
    error: RpcError,
  ): Promise<Unsent> {
    const message = revertReason(error)
    const reason = refusalReason(message)
    if (reason === reasons.nonceUsed) return lost('malformed', `The nonce is used already: ${message}`)
    try {
      const reads = [authorizationState(asset, payer, nonce), { target: asset, data: transfer.slice(2) }]
      const [state, attempted] = await createBatchedReads(multicallOn(on.chain)).readAlone(reads, gasCap * 2n)
      if (state === undefined || readWord(state) !== 0n)
        return lost('malformed', `The nonce is used, so the transfer reverts: ${message}`)
      if (attempted?.success) return notSent('The node simulated the transfer with different results.')
    } catch (failure) {
      report(failure)
      return lost('malformed', `The transfer reverts, and whether the nonce is used is not known: ${message}`)
    }
    // By our clock it is valid, so the newest block is a moment behind.
    if (reason === reasons.validAfter) return notSent(`${message}.`, reason)
    return refused(reason, message)
  }

  async function sign({ lane, call, fees }: Prepared, payment: Payment, owner: UpstreamCall) {
    const where = { chainId: lane.chain.id, signer: lane.signer.address }
    const { settlementId, attempt } = owner
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

interface Prepared {
  lane: Lane
  call: Call
  fees: Fees
}

interface Transfer {
  recipient: string
  data: string
}

/** What a transfer usually needs, to choose the signer that it is simulated with. */
const USUAL_GAS = 100_000n

/**
 * Finds a signer that can pay for the transfer, and the gas that it needs when this very signer sends it with these fees;
 * undefined when none can. A payer's contract can read sender and gas price, and behave differently for others.
 */
async function simulate(
  on: SettlingChain,
  transfer: Transfer,
  fees: Fees,
): Promise<{ lane: Lane; gas: bigint } | undefined> {
  const first = await chooseLane(on, USUAL_GAS * fees.maxFeePerGas)
  if (first === undefined) return undefined
  const gas = await estimateGas(first, transfer, fees)
  const lane = await chooseLane(on, gas * fees.maxFeePerGas, first)
  if (lane === undefined) return undefined
  if (lane === first) return { lane, gas }
  const gasOfLane = await estimateGas(lane, transfer, fees)
  const canPay = (await chooseLane({ ...on, lanes: [lane] }, gasOfLane * fees.maxFeePerGas)) !== undefined
  return canPay ? { lane, gas: gasOfLane } : undefined
}

/** The gas to send a transfer with. */
async function estimateGas({ chain, signer }: Lane, transfer: Transfer, fees: Fees): Promise<bigint> {
  const estimate = await chain.client.request({
    method: 'eth_estimateGas',
    params: [callOf(signer.address, transfer, fees)],
  })
  // The estimate is of the state now; a recipient's first token costs more than the simulation may have seen.
  return (BigInt(estimate) * 5n) / 4n
}

/** Executes the call as it will be signed, gas limit included. @throws Error when it reverts. */
async function simulateExactly({ chain, signer }: Lane, call: Call, fees: Fees): Promise<void> {
  await chain.client.request({
    method: 'eth_call',
    params: [{ ...callOf(signer.address, call, fees), gas: numberToHex(call.gas) }, 'latest'],
  })
}

const callOf = (from: string, { recipient, data }: Transfer, fees: Fees) => ({
  from: asHex(from),
  to: asHex(recipient),
  data: asHex(data),
  maxFeePerGas: numberToHex(fees.maxFeePerGas),
  maxPriorityFeePerGas: numberToHex(fees.maxPriorityFeePerGas),
})

/** Whether the payer is a contract, or a key that delegates to one (EIP-7702). */
async function hasCode({ chain }: SettlingChain, payer: string): Promise<boolean> {
  const code = await chain.client.getCode({ address: asHex(payer) })
  return code !== undefined && code !== '0x'
}

/** The words of nodes for a call that ends by its gas limit. */
const isOutOfGas = ({ message }: RpcError): boolean =>
  /out of gas|gas required exceeds|OutOfGas/i.test(message)

/**
 * The answer for a transaction that was mined and reverted. Its gas is paid, so it counts as an upstream's 2xx without
 * success; that it names a transaction leaves the end to reconciliation. Somebody else may have submitted the same
 * authorization first, and a reorganization can still let ours succeed.
 */
const reverted = ({ payer, wireNetwork }: Payment, transaction: string): UpstreamAnswer => ({
  kind: 'answered',
  httpStatus: 200,
  body: {
    success: false,
    errorReason: reasons.transactionFailed,
    errorMessage: `${transaction} reverted`,
    payer,
    transaction,
    network: wireNetwork,
  },
})

const success = ({ payer, wireNetwork }: Payment, transaction: string): UpstreamAnswer => ({
  kind: 'answered',
  httpStatus: 200,
  body: { success: true, payer, transaction, network: wireNetwork },
})
const refused = (reason: string, message: string): Refused => ({
  kind: 'refused',
  httpStatus: 400,
  reason,
  message,
})
const notSent = (message: string, reason: string = reasons.settleError): NotSent => ({
  kind: 'not_sent',
  reason,
  message: `${message} Nothing was sent.`,
})
const lost = (why: Lost['why'], message: string): Lost => ({ kind: 'lost', why, message })
