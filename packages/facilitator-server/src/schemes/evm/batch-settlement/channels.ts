import { setTimeout as pause } from 'node:timers/promises'
import { type Chain, type Chains, removeAddress } from '@mintmark/evm-reader'
import { createInquire, type Inquire } from '../../../chains/evm/reads/inquiries.ts'
import { addressTopic, asHex, listLogsOf, transferTopic } from '../../../chains/evm/reads/transfer.ts'
import type { Settlement } from '../../../ledger/settlements/settlement.ts'
import { fingerprint } from '../../../payment/fingerprint.ts'
import type { Payment } from '../../../payment/payment.ts'
import { reasons } from '../../../payment/reasons.ts'
import { batchSettlementAddress, findPaidOut, readTwoWords, receiverRead } from './channel-contracts.ts'
import { combineHashes } from './channel-digests.ts'
import { channelReasons } from './channel-reasons.ts'
import type { ChannelAction, ChannelState } from './channel-terms.ts'
import { readState, toStateExtra } from './channel-verifier.ts'

/** Reads channels. */
export interface Channels {
  /** Prepares a request of a channel before it is settled. Other payments are returned unchanged. */
  prepare(payment: Payment, call: ChannelCall): Promise<PreparedPayment>
  /**
   * Describes what a settled deposit, refund or payout did, for stock sellers. Undefined for other payments,
   * or if the chain cannot be read.
   *
   * @param transaction The hash of the settlement's transaction.
   */
  describe(prepared: PreparedPayment & { ok: true }, transaction: string): Promise<SettledExtra | undefined>
  /**
   * Reads the states of channels of any chains, with one request for each chain. Those of a chain that cannot
   * be read are missing.
   */
  readStates(channels: readonly ChannelPlace[]): Promise<ReadonlyMap<ChannelPlace, ChannelState>>
}

/** A channel of a chain. */
export interface ChannelPlace {
  readonly chainId: number
  readonly channelId: string
}

/** The call of a settle. */
export interface ChannelCall {
  readonly account: { readonly id: number }
  readonly idempotencyKey?: string | undefined
}

export type PreparedPayment =
  | { readonly ok: true; readonly payment: Payment; readonly before: ChannelState | undefined }
  | { readonly ok: false; readonly reason: string; readonly message: string }

export interface SettledExtra {
  readonly extra?: { readonly channelState: ReturnType<typeof toStateExtra> }
  /** Base units that were refunded or paid out. */
  readonly amount?: bigint
}

/** A node may lag behind the one that has shown the receipt. */
const STATE_ATTEMPTS = 10
const STATE_PAUSE_MS = 150

export interface ChannelsOptions {
  readonly chains: Chains
  /** Finds the settlement of a payment. */
  findSettlement(payment: Payment): Promise<Pick<Settlement, 'state' | 'idempotency_key'> | undefined>
  readonly report: (error: unknown) => void
}

export function createChannels(options: ChannelsOptions): Channels {
  const { chains, report } = options
  const inquires = new Map(chains.all.map((chain) => [chain.network, createInquire(chain)]))
  return {
    async prepare(payment, call) {
      const inquire = inquires.get(payment.network)
      const { channel } = payment
      if (channel === undefined) return { ok: true, payment, before: undefined }
      if (channel.kind === 'voucher') return VERIFIED_ONLY
      try {
        if (inquire === undefined) throw new Error(`There is no access to ${payment.network}`)
        const prepared = await prepareAction(inquire, payment, channel)
        if (!prepared.ok || channel.kind === 'deposit') return prepared
        return { ...prepared, payment: await bindOperation(options, prepared.payment, call) }
      } catch (error) {
        report(removeAddress(error))
        return {
          ok: false,
          reason: reasons.settleError,
          message: 'The chain or the database could not be read. Nothing was sent',
        }
      }
    },
    async describe({ payment, before }, transaction) {
      const inquire = inquires.get(payment.network)
      const { channel } = payment
      const chain = chains.byNetwork(payment.network)
      if (inquire === undefined || chain === undefined || channel === undefined) return undefined
      try {
        if (channel.kind === 'settle') return await describePayout(chain, payment, transaction)
        const described = await describeSettled(inquire, payment, before)
        return channel.kind === 'refund'
          ? { ...described, amount: await readRefunded(chain, payment, transaction) }
          : described
      } catch (error) {
        // The payment is settled. A seller reads the channel's state when it verifies the next voucher.
        report(removeAddress(error))
        return undefined
      }
    },
    async readStates(channels) {
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
    },
  }
}

