import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { type AnvilClient, tokenAddress } from '@mintmark/devkit/chain/chain'
import { micropaymentOrders } from '@mintmark/facilitator'
import { createFacilitator } from '@mintmark/transport'
import { type Address, parseEventLogs } from 'viem'
import { getAccount } from '../../packages/facilitator-server/src/ledger/accounts/accounts.ts'
import { settlePrice } from '../../packages/facilitator-server/src/testing.ts'
import type { Fixture } from './fixture.ts'

const run = promisify(execFile)

/** Compares the chain, the settlements and the charges after a run. Returns one sentence for each contradiction. */
export async function findProblems(
  fixture: Fixture,
  client: AnvilClient,
  url: string,
  creditedSettles: number,
): Promise<string[]> {
  const problems: string[] = [...fixture.surprises]
  const wrong = (nonce: string, what: string) => problems.push(`${fixture.name}: ${nonce} ${what}`)
  const onChain = await paymentsOnChain(client, fixture.seller)
  const settlements = await fixture.db
    .selectFrom('facilitator.settlements as s')
    .leftJoin('facilitator.charges as c', 'c.settlement_id', 's.id')
    .select([
      's.nonce',
      's.state',
      's.hold',
      's.transaction',
      's.account_id',
      's.order_no',
      's.upstream_responded',
      'c.settlement_id as charge',
    ])
    .execute()
  const rows = new Map<string, (typeof settlements)[number]>()
  for (const row of settlements) {
    if (rows.has(row.nonce)) wrong(row.nonce, 'has two settlements')
    rows.set(row.nonce, row)
  }
  const orders = await ordersOf(fixture, url)
  const chargeAll = fixture.env.CHARGE_ON !== 'settled'

  for (const { nonce } of fixture.payments) {
    const row = rows.get(nonce)
    const paid = onChain.get(nonce)
    const deliveries = fixture.delivered.get(nonce) ?? 0
    const calls = fixture.upstream?.calls.get(nonce) ?? 0
    if (deliveries > 1) wrong(nonce, `was delivered ${deliveries} times`)
    if (calls > 1) wrong(nonce, `was sent upstream ${calls} times, and might have been executed each time`)
    if (deliveries > 0 && paid === undefined) wrong(nonce, 'was delivered and is not on the chain')
    if (paid === undefined) {
      if (row === undefined) continue
      const isOver = row.state === 'failed' || row.state === 'not_sent'
      if (!isOver) wrong(nonce, `is ${row.state} and not on the chain`)
      const mayCost = chargeAll && fixture.upstream?.answered.has(nonce) === true
      if (row.charge !== null && !mayCost) wrong(nonce, 'was charged for nothing')
      if (row.charge === null && row.upstream_responded && chargeAll)
        wrong(nonce, 'was reported as settled but not charged')
    } else {
      if (row === undefined) {
        wrong(nonce, 'is on the chain and has no settlement')
        continue
      }
      if (row.state !== 'settled') wrong(nonce, `is on the chain and ${row.state}`)
      if (row.charge === null) wrong(nonce, 'is on the chain and was not charged')
      if (row.transaction !== paid) wrong(nonce, `was made by ${paid}, not ${row.transaction}`)
    }
    if (orders.get(row?.order_no ?? '') !== row?.state) wrong(nonce, 'has no order with its outcome')
  }
  for (const nonce of onChain.keys()) {
    if (!fixture.payments.some((payment) => payment.nonce === nonce))
      wrong(nonce, 'was paid without a request')
  }

  const total = fixture.payments.reduce(
    (sum, { nonce, amount }) => sum + (onChain.has(nonce) ? amount : 0n),
    0n,
  )
  const balance = await client.readContract({
    address: tokenAddress,
    abi: devUsdcAbi,
    functionName: 'balanceOf',
    args: [fixture.seller as Address],
  })
  if (balance !== total) problems.push(`${fixture.name}: the seller has ${balance} and was paid ${total}`)
  for (const account of fixture.accounts) {
    const charges = settlements.filter((row) => row.account_id === account.id && row.charge !== null)
    const { available, held } = await getAccount(fixture.db, account.id)
    const due = settlePrice * BigInt(creditedSettles - charges.length)
    if (available !== due || held !== 0n) {
      problems.push(`${fixture.name}: account ${account.id} has ${available} and ${held} held, not ${due}`)
    }
  }
  return [...problems, ...(await commandProblems(fixture))]
}

/** The nonces of payments to a wallet, each with its transaction. */
export async function paymentsOnChain(client: AnvilClient, seller: string): Promise<Map<string, string>> {
  const transfers = await client.getContractEvents({
    address: tokenAddress,
    abi: devUsdcAbi,
    eventName: 'Transfer',
    args: { to: seller as Address },
    fromBlock: 0n,
  })
  const paid = new Map<string, string>()
  for (const { transactionHash: hash } of transfers) {
    const { logs } = await client.getTransactionReceipt({ hash })
    for (const { args } of parseEventLogs({ abi: devUsdcAbi, eventName: 'AuthorizationUsed', logs })) {
      if (paid.has(args.nonce)) throw new Error(`the token let ${args.nonce} be used twice`)
      paid.set(args.nonce, hash)
    }
  }
  return paid
}

async function ordersOf(fixture: Fixture, url: string): Promise<Map<string, string>> {
  const orders = new Map<string, string>()
  for (const { token } of fixture.accounts) {
    const client = createFacilitator({ baseUrl: url, credentials: { token } })
    for await (const order of micropaymentOrders.list.items(client, { pageSize: 100 })) {
      orders.set(order.orderNo, order.status)
    }
  }
  return orders
}

const cli = fileURLToPath(new URL('../../packages/facilitator-server/src/cli.ts', import.meta.url))

/** Runs the operator's commands. Returns the problems that they report. */
async function commandProblems(fixture: Fixture): Promise<string[]> {
  // A remote upstream pays from its own wallet, so the commands get its key to find those payments.
  const env = { ...process.env, ...fixture.env, UPSTREAM_FACILITATOR_URL: '' }
  const problems: string[] = []
  for (const command of ['ledger check', 'settlements audit --from-block 0']) {
    try {
      await run(process.execPath, ['--conditions=@mintmark/source', cli, ...command.split(' ')], { env })
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
      problems.push(`${fixture.name}: ${command} says ${stdout} ${stderr}`)
    }
  }
  return problems
}
