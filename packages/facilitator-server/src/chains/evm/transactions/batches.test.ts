// Many payments in one transaction of Multicall3, each with an outcome of its own.

import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { openChains } from '@mintmark/evm-reader'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { hex, type Signed, seller, serving, signedBody } from '../../../engine/testing.ts'
import type { Payment, UpstreamResponse } from '../../../payment/payment.ts'
import { reasons } from '../../../payment/reasons.ts'
import { decodePayment } from '../../../schemes/decode.ts'
import { type BuiltInOptions, createBuiltInUpstream } from '../../../schemes/evm/built-in-upstream.ts'
import { createBrittleDatabase } from '../../../testing-database.ts'
import { multicallAddress } from '../reads/multicall-reads.ts'
import { createChainReader } from '../reads/reader.ts'
import { DEFAULT_GAS_CAPS } from '../settings/gas-caps.ts'
import { createFundedSigners, removeTransactions, transactionDatabase } from '../testing.ts'
import type { SettlementSigner } from './signers.ts'

const devChain = await testChain()
const node = await startFaultyNode(devChain.rpcUrl)
const { db, reserve, drop } = await transactionDatabase()
const token = { address: devChain.token, abi: devUsdcAbi } as const
const DELAY_MS = 40

let signers: SettlementSigner[]
let reports: unknown[]

afterAll(async () => {
  node.close()
  await drop()
})
beforeEach(async () => {
  reports = []
  signers = await createFundedSigners(devChain, 1)
  await removeTransactions(db)
})
afterEach(async () => {
  vi.restoreAllMocks()
  node.interfere = () => undefined
  await devChain.client.setAutomine(true)
  await devChain.client.mine({ blocks: 1 })
})

/** Creates a process's upstream: with clients and caches of its own on the shared database. */
const open = (options: Partial<BuiltInOptions> = {}) =>
  createBuiltInUpstream({
    db,
    chains: openChains([{ id: 84532, rpcUrls: [node.url], finality: { depth: 3 } }]),
    signers,
    report: (error) => reports.push(error),
    ...options,
  })
type BuiltIn = ReturnType<typeof open>

async function signed(terms: Partial<Signed> = {}): Promise<Payment> {
  const decoded = decodePayment(
    await signedBody({ account: devAccount(1), ...terms }),
    serving('eip155:84532'),
  )
  if (!decoded.ok) throw new Error(decoded.message)
  return decoded.payment
}
const signMany = (count: number, terms: Partial<Signed> = {}) =>
  Promise.all(
    Array.from({ length: count }, (_, index) => signed({ account: devAccount(1 + (index % 5)), ...terms })),
  )

interface SettleOptions {
  readonly delayMs?: number
  readonly signal?: AbortSignal
}
async function settle(
  upstream: BuiltIn,
  payment: Payment,
  { delayMs = DELAY_MS, signal = AbortSignal.timeout(20_000) }: SettleOptions = {},
): Promise<UpstreamResponse> {
  return upstream.settle(payment, { ...(await reserve(payment)), signal, batchDelayMs: delayMs })
}
const settleAll = (upstream: BuiltIn, payments: readonly Payment[], options?: SettleOptions) =>
  Promise.all(payments.map((payment) => settle(upstream, payment, options)))

interface Row {
  id: number
  purpose: string
  batch_id: number | null
  nonce: number | null
  state: string
  succeeded: boolean | null
  hash: string | null
  authorization_nonce: string | null
}
async function listTransactions(): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select id, purpose, batch_id, nonce, state, succeeded, hash, authorization_nonce
    from facilitator.transactions order by id`.execute(db)
  return rows
}
const listOf = async (purpose: string) => (await listTransactions()).filter((row) => row.purpose === purpose)
const balanceOf = (address: string) =>
  devChain.client.readContract({ ...token, functionName: 'balanceOf', args: [hex(address)] })
const hashOf = (response: UpstreamResponse | undefined): string => {
  if (response?.kind !== 'responded') throw new Error(`No response: ${JSON.stringify(response)}`)
  return response.body.transaction
}
const reader = createChainReader({
  chains: openChains([{ id: 84532, rpcUrls: [devChain.rpcUrl], finality: { depth: 3 } }]),
  listSignedTransactions: (payment) => open().listSignedTransactions(payment),
})
async function countReverts(payer: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select facilitator.payer_reverts(${payer.toLowerCase()}, clock_timestamp() - interval '1 hour') as count`.execute(
    db,
  )
  return Number(rows[0]?.count)
}
const PAID = { kind: 'responded', body: { success: true } }
const settled = { kind: 'settled' }

