import { setTimeout as pause } from 'node:timers/promises'
import { withoutGasReserve } from '../../../../../chains/evm/settings/gas-caps.ts'
import { recover } from '../../../../../chains/evm/signatures/recovery.ts'
import type { BuiltInParts, EvmPayment } from '../../../../../chains/evm/transactions/execution.ts'
import {
  broadcast,
  listSenders,
  type SettlingChain,
} from '../../../../../chains/evm/transactions/nonce-lanes.ts'
import { recordReceipt } from '../../../../../chains/evm/transactions/record-receipt.ts'
import type { StoredTransaction } from '../../../../../chains/evm/transactions/transaction-store.ts'
import { notSent, refused, type Unsent } from '../../../../../chains/evm/transactions/upstream-responses.ts'
import type { UpstreamCall } from '../../../../../payment/payment.ts'
import type { Problem } from '../../../../../payment/problem.ts'
import { reasons } from '../../../../../payment/reasons.ts'
import type { Permit2Terms } from '../permit2-terms.ts'
import { findApprovalProblem, findExecutionProblem, getMissingWei } from './approval-problem.ts'
import type { TransferSender } from './approved-transfer.ts'
import { giveGas } from './give-gas.ts'
import { findGrant } from './grant-store.ts'
import { grantKey, type SponsoredPayment, type Sponsoring } from './sponsoring.ts'
import { hasAllowance, readAllowance, readWalletState, type WalletState } from './wallet-state.ts'

const POLL_INTERVAL_MS = 200
/** How often the wallet's nonce is read while its approval is not mined. */
const NONCE_INTERVAL_MS = 1_000
/** How often a used nonce without an allowance is read before the approval is refused. */
const NONCE_READINGS = 2
/**
 * How often a node may refuse an approval that another node would mine, because it does not know the wallet's
 * gas yet.
 */
const MAX_BROADCASTS = 25

/** What was found out about a sponsored payment. */
interface Assessment {
  readonly problem: Problem | undefined
  readonly wallet: WalletState
  /** Wei that the wallet lacks for its approval. */
  readonly missing: bigint
  readonly grant: StoredTransaction | undefined
}

/**
 * Finds out why the signed approval of a payment would not be executed. Changes nothing.
 *
 * @throws Error if the chain or the database cannot be read.
 */
export async function checkApproval(
  { db }: Pick<BuiltInParts, 'db'>,
  on: SettlingChain,
  payment: EvmPayment<Permit2Terms>,
): Promise<Problem | undefined> {
  const approval = payment.details.approvalTransaction
  const limits = on.approvalLimits
  if (approval === undefined || limits === undefined) return NOT_SPONSORED
  if (!(await isSignedByPayer({ payment, approval }))) return WRONG_SIGNER
  const { problem } = await assess({ db, on, limits, payment, approval })
  return problem
}

/** Returns who would send the transfer, with its gas limit. */
function findTransferSender(on: SettlingChain, payment: EvmPayment<Permit2Terms>): TransferSender {
  const [lane] = listSenders(on, payment.scheme.getOnlySender?.(payment))
  if (lane === undefined) throw new Error('The chain has no signer that can send the transfer')
  return { address: lane.signer.address, gas: withoutGasReserve(on.gasCaps.key) }
}

type Assessed = SponsoredPayment & Pick<Sponsoring, 'on' | 'limits'> & Pick<BuiltInParts, 'db'>

/** How often a problem is read again while blocks are added. */
const MAX_READINGS = 5

/**
 * Reads a problem again until nothing has changed meanwhile, because a concurrent call may give gas or
 * broadcast an approval between two reads, and some nodes execute calls on a block that is newer than the one
 * that is named.
 */
async function assess(assessed: Assessed): Promise<Assessment> {
  let latest = await assessOnce(assessed)
  for (let count = 1; count < MAX_READINGS && latest.problem !== undefined; count += 1) {
    const next = await assessOnce(assessed)
    const isSame = next.wallet.block === latest.wallet.block && next.grant?.state === latest.grant?.state
    if (isSame) return next
    latest = next
  }
  return latest
}

