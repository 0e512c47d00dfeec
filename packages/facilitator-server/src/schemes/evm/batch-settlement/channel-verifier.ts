import { cacheLookup } from '@mintmark/server-kit'
import { createInquire, type Inquire } from '../../../chains/evm/reads/inquiries.ts'
import { recover } from '../../../chains/evm/signatures/recovery.ts'
import { larger } from '../../../payment/amounts.ts'
import type { Payment, PaymentVerifier, VerificationOutcome } from '../../../payment/payment.ts'
import type { Problem } from '../../../payment/problem.ts'
import type { VerifierParts } from '../evm-scheme.ts'
import { createSchemeVerifier, invalid } from '../shared/scheme-verifier.ts'
import { channelRead, parseState, readTwoWords, stateReads } from './channel-contracts.ts'
import { computeVoucherDigest, toBytes } from './channel-digests.ts'
import { channelReasons } from './channel-reasons.ts'
import type {
  ChannelAction,
  ChannelDeposit,
  ChannelOperation,
  ChannelState,
  Claim,
  Voucher,
  VoucherAction,
} from './channel-terms.ts'

type ReadableChain = VerifierParts['chains'][number]

/** 65 bytes that end with 27 or 28. */
const CONTRACT_SIGNATURE = /^0x[0-9a-f]{128}1[bc]$/

/** A state of a channel, with the `monotonicNow` at which its reading began. */
interface Reading {
  readonly state: ChannelState
  readonly begunAt: number
}

/** Reads the channels of one chain. */
interface ChannelChain {
  readonly inquire: Inquire
  /** Reads the state of a channel, or returns what was read a moment ago. */
  readRecent(channelId: string): Promise<Reading>
}

/** Milliseconds of a clock that is never set back, unlike that of the system. */
const monotonicNow = () => performance.now()

function openChain(chain: ReadableChain, ttlMs: number): ChannelChain {
  const inquire = createInquire(chain)
  const read = async (channelId: string): Promise<Reading> => {
    const begunAt = monotonicNow()
    return { state: await readState(inquire, channelId), begunAt }
  }
  return { inquire, readRecent: cacheLookup(read, { ttlMs, now: monotonicNow }) }
}

/**
 * Creates the verification of requests of channels. Their decoding has compared them with the requirements.
 * The state of a channel is read from the newest block, together with those of other requests of the same
 * turn. Vouchers that follow each other quickly are accepted by one reading.
 */
export function createChannelVerifier(options: VerifierParts): PaymentVerifier {
  return createSchemeVerifier<ChannelAction, ChannelChain>(
    options,
    (chain) => openChain(chain, options.stateTtlMs),
    (chain, payment, simulate) => {
      const { details: channel } = payment
      return channel.kind === 'deposit'
        ? verifyDeposit(options, chain.inquire, { payment, channel, simulate })
        : verifyOperation(options, chain, payment, channel)
    },
  )
}

async function verifyDeposit(
  { transfers, now }: VerifierParts,
  inquire: Inquire,
  { payment, channel, simulate }: { payment: Payment; channel: ChannelDeposit; simulate: boolean },
): Promise<VerificationOutcome> {
  const { voucher } = channel
  if (!(await isSigned(voucher, payment.chainId))) return invalid(payment, BAD_VOUCHER)
  const [state, transfer] = await Promise.all([
    readState(inquire, voucher.channelId),
    transfers.verify(payment, { simulate }),
  ])
  if (!transfer.isValid) return transfer
  const after = { ...state, balance: state.balance + payment.amount }
  const problem = findVoucherProblem(voucher, after, { refunds: false, seconds: toSeconds(now()) })
  if (problem !== undefined) return invalid(payment, problem)
  return {
    ...transfer,
    extra: toStateExtra(voucher.channelId, state),
    // A new channel has nothing to claim until its deposit is settled, and the settle stores the voucher. One
    // balance would cover verified deposits into any number of channels.
    ...(state.balance > 0n && { isClaimable: true }),
  }
}

async function verifyOperation(
  options: VerifierParts,
  chain: ChannelChain,
  payment: Payment,
  channel: VoucherAction | ChannelOperation,
): Promise<VerificationOutcome> {
  switch (channel.kind) {
    case 'voucher':
      return verifyVoucher(options, chain, payment, channel)
    case 'claim': {
      const problem = await findClaimsProblem(chain.inquire, channel.signed.claims, payment.chainId)
      return problem === undefined ? { isValid: true, payer: payment.payer } : invalid(payment, problem)
    }
    case 'settle':
      // The simulation finds out whether something is due.
      return { isValid: true, payer: payment.payer }
    case 'refund':
      return verifyRefund(chain.inquire, payment, channel)
  }
}

async function verifyVoucher(
  options: VerifierParts,
  chain: ChannelChain,
  payment: Payment,
  { voucher, refunds }: VoucherAction,
): Promise<VerificationOutcome> {
  if (!(await isSigned(voucher, payment.chainId))) return invalid(payment, BAD_VOUCHER)
  const { channelId } = voucher
  const findProblem = (state: ChannelState) =>
    findVoucherProblem(voucher, state, { refunds, seconds: toSeconds(options.now()) })
  const askedAt = monotonicNow()
  const { state: recent, begunAt } = await chain.readRecent(channelId)
  // A deposit may have been mined since the state was read.
  const isOutdated = findProblem(recent) !== undefined && begunAt < askedAt
  const state = isOutdated ? await readState(chain.inquire, channelId) : recent
  const problem = findProblem(state)
  if (problem !== undefined) return invalid(payment, problem)
  return { isValid: true, payer: payment.payer, isClaimable: true, extra: toStateExtra(channelId, state) }
}