/** Undoes afterwards what the test changes on the chain. */
async function restoreAfterwards(): Promise<void> {
  const id = await devChain.client.snapshot()
  onTestFinished(async () => {
    await devChain.client.revert({ id })
  })
}
/** Waits until a batch is signed and in the node's pool, while nothing is mined. */
async function waitForPool(count = 1): Promise<void> {
  await vi.waitFor(async () => {
    expect((await devChain.client.getTxpoolStatus()).pending).toBe(count)
  }, 10_000)
}
/** Sends a payment from another sender, whose fee puts it before ours. */
async function sendFirst(payment: Payment): Promise<void> {
  const { payer, payTo, amount, validAfter, validBefore, nonce, signature } = payment
  await devChain.as(9).writeContract({
    ...token,
    functionName: 'transferWithAuthorization',
    args: [hex(payer), hex(payTo), amount, validAfter, validBefore, hex(nonce), hex(signature)],
    maxFeePerGas: 10n ** 12n,
    maxPriorityFeePerGas: 10n ** 11n,
    gas: 200_000n,
  })
}

it('a batch settles two payments in one transaction, with a row for each', async () => {
  const before = await balanceOf(seller)
  const payments = [await signed({ value: 11n }), await signed({ account: devAccount(2), value: 22n })]
  const responses = await settleAll(open(), payments)
  expect(responses).toMatchObject([
    { kind: 'responded', body: { success: true, payer: payments[0]?.payer } },
    { kind: 'responded', body: { success: true, payer: payments[1]?.payer } },
  ])
  expect(new Set(responses.map(hashOf)).size).toBe(1)
  expect((await balanceOf(seller)) - before).toBe(33n)
  const hash = hashOf(responses[0])
  await vi.waitFor(async () => {
    const rows = await listTransactions()
    const batch = rows.find(({ purpose }) => purpose === 'batch')
    const mined = { state: 'mined', succeeded: true, hash }
    expect(rows).toMatchObject([
      { purpose: 'batch', batch_id: null, nonce: 0, ...mined },
      { purpose: 'settle', batch_id: batch?.id, nonce: null, ...mined },
      { purpose: 'settle', batch_id: batch?.id, nonce: null, ...mined },
    ])
  })
  expect(reports).toEqual([])
})

it('a batch is not used for accounts without a delay, a payment alone, and chains without Multicall3', async () => {
  const upstream = open()
  await settleAll(upstream, await signMany(2), { delayMs: 0 })
  await settle(upstream, await signed())
  const code = (await devChain.client.getCode({ address: multicallAddress })) ?? '0x'
  await devChain.client.setCode({ address: multicallAddress, bytecode: '0x' })
  expect(await settleAll(open(), await signMany(2))).toMatchObject([PAID, PAID])
  await devChain.client.setCode({ address: multicallAddress, bytecode: code })
  expect(await listOf('batch')).toEqual([])
  expect(await listOf('settle')).toHaveLength(5)
})

it('a batch leaves out payers with code, whose code would decide how much gas the others have', async () => {
  const [wallet, ...others] = await signMany(3)
  if (wallet === undefined) throw new Error('Three payments were signed')
  const interfered: string[] = []
  node.interfere = (method, params) => {
    if (method !== 'eth_getCode' || !JSON.stringify(params).includes(wallet.payer.slice(2))) return undefined
    interfered.push(method)
    return { result: '0xef0100000000000000000000000000000000000000000001' }
  }
  expect((await settleAll(open(), [wallet, ...others])).slice(1)).toMatchObject([PAID, PAID])
  expect(interfered.length).toBeGreaterThan(0)
  const rows = await listOf('settle')
  expect(rows.filter(({ batch_id }) => batch_id !== null).map((row) => row.authorization_nonce)).toEqual(
    others.map(({ nonce }) => nonce),
  )
})

