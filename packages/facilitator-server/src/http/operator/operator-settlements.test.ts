import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { webhooks } from '@mintmark/facilitator'
import {
  operatorAccounts,
  operatorDecisions,
  operatorHealth,
  operatorLedger,
  operatorReverts,
  operatorSettlements,
  operatorTransactions,
} from '@mintmark/facilitator/operator'
import { sql } from 'kysely'
import { erc20Abi } from 'viem'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { signedBody, signedPermit2Body } from '../../engine/testing.ts'
import { permit2Address } from '../../schemes/evm/shared/permit2/permit2-contracts.ts'
import { settlePrice, type TestAccount, type TestFacilitator, testFacilitator } from '../../testing.ts'
import { by, OPERATOR_TOKEN, operatorClient } from './testing-operator.ts'

const chain = await testChain()
const payer = devAccount(1)
const silent = createServer(() => {})
silent.listen(0, '127.0.0.1')
await once(silent, 'listening')
const address = silent.address()
if (address === null || typeof address === 'string') throw new Error('the upstream has no port')

const elsewhere = 'eip155:8453'
const settling = await testFacilitator({
  chain,
  signerKeys: [devAccount(9).privateKey],
  env: { OPERATOR_TOKEN },
})
/** Its upstream never responds, so every settlement becomes unknown. */
const waiting = await testFacilitator({
  chain,
  env: {
    OPERATOR_TOKEN,
    UPSTREAM_FACILITATOR_URL: `http://127.0.0.1:${address.port}`,
    UPSTREAM_TIMEOUT_MS: '200',
    UNREADABLE_NETWORKS: elsewhere,
  },
})
const fromWaiting = operatorClient(waiting.url)
const fromSettling = operatorClient(settling.url)
const alice = by('alice')
const transaction = `0x${'ab'.repeat(32)}`

afterEach(async () => {
  for (const operator of [fromWaiting, fromSettling]) {
    const { problems } = await operatorLedger.check(operator)
    // Credits are owed to payers like deposits, and the treasury of the tests has none.
    expect(problems.filter(({ invariant }) => !invariant.includes('treasury'))).toEqual([])
  }
})
afterAll(async () => {
  await settling.close()
  await waiting.close()
  silent.closeAllConnections()
  silent.close()
})

const onElsewhere = {
  chainId: 8453,
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  name: 'USD Coin',
}

/** Settles a payment and returns the id of its settlement. */
async function settle(facilitator: TestFacilitator, account: TestAccount, chainOf: object = {}) {
  const body = await signedBody({ account: payer, ...chainOf })
  const { status } = await facilitator.post('/settle', body, account.token)
  const id = (await facilitator.settlements()).filter((each) => each.account_id === account.id).at(-1)?.id
  return { id: id ?? 0, status }
}

async function unknownSettlement(chainOf: object = onElsewhere) {
  const account = await waiting.account()
  const { id, status } = await settle(waiting, account, chainOf)
  expect(status).toBe(503)
  return { account, id }
}

const get = async (id: number) => await operatorSettlements.get(fromWaiting, { id })
const resolveAs = (actor: string, id: number, more: object = {}) =>
  operatorSettlements.resolve(
    fromWaiting,
    { id, outcome: 'failed', reason: 'never sent', ...more },
    by(actor),
  )