async function assessOnce({ db, on, limits, payment, approval }: Assessed): Promise<Assessment> {
  // The grant first: it cannot be mined before it is written, so that the wallet's balance is at least as new.
  const grant = await findGrant(db, grantKey(payment))
  const [wallet, quote] = await Promise.all([
    readWalletState(on.chain, { payment, approval }, findTransferSender(on, payment)),
    on.fees.quote(),
  ])
  const missing = getMissingWei(approval, { wallet, quote })
  return { problem: findProblem(), wallet, missing, grant }

  function findProblem(): Problem | undefined {
    if (wallet.allowance >= payment.amount) return undefined
    // The gas is on its way, so that the balance does not count.
    if (grant?.state === 'sent') return findExecutionProblem(approval, wallet)
    return findApprovalProblem(approval, { wallet, missing, limits, isGranted: grant !== undefined })
  }
}

const NOT_SPONSORED: Problem = {
  reason: reasons.allowanceRequired,
  message: 'Approvals of Permit2 are not sponsored on this chain. Approve Permit2 with the wallet',
}
const WRONG_SIGNER: Problem = {
  reason: reasons.approvalTxSignerMismatch,
  message: "The payer's key did not sign the approval transaction. Sign it with the payer's key",
}

const isSignedByPayer = async ({ payment, approval }: SponsoredPayment): Promise<boolean> =>
  (await recover(Buffer.from(approval.digest.slice(2), 'hex'), approval.signature)) === payment.payer

/**
 * Makes sure that Permit2 may transfer the amount of a payment with a signed approval: gives the wallet what
 * it lacks for the gas, once, and broadcasts the approval when that is mined. Does nothing for a payment
 * without a signed approval, or if Permit2 is approved. Until it returns, nothing of the payment itself is
 * signed, so that every failure leaves the payment unsent.
 *
 * @returns `approved` if Permit2 was approved during the call.
 */
export async function sponsorApproval(
  parts: BuiltInParts,
  on: SettlingChain,
  payment: EvmPayment<Permit2Terms>,
  call: UpstreamCall,
): Promise<Unsent | 'approved' | undefined> {
  const approval = payment.details.approvalTransaction
  const limits = on.approvalLimits
  if (approval === undefined || limits === undefined) return undefined
  try {
    if (await hasAllowance(on.chain, payment)) return undefined
    if (!(await isSignedByPayer({ payment, approval })))
      return refused(WRONG_SIGNER.reason, WRONG_SIGNER.message)
    const sponsoring = { parts, on, payment, approval, limits, call }
    return (await approve(sponsoring)) ?? checkTime(sponsoring) ?? 'approved'
  } catch (error) {
    parts.report(error)
    return notSent('The chain or the database could not be read')
  }
}

/** What is left of a payment's validity when it is sent, so that it does not expire before it is mined. */
const SETTLE_MARGIN_SECONDS = 6n

/** The approval took time, which the payment may not have. */
function checkTime({ parts, payment, call: { signal } }: Sponsoring): Unsent | undefined {
  const seconds = BigInt(Math.floor(parts.now() / 1000))
  if (payment.validBefore < seconds + SETTLE_MARGIN_SECONDS)
    return refused(
      payment.scheme.reasons.validBefore,
      'Permit2 is approved, but the payment is about to expire. Sign a new one',
    )
  return signal.aborted ? notMined('Permit2 is approved too late for this settle') : undefined
}

async function approve(sponsoring: Sponsoring): Promise<Unsent | undefined> {
  const { parts, payment } = sponsoring
  const { problem, wallet, missing, grant } = await assess({ ...sponsoring, db: parts.db })
  if (problem !== undefined) return refused(problem.reason, problem.message)
  if (wallet.allowance >= payment.amount) return undefined
  if (missing > 0n) {
    const unsent = grant === undefined ? await giveGas(sponsoring, wallet, missing) : undefined
    if (unsent !== undefined) return unsent
    const withoutGas = await waitForGas(sponsoring)
    if (withoutGas !== undefined) return withoutGas
  }
  return broadcastApproval(sponsoring)
}