it('a batch leaves out payments that cannot be made, and refuses each for its own reason', async () => {
  await devChain.confirm(
    devChain.as(9).writeContract({ ...token, functionName: 'blacklist', args: [devAccount(7).address] }),
  )
  const { timestamp } = await devChain.client.getBlock()
  const good = await signMany(3)
  const bad = [
    await signed({ value: 10n ** 30n }),
    await signed({ validBefore: timestamp - 1n }),
    await signed({ account: devAccount(7) }),
    await signed({ account: devAccount(2), from: devAccount(1).address }),
  ]
  const responses = await settleAll(open(), [...good, ...bad])
  expect(responses).toMatchObject([
    ...[PAID, PAID, PAID],
    { kind: 'refused', reason: 'insufficient_funds' },
    { kind: 'refused', reason: 'invalid_exact_evm_payload_authorization_valid_before' },
    { kind: 'refused' },
    { kind: 'refused', reason: 'invalid_exact_evm_payload_signature' },
  ])
  expect(await listOf('batch')).toHaveLength(1)
  expect(await listOf('settle')).toHaveLength(3)
})

it('a batch is split if it needs more gas than the cap of the chain', async () => {
  const gasCaps = { ...DEFAULT_GAS_CAPS, batch: 400_000n }
  const responses = await settleAll(open({ gasCaps }), await signMany(8))
  expect(responses).toMatchObject(Array.from({ length: 8 }, () => PAID))
  const { rows } = await sql<{ gas: string; payments: number }>`
      select gas, (select count(*) from facilitator.transactions p where p.batch_id = b.id) as payments
      from facilitator.transactions b where purpose = 'batch'`.execute(db)
  expect(rows.length).toBeGreaterThan(1)
  expect(rows.reduce((sum, { payments }) => sum + payments, 0)).toBe(8)
  for (const { gas } of rows) expect(Number(gas)).toBeLessThanOrEqual(400_000)
})

it('a batch divides its gas limit over its payments, and needs at least 30 percent less gas than payments alone', async () => {
  const gasOf = async (hash: string) =>
    (await devChain.client.getTransactionReceipt({ hash: hex(hash) })).gasUsed
  // The seller's first token costs more gas than any later one.
  await settle(open(), await signed())
  const [alone] = await settleAll(open(), await signMany(1))
  const upstream = open()
  const responses = await settleAll(upstream, await signMany(100))
  const hashes = new Set(responses.map(hashOf))
  expect(hashes.size).toBe(1)
  const single = await gasOf(hashOf(alone))
  const batched = (await gasOf(hashOf(responses[0]))) / 100n
  expect(Number(batched)).toBeLessThanOrEqual(Number(single) * 0.7)
  const { rows } = await sql<{ limit: string; shares: string }>`
      select gas as limit, (select sum(p.gas) from facilitator.transactions p where p.batch_id = b.id) as shares
      from facilitator.transactions b where purpose = 'batch'`.execute(db)
  expect(Number(rows[0]?.shares)).toBeLessThanOrEqual(Number(rows[0]?.limit))
  expect(Number(rows[0]?.shares)).toBeGreaterThan(Number(rows[0]?.limit) - 100)
})

