import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { type AnvilClient, tokenAddress } from '@mintmark/devkit/chain/chain'
import type { RunningProcess } from '@mintmark/devkit/process-pool'
import { micropaymentOrders } from '@mintmark/facilitator'
import { createFacilitator } from '@mintmark/transport'
import { sql } from 'kysely'
import { parseEventLogs } from 'viem'
import { decodeSettle } from '../chains/evm/methods/permit2-contracts.ts'
import { getAccount } from '../ledger/accounts/accounts.ts'
import { hex } from '../payments/testing.ts'
import { settlePrice } from '../testing.ts'
import type { Fixture } from './fixture.ts'
import type { FacilitatorPool } from './process-pool.ts'

/** More than the settles of a run. */
export const CREDITED_SETTLES = 100_000

type SettlementRow = Awaited<ReturnType<typeof listSettlements>>[number]

/** Compares the chain, the settlements and the charges after a run. Returns one sentence for each contradiction. */
export async function findProblems(
  fixture: Fixture,
  client: AnvilClient,
  { pool, survivor }: { pool: FacilitatorPool; survivor: RunningProcess },
): Promise<string[]> {
  const problems: string[] = []
  const onChain = await getPaymentsOnChain(client, fixture.seller)
  const lost = await listLostSettlements(fixture)
  const settlements = await listSettlements(fixture)
  const rows = new Map(settlements.map((row) => [row.nonce, row]))
  for (const row of settlements) {
    if (rows.get(row.nonce) !== row) problems.push(`${row.nonce} has two settlements`)
  }
  const orders = await getOrders(fixture, survivor.url)
  for (const { nonce } of fixture.payments) {
    const row = rows.get(nonce)
    const found = findPaymentProblems(fixture, { nonce, row, paid: onChain.get(nonce) })
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
  problems.push(...(await findBalanceProblems(fixture, client, onChain)))
  problems.push(...(await findAccountProblems(fixture, settlements)))
  problems.push(...(await runChecks(fixture, pool)))
  return [...fixture.surprises, ...problems].map((problem) => `${fixture.name}: ${problem}`)
}

function listSettlements({ db }: Fixture) {
  return db
    .selectFrom('facilitator.settlements as s')
    .leftJoin('facilitator.charges as c', 'c.settlement_id', 's.id')
    .select(['s.nonce', 's.state', 's.transaction', 's.account_id', 's.order_no', 's.upstream_responded'])
    .select(['s.id', 's.block_hash', 's.final_at'])
    .select('c.settlement_id as charge')
    .execute()
}

/** A payment after a run: its settlement, and the transaction that paid it. */
interface Outcome {
  readonly nonce: string
  readonly row: SettlementRow | undefined
  readonly paid: PaymentOnChain | undefined
}

function findPaymentProblems(fixture: Fixture, outcome: Outcome): string[] {
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
    if (row.final_at === null || row.block_hash !== paid.blockHash)
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

async function findAccountProblems(
  { accounts, db }: Fixture,
  settlements: readonly SettlementRow[],
): Promise<string[]> {
  const problems: string[] = []
  for (const { id } of accounts) {
    const charges = settlements.filter((row) => row.account_id === id && row.charge !== null)
    const { available, held } = await getAccount(db, id)
    const due = settlePrice * BigInt(CREDITED_SETTLES - charges.length)
    if (available !== due || held !== 0n)
      problems.push(`account ${id} has ${available} and ${held} held, not ${due}`)
  }
  return problems
}

/** Where a payment is on the chain. */
interface PaymentOnChain {
  readonly transaction: string
  readonly blockHash: string
}

/** Returns the payments to a wallet, by nonce. */
export async function getPaymentsOnChain(
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
    const settled = to === null ? undefined : decodeSettle(to, input)
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

/** Lists the settlements that were reported as unknown after they had been reported as settled. */
async function listLostSettlements({ db }: Fixture): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select s.id from facilitator.settlements s where exists (
      select from facilitator.events settled join facilitator.events unknown on unknown.subject = settled.subject
      where settled.subject = 'settlement:' || s.id and settled.type = 'settlement.settled'
        and unknown.type = 'settlement.unknown' and unknown.sequence > settled.sequence)`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Returns the states of all orders, by their numbers. */
async function getOrders({ accounts }: Fixture, url: string): Promise<Map<string, string>> {
  const orders = new Map<string, string>()
  for (const { token } of accounts) {
    const client = createFacilitator({ baseUrl: url, credentials: { token } })
    for await (const { orderNo, status } of micropaymentOrders.list.items(client, { pageSize: 100 }))
      orders.set(orderNo, status)
  }
  return orders
}

/** Runs the operator's commands. Returns the problems that they report. */
async function runChecks(fixture: Fixture, pool: FacilitatorPool): Promise<string[]> {
  // A remote upstream pays from its own wallet, so the commands get its key to find those payments.
  const env = { ...fixture.env, UPSTREAM_FACILITATOR_URL: '' }
  const problems: string[] = []
  for (const command of ['ledger check', 'settlements audit --from-block 0']) {
    try {
      await pool.runCommand(command.split(' '), env)
    } catch (error) {
      // `promisify(execFile)` rejects with an error that has these fields.
      const { message, stdout } = error as Record<'message' | 'stdout', string>
      problems.push(`${message}${stdout}`)
    }
  }
  return problems
}