/** Waits until the grant is mined, and finds out whether the wallet can pay for its approval then. */
async function waitForGas(sponsoring: Sponsoring): Promise<Unsent | undefined> {
  const { parts, on, payment, call } = sponsoring
  const listHashes = async () => {
    const grant = await findGrant(parts.db, grantKey(payment))
    return grant?.attempts.map(({ hash }) => hash) ?? []
  }
  const receipt = await on.receipts.wait(listHashes, call.signal)
  if (receipt === undefined) return notMined('The gas for the approval was not mined in time')
  await recordReceipt(parts, {
    receipt,
    transaction: { purpose: 'grant', gas: 0n, data: '0x' },
    payments: [],
  })
  const assessment = await assessAsOf(sponsoring, receipt.blockNumber)
  if (assessment === undefined) return notMined('The nodes lack the block with the gas for the approval')
  const { problem } = assessment
  return problem && refused(problem.reason, problem.message)
}

const notMined = (message: string): Unsent => notSent(message, reasons.approvalTxNotMined)

/** Reads the wallet at `block` or a later one. Undefined if the signal ended the wait for it. */
async function assessAsOf(sponsoring: Sponsoring, block: bigint): Promise<Assessment | undefined> {
  while (!sponsoring.call.signal.aborted) {
    const assessment = await assess({ ...sponsoring, db: sponsoring.parts.db })
    if (assessment.wallet.block >= block) return assessment
    await pause(POLL_INTERVAL_MS)
  }
  return undefined
}

/** Broadcasts the approval, and waits until Permit2 may transfer the amount. */
async function broadcastApproval(sponsoring: Sponsoring): Promise<Unsent | undefined> {
  const { parts, on, approval, call } = sponsoring
  const sent = await broadcastUntilAccepted(on, approval.raw, call.signal)
  if (sent.kind === 'rejected') {
    parts.report(new Error(`The node rejected an approval: ${sent.message}`))
    return notMined('The nodes did not accept the approval')
  }
  return waitForNonceUse(sponsoring)
}

/**
 * Waits until the wallet has used the nonce of its approval: for this approval, for another one, because the
 * wallet may have signed several for payments at once, or for another transaction. A node that lags behind
 * shows neither the use nor the allowance.
 */
async function waitForNonceUse({ on, payment, approval, call }: Sponsoring): Promise<Unsent | undefined> {
  const { signal } = call
  let readings = 0
  while (!signal.aborted) {
    const state = await readAllowance(on.chain, payment)
    if (state !== undefined && state.allowance >= payment.amount) return undefined
    if (state !== undefined && state.nonce > approval.nonce) {
      readings += 1
      // Some nodes read the nonce from a block that was added meanwhile.
      if (readings < NONCE_READINGS) continue
      return refused(
        reasons.approvalTxFailed,
        'The nonce of the approval is used, and Permit2 may not transfer the amount. Sign a new approval',
      )
    }
    // Ends early when this approval is mined.
    const wait = AbortSignal.any([signal, AbortSignal.timeout(NONCE_INTERVAL_MS)])
    const receipt = await on.receipts.wait(async () => [approval.hash], wait)
    if (receipt !== undefined && receipt.status !== 'success')
      return refused(reasons.approvalTxFailed, 'The approval reverted')
    if (receipt !== undefined) await pause(POLL_INTERVAL_MS)
  }
  return notMined('The nodes do not show that the approval was mined')
}

/** Repeats a broadcast that a node rejects, because it may not know the wallet's gas yet. */
async function broadcastUntilAccepted(on: SettlingChain, raw: string, signal: AbortSignal) {
  for (let count = 1; ; count += 1) {
    const outcome = await broadcast(on.chain, { raw })
    if (outcome.kind !== 'rejected') return outcome
    // Another approval with the same nonce is in the pool.
    if (/underpriced/i.test(outcome.message)) return { kind: 'accepted' } as const
    if (count >= MAX_BROADCASTS || signal.aborted) return outcome
    await pause(POLL_INTERVAL_MS)
  }
}