describe('a call that fails in the block', () => {
  it('fails no other payment if another sender used its authorization first', async () => {
    const payments = await signMany(3)
    const [first] = payments
    if (first === undefined) throw new Error('Three payments were signed')
    await devChain.client.setAutomine(false)
    const responses = settleAll(open(), payments)
    await waitForPool()
    await sendFirst(first)
    await waitForPool(2)
    await devChain.client.mine({ blocks: 1 })
    expect(await responses).toMatchObject([{ kind: 'responded', body: { success: false } }, PAID, PAID])
    // The other transaction made the payment.
    expect(await reader.inspect(first)).toMatchObject(settled)
    expect(await listOf('settle')).toMatchObject([
      { succeeded: false },
      { succeeded: true },
      { succeeded: true },
    ])
  })

  it.each([
    [
      'the payer has spent the funds',
      async (payment: Payment) => {
        const account = hex(payment.payer)
        const balance = await balanceOf(account)
        await devChain.client.impersonateAccount({ address: account })
        await devChain.client.writeContract({
          ...token,
          account,
          chain: null,
          functionName: 'transfer',
          gas: 100_000n,
          args: [devAccount(9).address, balance],
          maxFeePerGas: 10n ** 12n,
          maxPriorityFeePerGas: 10n ** 11n,
        })
      },
    ],
    [
      'the payer was blacklisted',
      async (payment: Payment) => {
        await devChain.as(9).writeContract({
          ...token,
          functionName: 'blacklist',
          gas: 100_000n,
          args: [hex(payment.payer)],
          maxFeePerGas: 10n ** 12n,
          maxPriorityFeePerGas: 10n ** 11n,
        })
      },
    ],
  ])('ends only its own settlement once final, and counts its revert: %s', async (_, spoil) => {
    await restoreAfterwards()
    const bad = await signed({ account: devAccount(6) })
    const payments = [bad, ...(await signMany(2))]
    await devChain.client.setAutomine(false)
    const responses = settleAll(open(), payments)
    await waitForPool()
    await spoil(bad)
    await waitForPool(2)
    await devChain.client.mine({ blocks: 1 })
    expect(await responses).toMatchObject([{ kind: 'responded', body: { success: false } }, PAID, PAID])
    expect(await reader.inspect(bad)).toEqual({ kind: 'open', unused: true })
    await devChain.client.mine({ blocks: 4 })
    const hash = hashOf((await responses)[0])
    expect(await reader.inspect(bad)).toEqual({
      kind: 'failed',
      reason: reasons.transactionFailed,
      reverted: hash,
    })
    for (const payment of payments.slice(1)) {
      expect(await reader.inspect(payment)).toMatchObject({ ...settled, transaction: hash, final: true })
      expect(await countReverts(payment.payer)).toBe(0)
    }
    expect(await countReverts(bad.payer)).toBe(1)
    // A failed call is not sent again.
    expect(await open().sweep()).toMatchObject({ signedAgain: 0 })
  })

  it('costs nobody else the payment if it burns the gas of the batch', async () => {
    await restoreAfterwards()
    const hostile = await signed({ account: devAccount(6) })
    const payments = [hostile, ...(await signMany(5))]
    await devChain.client.setAutomine(false)
    const upstream = open()
    const responses = settleAll(upstream, payments)
    await waitForPool()
    // The payer's code burns all gas from now on: the invalid instruction.
    await devChain.client.setCode({ address: hex(hostile.payer), bytecode: '0xfe' })
    await devChain.client.mine({ blocks: 1 })
    for (const response of await responses) expect(response).toMatchObject({ kind: 'lost' })
    await devChain.client.setAutomine(true)
    // The batch is final, and still says nothing about the payments.
    await devChain.client.mine({ blocks: 4 })
    for (const payment of payments.slice(1)) {
      expect(await reader.inspect(payment)).toEqual({ kind: 'open', unused: true })
      expect(await countReverts(payment.payer)).toBe(0)
    }
    expect(await upstream.sweep()).toMatchObject({ signedAgain: 5 })
    await vi.waitFor(async () => {
      for (const payment of payments.slice(1)) expect(await reader.inspect(payment)).toMatchObject(settled)
    }, 10_000)
    expect(await upstream.sweep()).toMatchObject({ signedAgain: 0 })
    await devChain.client.mine({ blocks: 4 })
    await upstream.sweep()
    await upstream.sweep()
    expect((await listOf('settle')).map(({ batch_id, state }) => [batch_id === null, state])).toEqual([
      [false, 'superseded'],
      ...Array.from({ length: 5 }, () => [true, 'final']),
    ])
  })

  it('leaves the payments before it paid if only the gas after them is burned', async () => {
    await restoreAfterwards()
    const hostile = await signed({ account: devAccount(6) })
    const others = await signMany(5)
    await devChain.client.setAutomine(false)
    const upstream = open()
    const responses = settleAll(upstream, [...others, hostile])
    await waitForPool()
    await devChain.client.setCode({ address: hex(hostile.payer), bytecode: '0xfe' })
    await devChain.client.mine({ blocks: 1 })
    expect(await responses).toMatchObject([...others.map(() => PAID), { kind: 'lost' }])
    expect(await reader.inspect(hostile)).toEqual({ kind: 'open', unused: true })
    expect(await upstream.sweep()).toMatchObject({ signedAgain: 0 })
    for (const payment of others) expect(await reader.inspect(payment)).toMatchObject(settled)
    const outcomes = (await listOf('settle')).map(({ succeeded }) => succeeded)
    expect(outcomes).toEqual([true, true, true, true, true, null])
  })
})

