// A seller whose customers pay by the vouchers of channels, and one account that wants to block its claims.
import { batchSettlementAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { batchSettlementAddress } from '@mintmark/devkit/chain/chain'
import type { ConnectedChain } from '@mintmark/devkit/chain/connect'
import type { Random } from '@mintmark/devkit/random'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import {
  approvePermit2,
  callsOf,
  claimBody,
  depositBody,
  fund,
  openChannel,
  permit2DepositBody,
  refundBody,
  settleBody,
  type TestChannel,
  voucherBody,
} from '../e2e/testing-channels.ts'
import { CHANNEL_FUNDS, type ChannelTrade, findChannelProblems } from './channel-problems.ts'
import { type Fixture, VALID_BEFORE } from './fixture.ts'
import { type FixturePayment, type Load, settleUntilEnded } from './load.ts'

const CHANNELS = 6
/** A voucher above everything that a payer has. */
const OVERDRAFT = 10n * CHANNEL_FUNDS
const ONE_DAY_SECONDS = 86_400
/** The reasons of settles that are repeated. */
const UNFINISHED = /pending|in_flight|in_progress|duplicate|not_sent|unexpected_settle_error/

type Action = 'deposit' | 'voucher' | 'overdraft' | 'claim' | 'forged claim' | 'payout' | 'refund'
/** Each action is chosen as often as it is listed. */
const ACTIONS: readonly Action[] = [
  ...(['deposit', 'deposit', 'voucher', 'voucher', 'voucher', 'voucher', 'overdraft'] as const),
  ...(['claim', 'claim', 'claim', 'forged claim', 'payout', 'refund'] as const),
]

interface Seller {
  readonly chain: ConnectedChain
  readonly trades: readonly ChannelTrade[]
  /** A key that no channel has. */
  readonly stranger: PrivateKeyAccount
}

type Request = Pick<FixturePayment, 'nonce' | 'bodies'> & Partial<FixturePayment>

/**
 * Opens the channels of a seller, and creates the load of their deposits, vouchers, claims, payouts and
 * refunds.
 */
export async function createChannelLoad(chain: ConnectedChain, random: Random, receiver: Hex): Promise<Load> {
  const newKey = () => privateKeyToAccount(`0x${random.hex(32)}`)
  const authorizer = newKey()
  const trades: ChannelTrade[] = []
  while (trades.length < CHANNELS) {
    const payer = newKey()
    await fund(chain, payer.address, CHANNEL_FUNDS)
    await approvePermit2(chain, payer)
    const given = { payer, authorizer, receiver, maxTimeoutSeconds: ONE_DAY_SECONDS }
    trades.push(newTrade(await openChannel(chain, given)))
  }
  const seller: Seller = { chain, trades, stranger: newKey() }
  return {
    async sign(fixture) {
      const request = await signRequest(fixture, seller)
      return request && { amount: 0n, account: fixture.random.pick(fixture.accounts), ...request }
    },
    getPaid: listSigned,
    finish: (fixture, url) => finish(fixture, seller, url),
    findProblems: (fixture, facts) => findChannelProblems(fixture, chain, trades, facts),
  }
}

const newTrade = (channel: TestChannel): ChannelTrade => ({
  channel,
  deposits: new Set(),
  deposited: 0n,
  returned: 0n,
  promised: 0n,
  accepted: 0n,
  claimed: 0n,
  refundNonce: -1n,
  problems: [],
})

/** Lists what facilitators signed for open settlements: they send it until it is mined. */
export async function listSigned({ db }: Fixture): Promise<Map<string, { transaction: string }>> {
  const { rows } = await sql<{ nonce: string; id: number }>`
    select s.nonce, s.id from facilitator.settlements s where s.state in ('sent', 'unknown')
      and exists (select from facilitator.transactions t where t.settlement_id = s.id)`.execute(db)
  return new Map(rows.map(({ nonce, id }) => [nonce, { transaction: String(id) }]))
}

/** Signs the request of a random action. Undefined if the action has no reason yet. */
function signRequest(fixture: Fixture, seller: Seller): Promise<Request | undefined> {
  const { random, accounts } = fixture
  const { chain, trades, stranger } = seller
  const trade = random.pick(trades)
  const nonce = `0x${random.hex(32)}`
  switch (random.pick(ACTIONS)) {
    case 'deposit':
      return signDeposit(fixture, seller, trade, nonce)
    case 'voucher':
      return signVoucher(fixture, seller, trade, nonce)
    case 'overdraft':
      return signOverdraft(seller, trade, nonce)
    case 'claim':
      return signClaim(fixture, seller, nonce)
    case 'forged claim':
      return signForgedClaim({ chain, stranger, account: accounts[1] ?? random.pick(accounts) }, trade, nonce)
    case 'payout':
      return Promise.resolve({ nonce, bodies: [settleBody(trade.channel)] })
    case 'refund':
      return signRefund(fixture, seller, trade, nonce)
  }
}

async function signDeposit(
  { random }: Fixture,
  { chain }: Seller,
  trade: ChannelTrade,
  nonce: string,
): Promise<Request> {
  const amount = BigInt(100 + random.integer(1000))
  const maximum = trade.promised + 1n
  const body = random.chance(0.5)
    ? await depositBody(chain, trade.channel, { amount, maximum })
    : await permit2DepositBody(chain, trade.channel, {
        amount,
        maximum,
        nonce: BigInt(nonce),
        signed: { deadline: VALID_BEFORE },
      })
  return {
    nonce,
    amount,
    bodies: [body],
    onSuccess() {
      if (trade.deposits.has(nonce)) {
        trade.problems.push(`deposit ${nonce} was delivered twice`)
        return
      }
      trade.deposits.add(nonce)
      trade.deposited += amount
      accept(trade, maximum)
    },
  }
}

/**
 * What a payer can still promise: the deposits that were delivered, less what it promised and the seller was
 * ready to return.
 */
const getRest = ({ deposited, returned, promised }: ChannelTrade): bigint => deposited - returned - promised

const accept = (trade: ChannelTrade, maximum: bigint): void => {
  if (maximum > trade.promised) trade.promised = maximum
  if (maximum > trade.accepted) trade.accepted = maximum
}

async function signVoucher(
  { random }: Fixture,
  { chain }: Seller,
  trade: ChannelTrade,
  nonce: string,
): Promise<Request | undefined> {
  const rest = getRest(trade)
  if (rest <= 0n) return undefined
  const maximum = trade.promised + 1n + BigInt(random.integer(Number(rest)) >> 2)
  trade.promised = maximum
  const body = await voucherBody(chain, trade.channel, maximum)
  return { nonce, operation: 'verify', bodies: [body], onSuccess: () => accept(trade, maximum) }
}

async function signOverdraft({ chain }: Seller, trade: ChannelTrade, nonce: string): Promise<Request> {
  const body = await voucherBody(chain, trade.channel, OVERDRAFT)
  const onSuccess = () => {
    trade.problems.push('a voucher above the balance was accepted')
  }
  return { nonce, operation: 'verify', bodies: [body], onSuccess }
}

async function signClaim(
  { random }: Fixture,
  { chain, trades }: Seller,
  nonce: string,
): Promise<Request | undefined> {
  const claimable = trades.filter(({ accepted, claimed }) => accepted > claimed)
  const chosen = claimable.filter(() => random.chance(0.6))
  if (chosen.length === 0) return undefined
  const totals = chosen.map((trade) => {
    const rest = Number(trade.accepted - trade.claimed)
    const total = trade.claimed + 1n + BigInt(random.integer(rest))
    return { trade, total, maximum: trade.accepted }
  })
  const body = await claimBody(
    chain,
    totals.map(({ trade, total, maximum }) => ({ channel: trade.channel, total, maximum })),
  )
  const onSuccess = () => {
    for (const { trade, total } of totals) if (total > trade.claimed) trade.claimed = total
  }
  return { nonce, bodies: [body], onSuccess }
}

/** The payer presents the seller's next claim of its channel, without the signature of the authorizer. */
async function signForgedClaim(
  { chain, stranger, account }: Pick<Seller, 'chain' | 'stranger'> & Pick<FixturePayment, 'account'>,
  trade: ChannelTrade,
  nonce: string,
): Promise<Request | undefined> {
  const { channel, accepted: total } = trade
  if (total === 0n) return undefined
  const body = await claimBody(chain, [{ channel, total }], stranger)
  // It succeeds if the account settled the same claim with the signature before.
  return { nonce, account, bodies: [body] }
}

async function signRefund(
  { random }: Fixture,
  { chain }: Seller,
  trade: ChannelTrade,
  nonce: string,
): Promise<Request | undefined> {
  const { channel, accepted: total } = trade
  const rest = getRest(trade)
  if (total === 0n || rest <= 0n) return undefined
  const amount = 1n + BigInt(random.integer(Number(rest)))
  const refundNonce = await chain.client.readContract({
    address: batchSettlementAddress,
    abi: batchSettlementAbi,
    functionName: 'refundNonce',
    args: [channel.channelId],
  })
  trade.returned += amount
  const body = await refundBody(chain, channel, { total, amount, nonce: refundNonce })
  const onSuccess = () => {
    if (refundNonce > trade.refundNonce) trade.refundNonce = refundNonce
  }
  return { nonce, bodies: [body], onSuccess }
}

/**
 * Claims everything that was accepted, and has it paid out, with a facilitator that is not killed. The
 * payers' account presents each claim first, without the signature of the authorizer.
 */
async function finish(fixture: Fixture, seller: Seller, url: string): Promise<void> {
  const { chain, trades, stranger } = seller
  const [account, other] = fixture.accounts
  const [first] = trades
  if (account === undefined || other === undefined || first === undefined)
    throw new Error('The seller has no account or no channel, or its payers have none')
  const { settle } = callsOf({ url }, account)
  const settleAll = (body: object) => settleUntilEnded(fixture, UNFINISHED, () => settle(body))
  for (const trade of trades) {
    if (trade.accepted === 0n) continue
    const forged = await signForgedClaim({ chain, stranger, account: other }, trade, '')
    for (const body of forged?.bodies ?? []) await callsOf({ url }, other).settle(body)
    const body = await claimBody(chain, [{ channel: trade.channel, total: trade.accepted }])
    const reason = await settleAll(body)
    if (reason !== undefined && !reason.endsWith('cumulative_below_claimed'))
      trade.problems.push(`the voucher of ${trade.accepted} is not claimable: ${reason}`)
  }
  const reason = await settleAll(settleBody(first.channel))
  if (reason !== undefined && !reason.endsWith('nothing_to_settle'))
    first.problems.push(`what was claimed is not paid out: ${reason}`)
}
