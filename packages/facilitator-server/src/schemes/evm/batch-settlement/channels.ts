import { setTimeout as pause } from 'node:timers/promises'
import { type Chain, removeAddress } from '@mintmark/evm-reader'
import type { Inquire } from '../../../chains/evm/reads/inquiries.ts'
import { addressTopic, asHex, listLogsOf, transferTopic } from '../../../chains/evm/reads/transfer.ts'
import { fingerprint } from '../../../payment/fingerprint.ts'
import type { Payment } from '../../../payment/payment.ts'
import type {
  PreparedPayment,
  ServedScheme,
  SettleContext,
  SettledExtra,
  SettlingCall,
} from '../../scheme.ts'
import { combineWords } from '../shared/typed-data.ts'
import { batchSettlementAddress, findPaidOut, readTwoWords, receiverRead } from './channel-contracts.ts'
import { channelReasons } from './channel-reasons.ts'
import type { ChannelDeposit, ChannelOperation, ChannelState } from './channel-terms.ts'
import { readState, toStateExtra } from './channel-verifier.ts'

/** A channel of a chain. */
export interface ChannelPlace {
  readonly chainId: number
  readonly channelId: string
}

/** A node may lag behind the one that has shown the receipt. */
const STATE_ATTEMPTS = 10
const STATE_PAUSE_MS = 150

type OperationPayment = Payment<ChannelOperation, ServedScheme>

/** Reads the channel of a deposit, whose state its description shows afterwards. */
export async function prepareDeposit(
  context: SettleContext,
  payment: Payment<ChannelDeposit, ServedScheme>,
): Promise<PreparedPayment> {
  const { inquire } = requireChain(context, payment)
  const { channelId } = payment.details.voucher
  const before = await readState(inquire, channelId)
  // A state of a lagging node is lower, and so safe for a seller.
  const isAfter = (state: ChannelState) => state.balance >= before.balance + payment.amount
  return { ok: true, payment, describe: () => describeState(inquire, channelId, isAfter) }
}

/** Gives a claim, a refund or a payout its nonce. */
export async function prepareOperation(
  context: SettleContext,
  payment: OperationPayment,
  call: SettlingCall,
): Promise<PreparedPayment> {
  const { chain, inquire } = requireChain(context, payment)
  const { details } = payment
  // A refund of a channel that cannot be read is refused before anything else.
  if (details.kind === 'refund') await readState(inquire, details.voucher.channelId)
  const due = details.kind === 'settle' ? await bindPayout(inquire, payment) : payment
  if ('reason' in due) return due
  const bound = await bindOperation(context, due, call)
  switch (details.kind) {
    case 'claim':
      return { ok: true, payment: bound }
    case 'settle':
      return { ok: true, payment: bound, describe: (hash) => describePayout(chain, payment, hash) }
    case 'refund':
      return {
        ok: true,
        payment: bound,
        describe: (hash) => describeRefund({ chain, inquire }, { payment, refund: details }, hash),
      }
  }
}

/** @throws Error if the chain of a payment is not read. */
function requireChain({ chains, inquires }: SettleContext, { network }: Payment) {
  const chain = chains.byNetwork(network)
  const inquire = inquires.get(network)
  if (chain === undefined || inquire === undefined) throw new Error(`There is no access to ${network}`)
  return { chain, inquire }
}

/**
 * Reads the states of channels of any chains, with one request for each chain. Those of a chain that cannot be
 * read are missing.
 */
export async function readStates(
  { chains, inquires, report }: SettleContext,
  channels: readonly ChannelPlace[],
): Promise<ReadonlyMap<ChannelPlace, ChannelState>> {
  const byChain = Map.groupBy(channels, ({ chainId }) => chainId)
  const states = await Promise.all(
    [...byChain].map(async ([chainId, ofChain]) => {
      const inquire = inquires.get(chains.byId(chainId)?.network ?? '')
      if (inquire === undefined) return []
      return await readStatesOnChain(inquire, ofChain).catch((error: unknown) => {
        report(removeAddress(error))
        return []
      })
    }),
  )
  return new Map(states.flat())
}