it('after a process died or the chain changed, the batcher broadcasts a stored batch that was never broadcast', async () => {
  const payments = await signMany(3)
  node.interfere = (method) => (method === 'eth_sendRawTransaction' ? 'hang up' : undefined)
  const responses = await settleAll(open(), payments, { signal: AbortSignal.timeout(700) })
  expect(responses).toMatchObject(payments.map(() => ({ kind: 'lost', why: 'timeout' })))
  expect(await listOf('batch')).toMatchObject([{ state: 'sent' }])
  node.interfere = () => undefined
  expect(await open().sweep()).toMatchObject({ broadcast: 1 })
  await vi.waitFor(async () => {
    for (const payment of payments) expect(await reader.inspect(payment)).toMatchObject(settled)
  }, 10_000)
  expect(await open().sweep()).toMatchObject({ mined: 1 })
  expect(await listOf('settle')).toMatchObject(payments.map(() => ({ state: 'mined', succeeded: true })))
})

it('after a process died or the chain changed, the batcher never responds that nothing was sent after it was stored, although the database cannot be reached', async () => {
  const database = createBrittleDatabase(db)
  const payments = await signMany(3)
  await devChain.client.setAutomine(false)
  const estimated: string[] = []
  node.interfere = (method) => {
    if (method === 'eth_sendRawTransaction') database.fails = /./
    if (database.fails === undefined || method !== 'eth_estimateGas') return undefined
    estimated.push(method)
    // As of the newest block. Anvil also counts the batch in its pool.
    return { result: '0x186a0' }
  }
  const responses = await settleAll(open({ db: database.db }), payments)
  const [signed] = await listOf('batch')
  expect(signed).toBeDefined()
  const transaction = expect.stringMatching(/^0x[0-9a-f]{64}$/)
  expect(responses).toMatchObject(payments.map(() => ({ kind: 'lost', why: 'reset', transaction })))
  expect(estimated).toEqual([])
  await devChain.client.mine({ blocks: 1 })
  for (const payment of payments) expect(await reader.inspect(payment)).toMatchObject(settled)
})

it('after a process died or the chain changed, the batcher records a batch whose process died after the broadcast', async () => {
  const payments = await signMany(2)
  await devChain.client.setAutomine(false)
  const responses = await settleAll(open(), payments, { signal: AbortSignal.timeout(700) })
  expect(responses).toMatchObject(payments.map(() => ({ kind: 'lost', why: 'timeout' })))
  await devChain.client.mine({ blocks: 1 })
  expect(await open().sweep()).toMatchObject({ mined: 1, broadcast: 0 })
  expect(await listTransactions()).toMatchObject(
    Array.from({ length: 3 }, () => ({ state: 'mined', succeeded: true })),
  )
  await devChain.client.mine({ blocks: 4 })
  await open().sweep()
  expect(await listTransactions()).toMatchObject(Array.from({ length: 3 }, () => ({ state: 'final' })))
})

it('after a process died or the chain changed, the batcher sends a batch again after a reorganization removed it, with all of its payments', async () => {
  const snapshot = await devChain.client.snapshot()
  const payments = await signMany(3)
  const upstream = open()
  const [hash] = (await settleAll(upstream, payments)).map(hashOf)
  await vi.waitFor(async () => {
    expect(await listTransactions()).toMatchObject(Array.from({ length: 4 }, () => ({ state: 'mined' })))
  })
  await devChain.client.revert({ id: snapshot })
  await devChain.client.mine({ blocks: 3 })
  expect(await reader.inspect(payments[0] as Payment)).toEqual({ kind: 'open', unused: true })
  await devChain.client.setAutomine(false)
  expect(await upstream.sweep()).toMatchObject({ broadcast: 1, signedAgain: 0 })
  const unmined = { state: 'sent', succeeded: null, hash: null }
  expect(await listTransactions()).toMatchObject(Array.from({ length: 4 }, () => unmined))
  await devChain.client.mine({ blocks: 1 })
  for (const payment of payments)
    expect(await reader.inspect(payment)).toMatchObject({ ...settled, transaction: hash })
  expect(await upstream.sweep()).toMatchObject({ mined: 1 })
})

