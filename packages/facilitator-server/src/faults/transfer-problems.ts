import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { type AnvilClient, tokenAddress } from '@mintmark/devkit/chain/chain'
import { parseEventLogs } from 'viem'
import { hex } from '../engine/testing.ts'
import { exactPermit2 } from '../schemes/evm/exact-permit2/exact-permit2.ts'
import { upto } from '../schemes/evm/upto/upto.ts'
import type { Facts, SettlementRow } from './facts.ts'
import type { Fixture } from './fixture.ts'
import type { PaymentOnChain } from './load.ts'

/** Compares payments of wallets on the chain with their settlements. */
export async function findTransferProblems(
  fixture: Fixture,
  client: AnvilClient,
  facts: Facts,
): Promise<string[]> {
  const onChain = await getTransfersOnChain(client, fixture.seller)
  return [
    ...findPaymentProblems(fixture, onChain, facts),
    ...(await findBalanceProblems(fixture, client, onChain)),
  ]
}

/** Compares payments with their settlements, by nonce. */
export function findPaymentProblems(
  fixture: Fixture,
  onChain: ReadonlyMap<string, PaymentOnChain>,
  { settlements, lost, orders }: Facts,
): string[] {
  const problems: string[] = []
  const rows = new Map(settlements.map((row) => [row.nonce, row]))
  for (const row of settlements) {
    if (rows.get(row.nonce) !== row) problems.push(`${row.nonce} has two settlements`)
  }
  for (const { nonce } of fixture.payments) {
    const row = rows.get(nonce)
    const found = findOutcomeProblems(fixture, { nonce, row, paid: onChain.get(nonce) })
    if (row && orders.get(row.order_no) !== row.state) found.push('has no order with its outcome')
    const isReplaced = fixture.reorganizer.replaced.has(onChain.get(nonce)?.transaction ?? '')
    if (row && lost.has(row.id) && !isReplaced)
      found.push('was reported as lost, and its block was never replaced')
    problems.push(...found.map((problem) => `${nonce} ${problem}`))
  }
  const nonces = new Set(fixture.payments.map(({ nonce }) => nonce))
  for (const nonce of onChain.keys()) {
    if (!nonces.has(nonce)) problems.push(`${nonce} was paid without a request`)
  }
  return problems
}

/** A payment after a run: its settlement, and the transaction that paid it. */
interface Outcome {
  readonly nonce: string
  readonly row: SettlementRow | undefined
  readonly paid: PaymentOnChain | undefined
}

function findOutcomeProblems(fixture: Fixture, outcome: Outcome): string[] {
  const { nonce, row, paid } = outcome
  const problems: string[] = []
  const deliveries = fixture.delivered.get(nonce) ?? 0
  const calls = fixture.upstream?.calls.get(nonce) ?? 0
  if (deliveries > 1) problems.push(`was delivered ${deliveries} times`)
  if (calls > 1) problems.push(`was sent upstream ${calls} times, and might have been executed each time`)
  if (deliveries > 0 && paid === undefined) problems.push('was delivered and is not on the chain')
  if (paid === undefined) {
    if (row !== undefined) problems.push(...findUnpaidProblems(fixture, row))
  } else if (row === undefined) {
    problems.push('is on the chain and has no settlement')
  } else {
    if (row.state !== 'settled') problems.push(`is on the chain and ${row.state}`)
    if (row.charge === null) problems.push('is on the chain and was not charged')
    if (row.transaction !== paid.transaction)
      problems.push(`was made by ${paid.transaction}, not ${row.transaction}`)
    const isElsewhere = paid.blockHash !== undefined && row.block_hash !== paid.blockHash
    if (row.final_at === null || isElsewhere)
      problems.push(`is in block ${paid.blockHash}, and final: ${row.final_at !== null} in ${row.block_hash}`)
  }
  return problems
}

function findUnpaidProblems({ env, upstream }: Fixture, row: SettlementRow): string[] {
  const problems: string[] = []
  const chargesResponses = env.CHARGE_ON !== 'settled'
  const mayBeCharged = chargesResponses && upstream?.answered.has(row.nonce) === true
  if (row.state !== 'failed' && row.state !== 'not_sent')
    problems.push(`is ${row.state} and not on the chain`)
  if (row.charge !== null && !mayBeCharged) problems.push('was charged for nothing')
  if (row.charge === null && row.upstream_responded && chargesResponses)
    problems.push('was reported as settled but not charged')
  return problems
}

async function findBalanceProblems(
  { payments, seller }: Fixture,
  client: AnvilClient,
  onChain: ReadonlyMap<string, PaymentOnChain>,
): Promise<string[]> {
  const paid = payments.filter(({ nonce }) => onChain.has(nonce))
  const total = paid.reduce((sum, { amount }) => sum + amount, 0n)
  const balance = await client.readContract({
    address: tokenAddress,
    abi: devUsdcAbi,
    functionName: 'balanceOf',
    args: [hex(seller)],
  })
  return balance === total ? [] : [`the seller has ${balance} and was paid ${total}`]
}

/** Returns the payments to a wallet, by nonce. */
export async function getTransfersOnChain(
  client: AnvilClient,
  seller: string,
): Promise<Map<string, PaymentOnChain>> {
  const transfers = await client.getContractEvents({
    address: tokenAddress,
    abi: devUsdcAbi,
    eventName: 'Transfer',
    args: { to: hex(seller) },
    fromBlock: 0n,
  })
  const paid = new Map<string, PaymentOnChain>()
  // A batch has many transfers.
  for (const hash of new Set(transfers.map(({ transactionHash }) => transactionHash))) {
    const { logs, blockHash, to } = await client.getTransactionReceipt({ hash })
    const { input } = await client.getTransaction({ hash })
    const [settled] = [exactPermit2, upto].flatMap(({ traces }) => traces?.list({ to, input }, []) ?? [])
    // Permit2 has no event for a nonce.
    if (settled !== undefined) {
      if (paid.has(settled.nonce)) throw new Error(`Permit2 accepted ${settled.nonce} twice`)
      paid.set(settled.nonce, { transaction: hash, blockHash })
    }
    for (const { args } of parseEventLogs({ abi: devUsdcAbi, eventName: 'AuthorizationUsed', logs })) {
      if (paid.has(args.nonce)) throw new Error(`The token accepted ${args.nonce} twice`)
      paid.set(args.nonce, { transaction: hash, blockHash })
    }
  }
  return paid
}