describe('operatorSettlements.resolve', () => {
  it('charges a settlement that was paid on a chain that cannot be read, and records who decided', async () => {
    const { account, id } = await unknownSettlement()
    const decision = { outcome: 'settled', transaction, reason: 'seen on the explorer' }
    const { settlement, observation } = await resolveAs('alice', id, decision)
    expect(settlement).toMatchObject({ id, status: 'settled', hold: 'captured', transaction })
    expect(observation).toMatchObject({ outcome: 'unreadable', reason: `${elsewhere} is not among CHAINS` })
    const details = await get(id)
    expect(details).toMatchObject({
      charge: { amount: String(settlePrice), cause: 'operator' },
      transfers: [{ kind: 'hold' }, { kind: 'capture' }],
      resolutions: [{ outcome: 'settled', transaction, actor: 'alice', reason: 'seen on the explorer' }],
      transactions: [],
    })
    expect(details.events.map(({ type }) => type)).toContain('settlement.settled')
    expect(await waiting.available(account)).toBe(99n * settlePrice)
    expect(await operatorDecisions.list(fromWaiting, { subject: `settlement/${id}` })).toMatchObject({
      decisions: [{ actor: 'alice', operation: 'operatorSettlements.resolve' }],
    })
  })

  it('releases the price of one that failed', async () => {
    const { account, id } = await unknownSettlement()
    const { account: before } = await operatorAccounts.get(fromWaiting, { id: account.id })
    expect(before).toMatchObject({ reserved: String(settlePrice) })
    const { totals, liabilities } = await operatorLedger.check(fromWaiting)
    expect(BigInt(totals.held)).toBeGreaterThan(0n)
    expect(BigInt(liabilities)).toBe(BigInt(totals.available) + BigInt(totals.held) + BigInt(totals.suspense))
    expect((await resolveAs('alice', id)).settlement).toMatchObject({ status: 'failed', hold: 'released' })
    expect(await waiting.available(account)).toBe(100n * settlePrice)
  })

  it('reports a resolution to the webhook of the account', async () => {
    const { account, id } = await unknownSettlement()
    const client = waiting.client(account)
    const url = 'http://127.0.0.1:9/closed'
    const hook = await webhooks.configure(client, { url, events: ['settlement.failed'] })
    await resolveAs('alice', id)
    expect((await webhooks.deliveries(client, { id: hook.id })).list).toMatchObject([
      { eventType: 'settlement.failed' },
    ])
  })

  it('accepts one of two opposite decisions at the same time', async () => {
    const { account, id } = await unknownSettlement()
    const results = await Promise.allSettled([
      resolveAs('alice', id),
      resolveAs('bob', id, { outcome: 'settled', transaction }),
    ])
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused).toMatchObject([{ reason: { status: 409, reason: 'settlement_not_unknown' } }])
    const details = await get(id)
    expect(details.resolutions).toHaveLength(1)
    const isPaid = details.settlement.status === 'settled'
    expect(await waiting.available(account)).toBe((isPaid ? 99n : 100n) * settlePrice)
    const { decisions } = await operatorDecisions.list(fromWaiting, { subject: `settlement/${id}` })
    expect(decisions.map(({ actor }) => actor)).toEqual(details.resolutions.map(({ actor }) => actor))
  })

  it('refuses a settled one, also with force, and names its status', async () => {
    const { account, id } = await unknownSettlement()
    await resolveAs('alice', id, { outcome: 'settled', transaction })
    for (const force of [false, true])
      await expect(resolveAs('bob', id, { force })).rejects.toMatchObject({
        reason: 'settlement_not_unknown',
        message: expect.stringContaining('is settled'),
      })
    expect(await waiting.available(account)).toBe(99n * settlePrice)
  })

  it('returns the result of the first call under the same Idempotency-Key', async () => {
    const { id } = await unknownSettlement()
    const input = { id, outcome: 'failed', reason: 'never sent' } as const
    const key = by('alice', { idempotencyKey: `resolve-${id}` })
    const first = await operatorSettlements.resolve(fromWaiting, input, key)
    const second = await operatorSettlements.resolve(fromWaiting, input, key)
    expect(second.settlement).toEqual(first.settlement)
    expect((await get(id)).resolutions).toHaveLength(1)
  })

  it('lets the chain decide if it can be read, and with force shows what the chain says', async () => {
    const { account, id } = await unknownSettlement({})
    await expect(resolveAs('alice', id, { outcome: 'settled', transaction })).rejects.toMatchObject({
      status: 409,
      reason: 'chain_decides',
    })
    expect(await get(id)).toMatchObject({
      settlement: { status: 'unknown', hold: 'held' },
      observation: { outcome: 'open' },
      resolutions: [],
    })
    expect((await operatorDecisions.list(fromWaiting, { subject: `settlement/${id}` })).decisions).toEqual([])
    const once = by('bob', { idempotencyKey: `force-${id}` })
    const input = { id, outcome: 'failed', reason: 'never sent', force: true } as const
    const { observation, settlement } = await operatorSettlements.resolve(fromWaiting, input, once)
    expect((await get(id)).resolutions).toMatchObject([{ outcome: 'failed', actor: 'bob' }])
    // The same key without force is another decision.
    await expect(
      operatorSettlements.resolve(fromWaiting, { ...input, force: false }, once),
    ).rejects.toMatchObject({ status: 409, message: expect.stringContaining('Idempotency-Key') })
    expect(observation).toMatchObject({ outcome: 'open', isFinal: false })
    expect(settlement.status).toBe('failed')
    expect(await waiting.available(account)).toBe(100n * settlePrice)
  })

  it('refuses contradictory input and a settlement that does not exist', async () => {
    const { id } = await unknownSettlement()
    await expect(resolveAs('alice', id, { outcome: 'settled' })).rejects.toMatchObject({
      issues: [{ path: 'transaction' }],
    })
    await expect(resolveAs('alice', id, { transaction })).rejects.toMatchObject({
      issues: [{ path: 'transaction' }],
    })
    await expect(resolveAs('alice', 999_999_999, { force: true })).rejects.toMatchObject({ status: 404 })
    await expect(get(999_999_999)).rejects.toMatchObject({ status: 404 })
    await resolveAs('alice', id)
  })
})