it('after a process died or the chain changed, the batcher decides nothing while the node does not know the receipt', async () => {
  const payments = await signMany(2)
  node.interfere = (method) => (method === 'eth_getTransactionReceipt' ? { result: null } : undefined)
  const responses = await settleAll(open(), payments, { signal: AbortSignal.timeout(700) })
  expect(responses).toMatchObject(payments.map(() => ({ kind: 'lost', why: 'timeout' })))
  await open().sweep()
  expect(await listTransactions()).toMatchObject(Array.from({ length: 3 }, () => ({ state: 'sent' })))
  node.interfere = () => undefined
  expect(await open().sweep()).toMatchObject({ mined: 1 })
})

it('after a process died or the chain changed, the batcher keeps all payments in a replacement with a higher fee', async () => {
  const payments = await signMany(3)
  await devChain.client.setAutomine(false)
  const upstream = open({ replaceAfter: 0 })
  const responses = settleAll(upstream, payments)
  await waitForPool()
  expect(await upstream.sweep()).toMatchObject({ replaced: 1 })
  await devChain.client.mine({ blocks: 1 })
  expect(await responses).toMatchObject([PAID, PAID, PAID])
  expect(await upstream.listSignedTransactions(payments[2] as Payment)).toHaveLength(2)
  expect(await upstream.listSignedTransactions(payments[2] as Payment)).toContain(
    hashOf((await responses)[0]),
  )
})

it('a batch that a dead process left is found by many payments at once without its signed bytes, which each of them would read', async () => {
  const payments = await signMany(4)
  const [paid] = await settleAll(open(), payments)
  const statements: string[] = []
  const observed = db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      statements.push(JSON.stringify(result.rows))
      return result
    },
  })
  const unsent = await signed()
  const upstream = open({ db: observed })
  const lists = await Promise.all(
    [...payments, unsent].map((payment) => upstream.listSignedTransactions(payment)),
  )
  expect(lists).toEqual([...payments.map(() => [hashOf(paid)]), []])
  expect(statements).toEqual([JSON.stringify(lists.map((hashes) => ({ hashes })))])
})

it('after a process died, the payments of its batch are sent by themselves if another program used the nonce of the batch', async () => {
  const upstream = open({ replaceAfter: 0 })
  await settle(upstream, await signed())
  const [account] = signers.map(({ address }) => hex(address))
  if (account === undefined) throw new Error('There is a signer')
  await devChain.client.impersonateAccount({ address: account })
  await devChain.confirm(devChain.client.sendTransaction({ account, to: account, value: 0n, chain: null }))
  const payments = await signMany(3)
  const responses = await settleAll(upstream, payments, { signal: AbortSignal.timeout(700) })
  expect(responses).toMatchObject(payments.map(() => ({ kind: 'lost' })))
  expect(await upstream.sweep()).toMatchObject({ signedAgain: 1 })
  await vi.waitFor(async () => {
    for (const payment of payments) expect(await reader.inspect(payment)).toMatchObject(settled)
  }, 10_000)
  await devChain.client.mine({ blocks: 4 })
  await upstream.sweep()
  expect(await listOf('batch')).toMatchObject([{ state: 'superseded' }])
  const paid = await listOf('settle')
  expect(paid.map(({ succeeded, batch_id }) => [succeeded, batch_id])).toEqual(paid.map(() => [true, null]))
})

it('with concurrent calls the batcher puts each payment into one transaction although two processes collect the same ones', async () => {
  const before = await balanceOf(seller)
  const payments = await signMany(10)
  const processes = [open(), open()]
  const responses = (await Promise.all(processes.map((each) => settleAll(each, payments)))).flat()
  expect(responses).toMatchObject(responses.map(() => PAID))
  expect((await balanceOf(seller)) - before).toBe(100_000n)
  const rows = await listOf('settle')
  expect(new Set(rows.map((row) => row.authorization_nonce)).size).toBe(rows.length)
  expect(rows).toHaveLength(10)
})