const readStatesOnChain = async (inquire: Inquire, channels: readonly ChannelPlace[]) =>
  await Promise.all(
    channels.map(async (channel) => [channel, await readState(inquire, channel.channelId)] as const),
  )

const VERIFIED_ONLY = {
  ok: false,
  reason: channelReasons.payloadType,
  message: 'A voucher is verified, not settled. Settle a claim instead',
} as const

async function prepareAction(
  inquire: Inquire,
  payment: Payment,
  channel: ChannelAction,
): Promise<PreparedPayment> {
  switch (channel.kind) {
    case 'settle':
      return bindPayout(inquire, payment)
    case 'deposit':
    case 'refund':
      return { ok: true, payment, before: await readState(inquire, channel.voucher.channelId) }
    default:
      return { ok: true, payment, before: undefined }
  }
}

/**
 * Gives a claim, a refund or a payout a nonce of the account that settles it, and of the number of its
 * earlier executions that failed.
 *
 * The payer of a channel knows its vouchers, so another account could present a claim of them first, without
 * the signature of the seller's authorizer. And a claim whose transaction reverted has no other signatures
 * with which it could be repeated. In both cases the seller would lose what the payer then withdraws.
 */
async function bindOperation(
  { findSettlement }: ChannelsOptions,
  payment: Payment,
  { account, idempotencyKey }: ChannelCall,
): Promise<Payment> {
  for (let failures = 0; ; failures += 1) {
    const nonce = combineHashes(payment.nonce, toWord(BigInt(account.id)), toWord(BigInt(failures)))
    const bound = withNonce(payment, nonce)
    const settlement = await findSettlement(bound)
    if (settlement?.state !== 'failed') return bound
    // A repeated request has the response of the first one.
    if (idempotencyKey !== undefined && settlement.idempotency_key === idempotencyKey) return bound
  }
}

const toWord = (value: bigint): string => `0x${value.toString(16)}`

function withNonce(payment: Payment, nonce: string): Payment {
  const bound = { ...payment, nonce }
  return { ...bound, fingerprint: fingerprint(bound) }
}

/**
 * Gives a payout the nonce of what is due, because its payload is always the same: two calls for the same
 * claims are one settlement, and a payout of later claims is another one.
 */
async function bindPayout(inquire: Inquire, payment: Payment): Promise<PreparedPayment> {
  const { payTo, asset } = payment
  const { reads } = await inquire({ reads: [receiverRead(payTo, asset)], calls: [] })
  const [claimed, settled] = readTwoWords(reads[0])
  if (claimed <= settled) {
    const message = 'Everything that was claimed for the seller was paid out'
    return { ok: false, reason: channelReasons.nothingToSettle, message }
  }
  const nonce = combineHashes(payTo, asset, toWord(claimed), toWord(settled))
  return { ok: true, payment: withNonce(payment, nonce), before: undefined }
}

async function describeSettled(
  inquire: Inquire,
  payment: Payment,
  before: ChannelState | undefined,
): Promise<SettledExtra | undefined> {
  const { channel } = payment
  if (channel?.kind !== 'deposit' && channel?.kind !== 'refund') return undefined
  const { channelId } = channel.voucher
  let state = await readState(inquire, channelId)
  for (let attempt = 1; attempt < STATE_ATTEMPTS && !isAfter(payment, state, before); attempt += 1) {
    await pause(STATE_PAUSE_MS)
    state = await readState(inquire, channelId)
  }
  return { extra: { channelState: toStateExtra(channelId, state) } }
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

/**
 * Whether a state contains the settled deposit or refund. A state of a lagging node is lower, and so safe for
 * a seller.
 */
function isAfter(
  { channel, amount }: Payment,
  state: ChannelState,
  before: ChannelState | undefined,
): boolean {
  if (channel?.kind === 'refund') return state.refundNonce > channel.refundNonce
  return before === undefined || state.balance >= before.balance + amount
}