describe('operatorSettlements.get', () => {
  it('shows that a payment is made by Permit2', async () => {
    const account = await waiting.account()
    const body = await signedPermit2Body({
      account: payer,
      to: devAccount(2).address,
      value: 10_000n,
      nonce: `0x${randomBytes(32).toString('hex')}`,
      validBefore: BigInt(Math.floor(Date.now() / 1000)) + 60n,
    })
    const approval = { functionName: 'approve', args: [permit2Address, 10_000n] } as const
    await chain.confirm(chain.as(1).writeContract({ address: chain.token, abi: erc20Abi, ...approval }))
    expect((await waiting.post('/settle', body, account.token)).status).toBe(503)
    const id = (await waiting.settlements()).at(-1)?.id ?? 0
    expect((await get(id)).settlement).toMatchObject({
      accountId: account.id,
      scheme: 'exact',
      method: 'permit2',
      amount: '10000',
    })
    await resolveAs('alice', id, { force: true })
  })
})

describe('operatorSettlements.list', () => {
  /** Lists all parts. */
  async function list(filter: object, size = 2): Promise<number[]> {
    const ids: number[] = []
    let before: number | undefined
    do {
      const part = await operatorSettlements.list(fromWaiting, { ...filter, size, before })
      expect(part.settlements.length).toBeLessThanOrEqual(size)
      ids.push(...part.settlements.map(({ id }) => id))
      before = part.next
    } while (before !== undefined)
    return ids
  }

  it('finds settlements by status, account, payer, order and transaction, newest first, in parts', async () => {
    const account = await waiting.account()
    const ids: number[] = []
    for (let each = 0; each < 5; each += 1) ids.unshift((await settle(waiting, account, onElsewhere)).id)
    const [newest = 0, second = 0] = ids
    const all = (await waiting.settlements()).map(({ id }) => id).reverse()
    expect(await list({})).toEqual(all)
    expect(await list({ payer: payer.address }, 100)).toEqual(all)
    expect(await list({ payer: devAccount(5).address })).toEqual([])
    expect(await list({ accountId: account.id })).toEqual(ids)
    expect(await list({ accountId: account.id, payer: payer.address })).toEqual(ids)
    expect(await list({ status: 'unknown' })).toEqual(ids)
    await resolveAs('alice', newest, { outcome: 'settled', transaction: `0x${'CD'.repeat(32)}` })
    await resolveAs('alice', second)
    expect(await list({ status: 'settled', accountId: account.id })).toEqual([newest])
    expect((await list({ status: 'settled' })).slice(0, 1)).toEqual([newest])
    expect(await list({ status: 'unknown', accountId: account.id })).toEqual(ids.slice(2))
    expect(await list({ transaction: `0x${'CD'.repeat(32)}` })).toEqual([newest])
    const orderNo = (await get(newest)).settlement.orderNo
    expect(await list({ orderNo })).toEqual([newest])
    expect(await list({ orderNo, status: 'failed' })).toEqual([])
    expect(await list({ orderNo, accountId: account.id + 1 })).toEqual([])

    expect(await list({ status: 'stuck' })).toEqual([])
    await sql`update facilitator.settlements set reserved_at = reserved_at - interval '6 minutes'
      where account_id = ${account.id}`.execute(waiting.db)
    expect(await list({ status: 'stuck' })).toEqual(ids.slice(2))
    expect(await list({ status: 'stuck', accountId: account.id })).toEqual(ids.slice(2))
    const [oldest] = (await operatorHealth.get(fromWaiting)).unknownSettlements
    expect(oldest).toMatchObject({ id: ids.at(-1), network: elsewhere })
    expect(oldest?.ageSeconds).toBeGreaterThanOrEqual(360)
    for (const id of ids.slice(2)) await resolveAs('alice', id)
  })

  it('reads no more than its limit of rows for a status that few settlements have, and continues', async () => {
    const { account, id } = await unknownSettlement()
    await resolveAs('alice', id)
    // Newer rows of another status, more than one part reads.
    await sql`insert into facilitator.settlements (order_no, account_id, quota_id, price, network, domain, payer, nonce,
        fingerprint, wire_network, x402_version, scheme, asset, pay_to, amount, valid_before, api, attempt, state, hold)
      select 'filler-' || n, account_id, quota_id, price, network, domain, payer, 'filler-' || n, fingerprint, wire_network,
        x402_version, scheme, asset, pay_to, amount, valid_before, api, attempt, 'not_sent', 'released'
      from facilitator.settlements, generate_series(1, 10001) n where id = ${id}`.execute(waiting.db)
    const first = await operatorSettlements.list(fromWaiting, { status: 'failed' })
    expect(first).toMatchObject({ settlements: [], next: expect.any(Number) })
    const second = await operatorSettlements.list(fromWaiting, { status: 'failed', before: first.next })
    expect(second.settlements[0]).toMatchObject({ id, accountId: account.id })
  })
})