it('with concurrent calls the batcher executes a payment once although its settle is repeated while it waits, and afterwards', async () => {
  const upstream = open()
  const payments = await signMany(3)
  const [repeated] = payments
  if (repeated === undefined) throw new Error('Three payments were signed')
  const responses = await settleAll(upstream, [...payments, repeated, repeated])
  expect(responses).toMatchObject(responses.map(() => PAID))
  expect(await settle(upstream, repeated)).toMatchObject(PAID)
  expect(await listOf('settle')).toHaveLength(3)
  expect(hashOf(responses[3])).toBe(hashOf(responses[0]))
})

it('with concurrent calls the batcher batches the other payments if one of them has a transaction already', async () => {
  const upstream = open()
  const [first, ...others] = await signMany(3)
  if (first === undefined) throw new Error('Three payments were signed')
  await devChain.client.setAutomine(false)
  const alone = settle(upstream, first, { delayMs: 0 })
  await waitForPool()
  const batched = settleAll(upstream, [first, ...others])
  await waitForPool(2)
  await devChain.client.mine({ blocks: 1 })
  const responses = [await alone, ...(await batched)]
  expect(responses).toMatchObject(responses.map(() => PAID))
  expect(responses.map(hashOf).slice(0, 2)).toEqual([hashOf(responses[0]), hashOf(responses[0])])
  const [batch] = await listOf('batch')
  expect((await listOf('settle')).map((row) => row.batch_id)).toEqual([null, batch?.id, batch?.id])
})

it('with concurrent calls the batcher signs nothing for a settle that ended while it waited', async () => {
  const upstream = open()
  const [first, second, third] = await signMany(3)
  if (first === undefined || second === undefined || third === undefined) throw new Error('Three were signed')
  await reserve(first)
  const ended = new AbortController()
  const aborted = settle(upstream, first, { delayMs: 2_000, signal: ended.signal })
  const others = settleAll(upstream, [second, third], { delayMs: 300 })
  ended.abort()
  expect(await aborted).toMatchObject({ kind: 'not_sent' })
  expect(await others).toMatchObject([PAID, PAID])
  expect((await listOf('settle')).map((row) => row.authorization_nonce)).not.toContain(first.nonce)
})

it('with concurrent calls the batcher does not respond that nothing was sent for a settle that ended while it waited, if another call has sent its payment', async () => {
  const upstream = open()
  const payment = await signed()
  await devChain.client.setAutomine(false)
  const sent = settle(upstream, payment, { delayMs: 0 })
  await waitForPool()
  expect(await settle(upstream, payment, { delayMs: 2_000, signal: AbortSignal.timeout(200) })).toMatchObject(
    { kind: 'lost', why: 'timeout' },
  )
  await devChain.client.mine({ blocks: 1 })
  expect(await sent).toMatchObject(PAID)
})

it('with concurrent calls the batcher ends only the wait of the settle whose time is over', async () => {
  const upstream = open()
  const [first, second] = await signMany(2)
  if (first === undefined || second === undefined) throw new Error('Two were signed')
  await devChain.client.setAutomine(false)
  const ended = new AbortController()
  const lost = settle(upstream, first, { signal: ended.signal })
  const other = settle(upstream, second)
  await waitForPool()
  ended.abort()
  expect(await lost).toMatchObject({ kind: 'lost', why: 'timeout' })
  await devChain.client.mine({ blocks: 1 })
  expect(await other).toMatchObject(PAID)
  expect(await reader.inspect(first)).toMatchObject(settled)
})

it('with concurrent calls the batcher leaves out a settlement that no longer belongs to its call', async () => {
  const upstream = open()
  const payments = await signMany(3)
  const calls = await Promise.all(payments.map((payment) => reserve(payment)))
  await sql`update facilitator.settlements set lease_until = clock_timestamp()
      where id = ${calls[0]?.settlementId}::bigint`.execute(db)
  expect(await settleAll(upstream, payments)).toMatchObject([{ kind: 'not_sent' }, PAID, PAID])
  expect(await listOf('settle')).toHaveLength(2)
})
