import { authCaptureEscrowAbi, devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { authCaptureEscrowAddress, tokenAddress } from '@mintmark/devkit/chain/chain'
import type { ConnectedChain } from '@mintmark/devkit/chain/connect'
import type { Address, Hex } from 'viem'
import { readBalances, readPaymentHash, type TestPayment } from '../e2e/testing-auth-captures.ts'
import { hex } from '../engine/testing.ts'
import type { Facts, SettlementRow } from './facts.ts'
import type { Fixture } from './fixture.ts'
import { findRowProblems, findUnminedProblems, listOwnTransactions } from './own-transactions.ts'

/** What each payer has at first. */
export const PAYER_FUNDS = 10_000_000n
/** What the wallet has at first that pays the refunds. */
export const FUNDER_FUNDS = 10_000_000n

/** A payment of the load, and what the responses have shown of it. */
export interface CaptureTrade {
  readonly payment: TestPayment
  /** How often its authorization was delivered. */
  delivered: number
  /** The last reason for which the rest could not be captured in the end. */
  unfinished?: string
}

/** A payment on the chain, in base units. */
interface CaptureFacts extends CaptureTrade {
  readonly capturable: bigint
  readonly authorized: bigint
  readonly captured: bigint
  /** What was taken from the payer for the seller at once. */
  readonly charged: bigint
  readonly refunded: bigint
  readonly refundable: bigint
  /** The seller signs even amounts only. */
  readonly isForged: boolean
  readonly voided: bigint
  readonly settled: SettlementRow | undefined
}

/** What must hold for each payment when its chain is final and everything is captured. */
const INVARIANTS: readonly { name: string; holds(facts: CaptureFacts): boolean }[] = [
  { name: 'a payment is delivered at most once', holds: ({ delivered }) => delivered <= 1 },
  {
    name: 'a delivered payment is on the chain',
    holds: ({ delivered, authorized, charged }) => delivered === 0 || authorized + charged > 0n,
  },
  {
    name: 'a payment is settled if it is on the chain',
    holds: ({ authorized, charged, settled }) => authorized + charged > 0n === (settled !== undefined),
  },
  {
    name: 'only what the seller has signed is charged, captured and refunded',
    holds: ({ isForged }) => !isForged,
  },
  {
    name: 'what was authorized is captured or voided',
    holds: ({ capturable, authorized, captured, voided }) =>
      capturable === 0n && authorized === captured + voided,
  },
  {
    name: 'what was refunded was charged or captured before',
    holds: ({ captured, charged, refunded, refundable }) => refundable === captured + charged - refunded,
  },
]

interface CaptureParts extends Pick<Fixture, 'seller' | 'signers'> {
  readonly chain: ConnectedChain
  readonly payers: readonly Address[]
  readonly funder: Address
}

const escrow = { address: authCaptureEscrowAddress, abi: authCaptureEscrowAbi } as const

/** Compares payments with their settlements. Returns one sentence for each contradiction. */
export async function findCaptureProblems(
  parts: CaptureParts,
  trades: readonly CaptureTrade[],
  { settlements }: Facts,
): Promise<string[]> {
  const { chain, payers, funder, seller } = parts
  const problems: string[] = []
  const all = await Promise.all(trades.map((trade) => readFacts(parts, trade, settlements)))
  for (const facts of all) {
    const { nonce } = facts.payment.payload.authorization
    for (const { name } of INVARIANTS.filter(({ holds }) => !holds(facts)))
      problems.push(`payment ${nonce}: not ${name} (${facts.unfinished ?? 'finished'})`)
  }
  const sum = (name: 'authorized' | 'captured' | 'charged' | 'voided' | 'refunded') =>
    all.reduce((total, facts) => total + facts[name], 0n)
  const received = await readBalance(chain, hex(seller))
  const earned = sum('captured') + sum('charged')
  if (received !== earned) problems.push(`the seller has ${received}, and ${earned} was captured for it`)
  const spent = FUNDER_FUNDS - (await readBalance(chain, funder))
  if (spent !== sum('refunded')) problems.push(`refunds cost ${spent} instead of ${sum('refunded')}`)
  const left = (await Promise.all(payers.map((payer) => readBalance(chain, payer)))).reduce(
    (a, b) => a + b,
    0n,
  )
  const taken = sum('authorized') + sum('charged') - sum('voided') - sum('refunded')
  const due = BigInt(payers.length) * PAYER_FUNDS - taken
  if (left !== due) problems.push(`the payers have ${left} instead of ${due}`)
  return [...problems, ...(await findTransactionProblems(parts, settlements))]
}

async function readFacts(
  { chain }: CaptureParts,
  trade: CaptureTrade,
  settlements: readonly SettlementRow[],
): Promise<CaptureFacts> {
  const { payment } = trade
  const paymentInfoHash = await readPaymentHash(chain, payment)
  const events = await chain.client.getContractEvents({
    ...escrow,
    args: { paymentInfoHash },
    fromBlock: 0n,
    strict: true,
  })
  const sum = (event: string) =>
    events.reduce((total, { eventName, args }) => (eventName === event ? total + args.amount : total), 0n)
  return {
    ...trade,
    ...(await readBalances(chain, payment)),
    authorized: sum('PaymentAuthorized'),
    captured: sum('PaymentCaptured'),
    charged: sum('PaymentCharged'),
    refunded: sum('PaymentRefunded'),
    isForged: events.some(({ args }) => args.amount % 2n === 1n),
    voided: sum('PaymentVoided'),
    settled: settlements.find(
      ({ nonce, state }) => nonce === payment.payload.authorization.nonce && state === 'settled',
    ),
  }
}

const readBalance = ({ client }: Pick<ConnectedChain, 'client'>, owner: Hex): Promise<bigint> =>
  client.readContract({ address: tokenAddress, abi: devUsdcAbi, functionName: 'balanceOf', args: [owner] })

/** Each transaction to the escrow belongs to one settlement, and each settled one to it. */
async function findTransactionProblems(
  parts: CaptureParts,
  settlements: readonly SettlementRow[],
): Promise<string[]> {
  const byHash = Map.groupBy(settlements, ({ transaction }) => transaction)
  const mined = await listOwnTransactions(parts, parts.chain.client, authCaptureEscrowAddress)
  const problems = mined.flatMap((transaction) => {
    const rows = byHash.get(transaction.hash) ?? []
    return [
      ...(rows.length === 1 ? [] : [`${transaction.hash} belongs to ${rows.length} settlements`]),
      ...rows.flatMap((row) => findRowProblems(row, transaction)),
    ]
  })
  return [...problems, ...findUnminedProblems(settlements, mined)]
}