/** How long a seller may take to claim a voucher, less than the shortest delay of a withdrawal. */
const CLAIM_SECONDS = 300n

/** Finds out why a voucher is worth nothing to the seller. */
function findVoucherProblem(
  { maximum, config }: Voucher,
  state: ChannelState,
  { refunds, seconds }: { refunds: boolean; seconds: bigint },
): Problem | undefined {
  const { balance, totalClaimed, withdrawal } = state
  if (balance === 0n) return NOT_FOUND
  // The payer can execute a withdrawal after its delay at any time, so the seller can no longer count on that
  // part.
  const dueAt = withdrawal.requestedAt + BigInt(config.withdrawDelay)
  const isDue = withdrawal.requestedAt > 0n && seconds + CLAIM_SECONDS >= dueAt
  const rest = isDue ? balance - withdrawal.amount : balance
  // What was claimed is the seller's, whatever is withdrawn.
  const secured = larger(rest, totalClaimed)
  if (maximum > secured) return ABOVE_BALANCE
  if (refunds ? maximum < totalClaimed : maximum <= totalClaimed) return BELOW_CLAIMED
  return undefined
}

async function verifyRefund(
  inquire: Inquire,
  payment: Payment,
  { voucher, refundNonce, amount, signed }: ChannelOperation & { kind: 'refund' },
): Promise<VerificationOutcome> {
  if (!(await isSigned(voucher, payment.chainId))) return invalid(payment, BAD_VOUCHER)
  const problem = signed && (await findClaimsProblem(inquire, signed.claims, payment.chainId))
  // A refund may come after all was claimed.
  if (problem !== undefined && problem !== BELOW_CLAIMED) return invalid(payment, problem)
  const state = await readState(inquire, voucher.channelId)
  if (state.balance === 0n) return invalid(payment, NOT_FOUND)
  if (state.refundNonce !== refundNonce) return invalid(payment, REFUNDED)
  let claimed = state.totalClaimed
  for (const { channelId, total } of signed?.claims ?? []) {
    if (channelId === voucher.channelId && total > claimed) claimed = total
  }
  if (claimed > state.balance) return invalid(payment, ABOVE_BALANCE)
  if (amount === 0n || claimed === state.balance) return invalid(payment, NOTHING_LEFT)
  return { isValid: true, payer: payment.payer }
}

/**
 * Finds out why claims would fail or change nothing. A transaction for nothing would cost the seller the
 * price.
 */
async function findClaimsProblem(
  inquire: Inquire,
  claims: readonly Claim[],
  chainId: number,
): Promise<Problem | undefined> {
  for (const claim of claims) {
    if (!(await isSigned(claim, chainId))) return BAD_VOUCHER
  }
  const { reads } = await inquire({ reads: claims.map(({ channelId }) => channelRead(channelId)), calls: [] })
  let isUseful = false
  for (const [index, { total }] of claims.entries()) {
    const [balance, totalClaimed] = readTwoWords(reads[index])
    if (balance === 0n) return NOT_FOUND
    if (total > balance) return ABOVE_BALANCE
    if (total > totalClaimed) isUseful = true
  }
  return isUseful ? undefined : BELOW_CLAIMED
}

/**
 * Whether the channel's key has signed the voucher, in the only form that the contract accepts. Without a key
 * of its own, a channel's vouchers are judged by the payer's code when they are claimed, and this code can
 * change at any time.
 */
async function isSigned(voucher: Voucher, chainId: number): Promise<boolean> {
  const { channelId, maximum, signature, config } = voucher
  if (!CONTRACT_SIGNATURE.test(signature)) return false
  const digest = toBytes(computeVoucherDigest(channelId, maximum, chainId))
  return (await recover(digest, signature)) === config.payerAuthorizer
}

/** @throws Error if the chain cannot be read. */
export async function readState(inquire: Inquire, channelId: string): Promise<ChannelState> {
  const { reads } = await inquire({ reads: stateReads(channelId), calls: [] })
  return parseState(reads)
}

/** A channel's state as stock sellers read it. */
export const toStateExtra = (channelId: string, state: ChannelState) => ({
  channelId,
  balance: state.balance.toString(),
  totalClaimed: state.totalClaimed.toString(),
  withdrawRequestedAt: Number(state.withdrawal.requestedAt),
  refundNonce: state.refundNonce.toString(),
})

const toSeconds = (milliseconds: number): bigint => BigInt(Math.floor(milliseconds / 1000))

const BAD_VOUCHER: Problem = {
  reason: channelReasons.voucherSignature,
  message: "The voucher's signature is not that of the channel's payerAuthorizer, a key",
}
const NOT_FOUND: Problem = {
  reason: channelReasons.channelNotFound,
  message: 'The channel has no deposit on the chain',
}
const ABOVE_BALANCE: Problem = {
  reason: channelReasons.exceedsBalance,
  message: "The total is above what the channel's balance secures",
}
const BELOW_CLAIMED: Problem = {
  reason: channelReasons.belowClaimed,
  message: 'The total is not above what was claimed before',
}
const REFUNDED: Problem = {
  reason: channelReasons.refundNonceMismatch,
  message: "The refund's nonce is not that of the channel. Sign it again with the channel's nonce",
}
const NOTHING_LEFT: Problem = {
  reason: channelReasons.refundNoBalance,
  message: 'Nothing of the channel is left to refund',
}