it('a settlement of the built-in upstream is shown with its transaction, its attempts and what the chain shows, and found by its hash', async () => {
  const account = await settling.account()
  const { id, status } = await settle(settling, account)
  expect(status).toBe(200)
  const details = await operatorSettlements.get(fromSettling, { id })
  const { settlement, observation, transactions } = details
  expect(settlement).toMatchObject({ status: 'settled', accountId: account.id, upstream: 'built-in' })
  expect(settlement).toMatchObject({ scheme: 'exact', method: 'eip3009' })
  expect(observation).toMatchObject({ outcome: 'settled', transaction: settlement.transaction })
  expect(transactions).toMatchObject([
    {
      chainId: 84532,
      signer: devAccount(9).address.toLowerCase(),
      attempts: [{ hash: settlement.transaction }],
    },
  ])
  const found = await operatorSettlements.list(fromSettling, { transaction: settlement.transaction })
  expect(found.settlements.map((each) => each.id)).toEqual([id])
  const { transfers } = await operatorAccounts.get(fromSettling, { id: account.id })
  expect(transfers.map(({ kind }) => kind)).toEqual(['capture', 'hold', 'credit'])
})

it('a settlement of the built-in upstream is signed by a signer whose low balance and unknown nonces are reported', async () => {
  const signer = devAccount(9).address
  await settle(settling, await settling.account())
  const expectSigner = async (expected: object) => {
    await vi.waitFor(
      async () => expect((await operatorHealth.get(fromSettling)).signers).toMatchObject([expected]),
      { timeout: 60_000, interval: 500 },
    )
  }
  await expectSigner({ isLow: false, problem: '' })
  const balance = await chain.client.getBalance({ address: signer })
  await chain.client.setBalance({ address: signer, value: 1n })
  const moveNonce = (by: number) =>
    sql`update facilitator.signer_nonces set next_nonce = next_nonce + ${by}`.execute(settling.db)
  await moveNonce(-1)
  await expectSigner({ isLow: true, problem: expect.stringContaining('nonces that this database') })
  await chain.client.setBalance({ address: signer, value: balance })
  await moveNonce(1)
  await expectSigner({ isLow: false, problem: '' })
})

