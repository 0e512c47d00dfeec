// Wallets open as many accounts as they like, so that what their payers are given must have been paid for.
import { randomBytes } from 'node:crypto'
import plainToken from '@mintmark/devkit/chain/artifacts/PlainToken.json' with { type: 'json' }
import { testChain } from '@mintmark/devkit/chain/testing'
import { openChains } from '@mintmark/evm-reader'
import { sql } from 'kysely'
import { parseEther } from 'viem'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { randomKey, transactionDatabase } from '../../../../../chains/evm/testing.ts'
import { parseSignerKeys } from '../../../../../chains/evm/transactions/signers.ts'
import { hex } from '../../../../../engine/testing.ts'
import { creditAccount } from '../../../../../ledger/accounts/accounts.ts'
import { openAccount } from '../../../../../ledger/accounts/openings.ts'
import { creditDeposit, reverseDeposit } from '../../../../../ledger/deposits/deposits.ts'
import { registerQuota } from '../../../../../ledger/quotas/quotas.ts'
import type { TestAccount } from '../../../../../testing.ts'
import { deployContract } from '../../../../agreement/testing-payers.ts'
import { createBuiltInUpstream } from '../../../built-in-upstream.ts'
import { createWallet, MAX_FEE, STOCK_GAS, signSponsored } from './testing-approvals.ts'

const chain = await testChain()
const { db, reserve, drop } = await transactionDatabase()
afterAll(drop)
const asset = await deployContract(chain, plainToken.bytecode as `0x${string}`)
const signers = parseSignerKeys(randomKey())
for (const { address } of signers)
  await chain.client.setBalance({ address: hex(address), value: parseEther('100') })
/** A grant costs a little more: its own transfer. */
const COST = STOCK_GAS * MAX_FEE
const settled = { kind: 'responded', body: { success: true } }
const refused = { kind: 'refused', reason: 'permit2_allowance_required' }

const randomHex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`

/** Opens an account by its wallet, with a trial that could pay for many grants. */
async function openByWallet(payer = randomHex(20)): Promise<TestAccount> {
  const opening = { payer, proof: randomBytes(32), issuedAt: Date.now() / 1000, address: undefined }
  const terms = { credit: 1000n * COST, accountsPerDay: 1000, accountsPerAddress: 1000 }
  const { account, token } = await openAccount(db, opening, terms)
  const quota = { limit: 1000n * COST, validAfter: 0n, validBefore: 4_000_000_000n, nonce: 1n }
  await registerQuota(db, { account, payer }, { ...quota, signature: '0x' })
  return { id: account.id, payer, keyId: 0, token }
}

let account: TestAccount
beforeEach(async () => {
  account = await openByWallet()
})

async function deposit(amount: bigint, payer = account.payer) {
  const log = { chainId: 84532, hash: randomHex(32), logIndex: 0 }
  await creditDeposit(db, { ...log, payer, amount, blockNumber: 1n, blockHash: randomHex(32) })
  return log
}
const credit = (amount: bigint) =>
  creditAccount(db, { account: account.id, amount, actor: 'alice', reason: 'paid' })

/** As a process of its own would settle it. */
function settle(payment: Awaited<ReturnType<typeof signNext>>, on = account) {
  const upstream = createBuiltInUpstream({
    db,
    chains: openChains([{ id: 84532, rpcUrls: [chain.rpcUrl], finality: { depth: 3 } }]),
    signers,
    approvalLimits: () => ({ perGrant: COST, perDay: 1000n * COST }),
    report: () => {},
  })
  return reserve(payment, on).then((call) =>
    upstream.settle(payment, { ...call, signal: AbortSignal.timeout(20_000) }),
  )
}
/** Signs the payment of another wallet without native tokens. */
const signNext = async () => await signSponsored(await createWallet(chain, asset), asset)
const settleNext = async () => await settle(await signNext())

it.each<[string, () => Promise<unknown>]>([
  ['nothing but its trial', async () => {}],
  ['a deposit of 1 wei', () => deposit(1n)],
  ['an operator’s credit of 1 wei', () => credit(1n)],
  [
    'a deposit and a credit that are a little less than its cost',
    () => Promise.all([deposit(COST - 9n), credit(9n)]),
  ],
])('a payer of an account that its wallet opened is given no gas after %s', async (_, pay) => {
  await pay()
  expect(await settleNext()).toMatchObject(refused)
})

it.each<[string, () => Promise<unknown>]>([
  ['a deposit', () => deposit(2n * COST)],
  ['an operator’s credit', () => credit(2n * COST)],
  ['both together', () => Promise.all([deposit(COST), credit(COST)])],
  [
    'a deposit before its account was opened',
    async () => {
      const payer = randomHex(20)
      await deposit(2n * COST, payer)
      account = await openByWallet(payer)
    },
  ],
])(
  'a payer of an account that its wallet opened is given gas that is paid for by %s, once for ever',
  async (_, pay) => {
    await pay()
    expect(await settleNext()).toMatchObject(settled)
    expect(await settleNext()).toMatchObject(refused)
    // Neither another day nor another chain gives it again.
    await sql`update facilitator.approval_grant_totals set day = day - 1, chain_id = 1`.execute(db)
    await sql`update facilitator.approval_grants set chain_id = 1 where account_id = ${account.id}`.execute(
      db,
    )
    expect(await settleNext()).toMatchObject(refused)
  },
)

it('a payer of an account that its wallet opened is given no gas for a deposit that was reversed, until it is paid again', async () => {
  const [first, second, third] = [await signNext(), await signNext(), await signNext()]
  // An account that is frozen reserves nothing.
  for (const payment of [first, second, third]) await reserve(payment, account)
  const log = await deposit(2n * COST)
  await sql`update facilitator.accounts set available = 0 where id = ${account.id}`.execute(db)
  await reverseDeposit(db, log)
  expect(await settle(first)).toMatchObject(refused)
  // It repays the debt of the account.
  await deposit(2n * COST)
  expect(await settle(second)).toMatchObject(settled)
  expect(await settle(third)).toMatchObject(refused)
})

it('payers of an account that its wallet opened are given no more gas than was paid for by two settles at once', async () => {
  await deposit(2n * COST)
  const payments = [await signNext(), await signNext()]
  await sql`
    insert into facilitator.approval_grant_totals (account_id, chain_id, day, cost)
    values (${account.id}, 84532, (clock_timestamp() at time zone 'UTC')::date, 0)`.execute(db)
  const settles = await db.transaction().execute(async (trx) => {
    await sql`select from facilitator.approval_grant_totals where account_id = ${account.id} for update`.execute(
      trx,
    )
    const both = payments.map((payment) => settle(payment))
    await expect.poll(countWaiting).toBe(2)
    return both
  })
  const outcomes = await Promise.all(settles)
  expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['refused', 'responded'])
})
async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`.execute(db)
  return rows[0]?.count ?? 0
}