const readStatesOnChain = async (inquire: Inquire, channels: readonly ChannelPlace[]) =>
  await Promise.all(
    channels.map(async (channel) => [channel, await readState(inquire, channel.channelId)] as const),
  )

/**
 * Gives a claim, a refund or a payout a nonce of the account that settles it, and of the number of its
 * earlier executions that failed.
 *
 * The payer of a channel knows its vouchers, so another account could present a claim of them first, without
 * the signature of the seller's authorizer. And a claim whose transaction reverted has no other signatures
 * with which it could be repeated. In both cases the seller would lose what the payer then withdraws.
 */
async function bindOperation(
  { findSettlement }: SettleContext,
  payment: OperationPayment,
  { account, idempotencyKey }: SettlingCall,
): Promise<OperationPayment> {
  for (let failures = 0; ; failures += 1) {
    const nonce = combineWords(payment.nonce, BigInt(account.id), BigInt(failures))
    const bound = withNonce(payment, nonce)
    const settlement = await findSettlement(bound)
    if (settlement?.state !== 'failed') return bound
    // A repeated request has the response of the first one.
    if (idempotencyKey !== undefined && settlement.idempotency_key === idempotencyKey) return bound
  }
}

function withNonce(payment: OperationPayment, nonce: string): OperationPayment {
  const bound = { ...payment, nonce }
  return { ...bound, fingerprint: fingerprint(bound) }
}

/**
 * Gives a payout the nonce of what is due, because its payload is always the same: two calls for the same
 * claims are one settlement, and a payout of later claims is another one.
 */
async function bindPayout(
  inquire: Inquire,
  payment: OperationPayment,
): Promise<OperationPayment | (PreparedPayment & { ok: false })> {
  const { payTo, asset } = payment
  const { reads } = await inquire({ reads: [receiverRead(payTo, asset)], calls: [] })
  const [claimed, settled] = readTwoWords(reads[0])
  if (claimed <= settled) {
    const message = 'Everything that was claimed for the seller was paid out'
    return { ok: false, reason: channelReasons.nothingToSettle, message }
  }
  const nonce = combineWords(payTo, asset, claimed, settled)
  return withNonce(payment, nonce)
}

async function describeState(
  inquire: Inquire,
  channelId: string,
  isAfter: (state: ChannelState) => boolean,
): Promise<SettledExtra> {
  let state = await readState(inquire, channelId)
  for (let attempt = 1; attempt < STATE_ATTEMPTS && !isAfter(state); attempt += 1) {
    await pause(STATE_PAUSE_MS)
    state = await readState(inquire, channelId)
  }
  return { extra: { channelState: toStateExtra(channelId, state) } }
}

async function describeRefund(
  { chain, inquire }: { chain: Chain; inquire: Inquire },
  { payment, refund }: { payment: Payment; refund: ChannelOperation & { kind: 'refund' } },
  transaction: string,
): Promise<SettledExtra> {
  const { voucher, refundNonce } = refund
  const described = await describeState(
    inquire,
    voucher.channelId,
    (state) => state.refundNonce > refundNonce,
  )
  return { ...described, amount: await readRefunded(chain, payment, transaction) }
}

/**
 * Reads what a refund's transaction returned to the payer. The balance before and after it would include
 * other deposits, and would not show what a repeated request returned.
 */
async function readRefunded(chain: Chain, { payer, asset }: Payment, transaction: string): Promise<bigint> {
  const { logs } = await chain.client.getTransactionReceipt({ hash: asHex(transaction) })
  const returned = listLogsOf(logs, asset).find(
    ({ topics: [event, from, to] }) =>
      event === transferTopic && from === addressTopic(batchSettlementAddress) && to === addressTopic(payer),
  )
  return returned === undefined ? 0n : BigInt(returned.data)
}

/** Reads what a payout's transaction transferred. */
async function describePayout(chain: Chain, payment: Payment, transaction: string): Promise<SettledExtra> {
  const { logs } = await chain.client.getTransactionReceipt({ hash: asHex(transaction) })
  return { amount: findPaidOut(logs, payment) ?? 0n }
}
