import { batchSettlementAbi, devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { batchSettlementAddress, tokenAddress } from '@mintmark/devkit/chain/chain'
import type { ConnectedChain } from '@mintmark/devkit/chain/connect'
import { getAbiItem, type Hex, toFunctionSelector } from 'viem'
import type { TestChannel } from '../e2e/testing-channels.ts'
import { hex } from '../engine/testing.ts'
import type { Facts, SettlementRow } from './facts.ts'
import type { Fixture } from './fixture.ts'
import { findRowProblems, findUnminedProblems, listOwnTransactions } from './own-transactions.ts'

/** What the payer of each channel has at first. */
export const CHANNEL_FUNDS = 10_000_000n

/** A channel, and what its payer and its seller rely on. Amounts are totals. */
export interface ChannelTrade {
  readonly channel: TestChannel
  /** The deposits that were delivered. */
  readonly deposits: Set<string>
  deposited: bigint
  /** What the seller signed refunds of. */
  returned: bigint
  /** The highest voucher that the payer signed and its deposits secure. */
  promised: bigint
  /** The highest voucher that a facilitator accepted. */
  accepted: bigint
  /** The highest claim that was delivered. */
  claimed: bigint
  /** The highest nonce of a refund that was delivered. */
  refundNonce: bigint
  /** What responses have shown. */
  readonly problems: string[]
}

/** The state of a channel on the chain, with its settlements. */
export interface ChannelFacts extends ChannelTrade {
  readonly balance: bigint
  readonly totalClaimed: bigint
  readonly nextRefundNonce: bigint
  /** What the payer has. */
  readonly funds: bigint
  /** What the payer received from the contract. */
  readonly refunded: bigint
  readonly settledDeposits: readonly Pick<SettlementRow, 'amount'>[]
  readonly settledRefunds: readonly Pick<SettlementRow, 'amount'>[]
}

interface ChannelInvariant {
  readonly name: string
  /** Whether the channel satisfies it. */
  holds(facts: ChannelFacts): boolean
}

const sum = (rows: readonly Pick<SettlementRow, 'amount'>[]): bigint =>
  rows.reduce((total, { amount }) => total + BigInt(amount), 0n)

/** What must hold for each channel when its chain is final and everything that was accepted is claimed. */
export const CHANNEL_INVARIANTS: readonly ChannelInvariant[] = [
  {
    name: 'every accepted voucher is claimed',
    holds: ({ totalClaimed, accepted }) => totalClaimed >= accepted,
  },
  {
    name: 'nothing is claimed above the highest voucher',
    holds: ({ totalClaimed, accepted }) => totalClaimed <= accepted,
  },
  {
    name: 'a delivered claim is on the chain',
    holds: ({ totalClaimed, claimed }) => totalClaimed >= claimed,
  },
  {
    name: 'a delivered refund is on the chain',
    holds: ({ nextRefundNonce, refundNonce }) => nextRefundNonce > refundNonce,
  },
  {
    name: 'the balance is what was deposited less what was refunded',
    holds: ({ balance, refunded, settledDeposits }) => balance === sum(settledDeposits) - refunded,
  },
  {
    name: 'the payer paid the settled deposits and received the refunds',
    holds: ({ funds, refunded, settledDeposits }) =>
      funds === CHANNEL_FUNDS - sum(settledDeposits) + refunded,
  },
  {
    name: 'each refund on the chain has one settlement',
    holds: ({ nextRefundNonce, settledRefunds }) => nextRefundNonce === BigInt(settledRefunds.length),
  },
  {
    name: 'a delivered deposit is settled',
    holds: ({ deposited, settledDeposits }) => deposited <= sum(settledDeposits),
  },
]

/** Compares channels with their settlements. Returns one sentence for each contradiction. */
export async function findChannelProblems(
  fixture: Fixture,
  chain: ConnectedChain,
  trades: readonly ChannelTrade[],
  { settlements }: Facts,
): Promise<string[]> {
  const problems: string[] = []
  const all = await Promise.all(trades.map((trade) => readChannelFacts(chain, trade, settlements)))
  for (const facts of all) {
    const broken = CHANNEL_INVARIANTS.filter(({ holds }) => !holds(facts)).map(({ name }) => name)
    const { channel, balance, totalClaimed, nextRefundNonce, accepted, claimed, deposited } = facts
    const values = { balance, totalClaimed, nextRefundNonce, accepted, claimed, deposited }
    const shown = Object.entries(values).map(([name, value]) => `${name} ${value}`)
    for (const problem of [...facts.problems, ...broken])
      problems.push(`channel ${channel.channelId}: ${problem} (${shown.join(', ')})`)
  }
  const claimed = all.reduce((total, { totalClaimed }) => total + totalClaimed, 0n)
  const received = await readBalance(chain, hex(fixture.seller))
  if (received !== claimed) problems.push(`the seller has ${received}, and ${claimed} was claimed for it`)
  return [...problems, ...(await findTransactionProblems(fixture, chain, settlements))]
}

async function readChannelFacts(
  { client }: ConnectedChain,
  trade: ChannelTrade,
  settlements: readonly SettlementRow[],
): Promise<ChannelFacts> {
  const { channelId, payer } = trade.channel
  const contract = { address: batchSettlementAddress, abi: batchSettlementAbi, args: [channelId] } as const
  const [balance, totalClaimed] = await client.readContract({ ...contract, functionName: 'channels' })
  const nextRefundNonce = await client.readContract({ ...contract, functionName: 'refundNonce' })
  const refunds = await client.getContractEvents({
    address: tokenAddress,
    abi: devUsdcAbi,
    eventName: 'Transfer',
    args: { from: batchSettlementAddress, to: payer.address },
    fromBlock: 0n,
    strict: true,
  })
  const own = settlements.filter(
    (row) => row.state === 'settled' && row.payer === payer.address.toLowerCase(),
  )
  const isDeposit = ({ domain }: SettlementRow) => domain !== batchSettlementAddress.toLowerCase()
  return {
    ...trade,
    balance,
    totalClaimed,
    nextRefundNonce,
    funds: await readBalance({ client }, payer.address),
    refunded: refunds.reduce((total, { args }) => total + args.value, 0n),
    settledDeposits: own.filter(isDeposit),
    settledRefunds: own.filter((row) => !isDeposit(row)),
  }
}

const readBalance = ({ client }: Pick<ConnectedChain, 'client'>, owner: Hex): Promise<bigint> =>
  client.readContract({
    address: tokenAddress,
    abi: devUsdcAbi,
    functionName: 'balanceOf',
    args: [owner],
  })

/** Compares the transactions of the fixture's signers with the settlements. */
async function findTransactionProblems(
  fixture: Fixture,
  { client }: ConnectedChain,
  settlements: readonly SettlementRow[],
): Promise<string[]> {
  const problems: string[] = []
  const byHash = Map.groupBy(settlements, ({ transaction }) => transaction)
  const executed = new Set<string>()
  const mined = await listOwnTransactions(fixture, client, batchSettlementAddress)
  for (const transaction of mined) {
    const { hash, input, receipt } = transaction
    const { status, logs } = receipt
    const rows = byHash.get(hash) ?? []
    const isPayout = input.startsWith(SETTLE_SELECTOR)
    if (status === 'success' && logs.length === 0 && (isPayout || input.startsWith(CLAIM_SELECTOR))) {
      for (const row of rows) problems.push(...findEmptyRowProblems(row))
      continue
    }
    if (rows.length !== 1) problems.push(`${hash} belongs to ${rows.length} settlements`)
    for (const row of rows) problems.push(...findRowProblems(row, transaction))
    // A payout has always the same call.
    if (status !== 'success' || isPayout) continue
    // The seller may settle a claim with both of its accounts.
    const execution = `${rows[0]?.account_id} ${input}`
    if (executed.has(execution)) problems.push(`${hash} repeats an earlier transaction of its account`)
    executed.add(execution)
  }
  return [...problems, ...findUnminedProblems(settlements, mined)]
}

const SETTLE_SELECTOR = toFunctionSelector('settle(address,address)')
const CLAIM_SELECTOR = toFunctionSelector(getAbiItem({ abi: batchSettlementAbi, name: 'claimWithSignature' }))

/**
 * Compares a claim or a payout that changed nothing, because another party was first, with its settlement.
 */
function findEmptyRowProblems({ id, state, charge }: SettlementRow): string[] {
  const problems: string[] = []
  if (state !== 'failed') problems.push(`settlement ${id} is ${state}, and its transaction changed nothing`)
  if (charge !== null) problems.push(`settlement ${id} was charged, and its transaction changed nothing`)
  return problems
}