it('a settlement of the built-in upstream is listed as stuck while its transaction is not mined', async () => {
  const account = await settling.account()
  await chain.client.setAutomine(false)
  const response = settling.post('/settle', await signedBody({ account: payer }), account.token)
  const list = () => operatorTransactions.listStuck(fromSettling, { minutes: 0 })
  await vi.waitFor(async () => expect(await list()).not.toEqual([]), { timeout: 60_000 })
  expect(await list()).toMatchObject([
    {
      chainId: 84532,
      settlementId: expect.any(Number),
      isBehindAnother: false,
      action: expect.stringContaining('Check that the node responds'),
    },
  ])
  // It is not older than a minute, and not than the five minutes without a number.
  expect(await operatorTransactions.listStuck(fromSettling, { minutes: 1 })).toEqual([])
  expect(await operatorTransactions.listStuck(fromSettling)).toEqual([])
  await chain.client.setAutomine(true)
  await chain.client.mine({ blocks: 1 })
  expect((await response).status).toBe(200)
  expect(await operatorTransactions.listStuck(fromSettling)).toEqual([])
})

describe('operatorReverts', () => {
  it('returns the list to a call that repeats its Idempotency-Key, and clears no later reverts', async () => {
    const { id } = await waiting.account()
    const once = by('alice', { idempotencyKey: `clear-${id}` })
    const input = { kind: 'account', subject: String(id), reason: 'The token was paused' } as const
    const readTime = async () => {
      const { rows } = await sql<{ cleared_at: Date }>`
        select cleared_at from facilitator.revert_clearances where subject = ${`account/${id}`}`.execute(
        waiting.db,
      )
      return rows[0]?.cleared_at
    }
    expect(await operatorReverts.clear(fromWaiting, input, once)).toEqual([])
    const cleared = await readTime()
    expect(await operatorReverts.clear(fromWaiting, input, once)).toEqual([])
    expect(await readTime()).toEqual(cleared)
    await sql`delete from facilitator.revert_clearances`.execute(waiting.db)
  })

  it('clears the reverts of an account or a payer that exists, and records who did', async () => {
    const { id } = await waiting.account()
    const wallet = payer.address
    expect(await operatorReverts.list(fromWaiting)).toEqual([])
    const reason = 'The token was paused'
    await operatorReverts.clear(fromWaiting, { kind: 'account', subject: String(id), reason }, alice)
    await operatorReverts.clear(fromWaiting, { kind: 'payer', subject: wallet, reason }, by('bob'))
    const { rows } = await sql<{ subject: string; actor: string }>`
      select subject, actor from facilitator.revert_clearances order by actor`.execute(waiting.db)
    expect(rows).toEqual([
      { subject: `account/${id}`, actor: 'alice' },
      { subject: `payer/${wallet.toLowerCase()}`, actor: 'bob' },
    ])
    const missing = { kind: 'account', subject: '999999999', reason } as const
    await expect(operatorReverts.clear(fromWaiting, missing, alice)).rejects.toMatchObject({ status: 404 })
    for (const wrong of [
      { kind: 'account', subject: wallet, reason },
      { kind: 'account', subject: '0', reason },
      { kind: 'payer', subject: String(id), reason },
    ] as const)
      await expect(operatorReverts.clear(fromWaiting, wrong, alice)).rejects.toMatchObject({
        issues: [{ path: 'subject' }],
      })
  })
})
