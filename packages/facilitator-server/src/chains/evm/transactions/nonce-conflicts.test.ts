// Another program uses a nonce of our key, and fees rise above those that were offered.

import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { testChain } from '@mintmark/devkit/chain/testing'
import { type Fault, startFaultyNode } from '@mintmark/devkit/testing'
import { openChains } from '@mintmark/evm-reader'
import { sql } from 'kysely'
import { encodeFunctionResult, type Hex, parseEther } from 'viem'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hex, serving, signedBody } from '../../../engine/testing.ts'
import type { Payment } from '../../../payment/payment.ts'
import { decodePayment } from '../../../schemes/decode.ts'
import { type BuiltInOptions, createBuiltInUpstream } from '../../../schemes/evm/built-in-upstream.ts'
import { createChainReader } from '../reads/reader.ts'
import {
  createFundedSigners,
  removeTransactions,
  transactionDatabase,
  waitUntilMined,
  waitUntilRecorded,
} from '../testing.ts'
import { GAS_PRICE_ORACLE, gasPriceOracleAbi } from './fees.ts'
import type { SettlementSigner } from './signers.ts'

const devChain = await testChain()
const node = await startFaultyNode(devChain.rpcUrl)
const { db, reserve, drop } = await transactionDatabase()
const payer = devAccount(1)
const chains = () => openChains([{ id: 84532, rpcUrls: [node.url], finality: { depth: 3 } }])
const reader = createChainReader({ chains: chains() })
const token = { address: devChain.token, abi: devUsdcAbi } as const

let signers: SettlementSigner[]
let reports: unknown[]

afterAll(async () => {
  node.close()
  await drop()
})
beforeEach(async () => {
  reports = []
  signers = await createFundedSigners(devChain, 2)
  await removeTransactions(db)
  await sql`delete from facilitator.signer_nonces`.execute(db)
})
afterEach(async () => {
  vi.restoreAllMocks()
  node.interfere = () => undefined
  node.faults = undefined
  await devChain.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 10n ** 9n })
  await devChain.client.setAutomine(true)
  await devChain.client.mine({ blocks: 1 })
})

/** Creates a process's upstream: with clients and caches of its own on the shared database. */
const open = (options: Partial<BuiltInOptions> = {}) =>
  createBuiltInUpstream({
    db,
    chains: chains(),
    signers: signers.slice(0, 1),
    replaceAfter: 0,
    report: (error) => reports.push(error),
    ...options,
  })
type BuiltIn = ReturnType<typeof open>

async function signed(): Promise<Payment> {
  const decoded = decodePayment(await signedBody({ account: payer }), serving('eip155:84532'))
  if (!decoded.ok) throw new Error(decoded.message)
  return decoded.payment
}
async function settle(payment: Payment, upstream: BuiltIn, milliseconds = 20_000) {
  const call = await reserve(payment)
  const signal = AbortSignal.timeout(milliseconds)
  return waitUntilRecorded(db, await upstream.settle(payment, { ...call, signal }))
}

/** Advances the clock of caches: quotes are cached for a second. */
function expireQuotes(): void {
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 1_100)
}

interface TransactionRow {
  signer: string
  nonce: number
  purpose: string
  state: string
  attempts: number
}
async function listTransactions(): Promise<TransactionRow[]> {
  const { rows } = await sql<TransactionRow>`
    select signer, nonce, purpose, state,
      (select count(*) from facilitator.transaction_attempts a where a.transaction_id = t.id) as attempts
    from facilitator.transactions t order by id`.execute(db)
  return rows
}
const address = (index: number): Hex => hex(signers[index]?.address ?? '')
const balanceOf = (wallet: string) =>
  devChain.client.readContract({ ...token, functionName: 'balanceOf', args: [hex(wallet)] })

/** Sends a transaction with a signer's key, as another program that has the key. */
async function useNonce(index = 0): Promise<void> {
  const account = address(index)
  await devChain.client.impersonateAccount({ address: account })
  await devChain.confirm(devChain.client.sendTransaction({ account, to: account, value: 0n, chain: null }))
}

/** Settles a payment whose nonce another program has used before the broadcast. */
async function settleWithUsedNonce(upstream: BuiltIn): Promise<Payment> {
  // The process knows the nonce before the other program uses it.
  await settle(await signed(), upstream)
  return settleAfterUsedNonce(upstream)
}

/**
 * Settles a payment of an upstream that has settled before. Another program uses the nonce before the
 * broadcast.
 */
async function settleAfterUsedNonce(upstream: BuiltIn): Promise<Payment> {
  await useNonce()
  const payment = await signed()
  expect(await settle(payment, upstream, 300)).toMatchObject({ kind: 'lost', why: 'timeout' })
  return payment
}

/** Submits a payment without the facilitator. */
async function submit(payment: Payment): Promise<void> {
  const { payer: from, payTo, amount, validAfter, validBefore, nonce, signature } = payment
  await devChain.confirm(
    devChain.as(9).writeContract({
      ...token,
      functionName: 'transferWithAuthorization',
      args: [hex(from), hex(payTo), amount, validAfter, validBefore, hex(nonce), hex(signature)],
    }),
  )
}

it('a payment whose nonce another program used is signed again under a new nonce and made once', async () => {
  const upstream = open()
  const before = await balanceOf(payer.address)
  const payment = await settleWithUsedNonce(upstream)
  expect(await upstream.sweep()).toMatchObject({ signedAgain: 1 })
  await waitUntilMined(db, devChain)
  await upstream.sweep()
  const hashes = await upstream.listSignedTransactions(payment)
  expect(hashes).toHaveLength(2)
  expect(await reader.inspect(payment)).toMatchObject({ kind: 'settled', transaction: hashes[1] })
  expect(before - (await balanceOf(payer.address))).toBe(2n * payment.amount)
  expect(await listTransactions()).toMatchObject([
    { nonce: 0, state: 'mined', attempts: 1 },
    { nonce: 2, state: 'mined', attempts: 2 },
  ])
  expect(await upstream.sweep()).toMatchObject({ signedAgain: 0, filled: 0 })
  expect(reports).toEqual([])
})

it('a payment whose nonce another program used ends the call that waits for it as settled, with the new transaction', async () => {
  const upstream = open()
  await settle(await signed(), upstream)
  await useNonce()
  const payment = await signed()
  const settling = settle(payment, upstream)
  while ((await listTransactions()).length < 2) await new Promise((resolve) => setTimeout(resolve, 10))
  while ((await upstream.sweep()).signedAgain === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  const [, second] = await upstream.listSignedTransactions(payment)
  expect(await settling).toMatchObject({
    kind: 'responded',
    body: { success: true, transaction: second },
  })
})

it('a payment whose nonce another program used is signed once when two processes sweep at the same time', async () => {
  const payment = await settleWithUsedNonce(open())
  const reported = await Promise.all([open(), open(), open()].map((upstream) => upstream.sweep()))
  expect(reported.map(({ signedAgain }) => signedAgain).toSorted()).toEqual([0, 0, 1])
  expect(await open().listSignedTransactions(payment)).toHaveLength(2)
})

it('a payment whose nonce another program used is signed with another key when the key was removed from the configuration', async () => {
  const payment = await settleWithUsedNonce(open())
  const upstream = open({ signers: signers.slice(1) })
  expect(await upstream.sweep()).toMatchObject({ signedAgain: 1 })
  await waitUntilMined(db, devChain)
  await upstream.sweep()
  expect(await reader.inspect(payment)).toMatchObject({ kind: 'settled' })
  expect((await listTransactions())[1]).toMatchObject({ signer: address(1), nonce: 0, state: 'mined' })
})

it('a payment whose nonce another program used is broadcast by another process when its process died after it had signed it again', async () => {
  const payment = await settleWithUsedNonce(open())
  node.interfere = (method) => (method === 'eth_sendRawTransaction' ? 'hang up' : undefined)
  expect(await open().sweep()).toMatchObject({ signedAgain: 1 })
  node.interfere = () => undefined
  expect(await open({ replaceAfter: 30 }).sweep()).toMatchObject({ signedAgain: 0, broadcast: 1 })
  await waitUntilMined(db, devChain)
  const [, second] = await open().listSignedTransactions(payment)
  expect(await reader.inspect(payment)).toMatchObject({ kind: 'settled', transaction: second })
})

it('a payment whose nonce another program used waits for `replaceAfter`, because its own receipt may be late', async () => {
  await settleWithUsedNonce(open())
  expect(await open({ replaceAfter: 30 }).sweep()).toMatchObject({ signedAgain: 0 })
})

it('a payment whose nonce another program used waits while no signer can pay, and is not given up', async () => {
  const payment = await settleWithUsedNonce(open())
  await devChain.client.setBalance({ address: address(0), value: 0n })
  await devChain.client.mine({ blocks: 4 })
  expect(await open().sweep()).toMatchObject({ signedAgain: 0 })
  await devChain.client.setBalance({ address: address(0), value: parseEther('1') })
  expect(await open().sweep()).toMatchObject({ signedAgain: 1 })
  await waitUntilMined(db, devChain)
  expect(await reader.inspect(payment)).toMatchObject({ kind: 'settled' })
})

it('a payment whose nonce another program used is not signed again after somebody else submitted it', async () => {
  const upstream = open()
  const payment = await settleWithUsedNonce(upstream)
  await submit(payment)
  await devChain.client.mine({ blocks: 4 })
  expect(await upstream.sweep()).toMatchObject({ signedAgain: 0 })
  expect((await listTransactions())[1]).toMatchObject({ nonce: 1, state: 'superseded', attempts: 1 })
  expect(reports).toEqual([])
})

it('a payment whose nonce another program used is given up only when the transactions with all of its nonces are final', async () => {
  const payment = await settleWithUsedNonce(open())
  const upstream = open({ signers: signers.slice(1) })
  node.interfere = (method) => (method === 'eth_sendRawTransaction' ? 'hang up' : undefined)
  expect(await upstream.sweep()).toMatchObject({ signedAgain: 1 })
  node.interfere = () => undefined
  await useNonce(1)
  await submit(payment)
  await devChain.client.mine({ blocks: 4 })
  const setFirstNonce = (nonce: number) =>
    sql`update facilitator.transaction_attempts set nonce = ${nonce}
        where hash = (select hash from facilitator.transaction_attempts where signer = ${address(0)}
          order by created_at desc limit 1)`.execute(db)
  await setFirstNonce(2)
  await upstream.sweep()
  expect((await listTransactions())[1]).toMatchObject({ state: 'sent', attempts: 2 })
  expect(await upstream.isSuperseded(payment)).toBe(false)
  await setFirstNonce(1)
  await upstream.sweep()
  expect((await listTransactions())[1]).toMatchObject({ state: 'superseded', attempts: 2 })
  expect(await upstream.isSuperseded(payment)).toBe(true)
})

it('a payment whose nonce another program used is not signed again after its settlement ended as failed', async () => {
  const upstream = open()
  const payment = await settleWithUsedNonce(upstream)
  const { settlementId } = await reserve(payment)
  await sql`update facilitator.settlements set state = 'failed', hold = 'released', lease_until = null, ended_at = now()
      where id = ${settlementId}::bigint`.execute(db)
  expect(await upstream.sweep()).toMatchObject({ signedAgain: 0 })
  expect(await reader.inspect(payment)).toMatchObject({ kind: 'open', unused: true })
})

it('a payment whose nonce another program used is made once when a reorganization brings the first transaction back, and the new nonce blocks nothing', async () => {
  const upstream = open()
  await settle(await signed(), upstream)
  const snapshot = await devChain.client.snapshot()
  await useNonce()
  const payment = await signed()
  await settle(payment, upstream, 300)
  const before = await balanceOf(payer.address)
  node.interfere = (method) => (method === 'eth_sendRawTransaction' ? 'hang up' : undefined)
  expect(await upstream.sweep()).toMatchObject({ signedAgain: 1 })
  node.interfere = () => undefined
  const { rows } = await sql<{ raw: Hex }>`
      select raw from facilitator.transaction_attempts where nonce = 1`.execute(db)
  await devChain.client.revert({ id: snapshot })
  const [first] = rows
  if (first === undefined) throw new Error('The first transaction is not stored')
  await devChain.client.sendRawTransaction({ serializedTransaction: first.raw })
  await devChain.client.mine({ blocks: 1 })
  await upstream.sweep()
  await upstream.sweep()
  expect(await listTransactions()).toMatchObject([
    { nonce: 0 },
    { nonce: 1, state: 'mined', attempts: 2 },
    { nonce: 2, purpose: 'fill' },
  ])
  expect(before - (await balanceOf(payer.address))).toBe(payment.amount)
  expect(await settle(await signed(), upstream)).toMatchObject({ body: { success: true } })
})

describe('a payment that was mined while its settle could not read the receipt', () => {
  /** Mines a payment whose receipt no node returns, and makes its block final. */
  async function settleWithoutReceipt(): Promise<void> {
    await devChain.client.mine({ blocks: 1 })
    node.interfere = (method) => (method === 'eth_getTransactionReceipt' ? { result: null } : undefined)
    expect(await settle(await signed(), open(), 500)).toMatchObject({ kind: 'lost', why: 'timeout' })
    node.interfere = () => undefined
    await devChain.client.mine({ blocks: 4 })
  }
  /** The node has reached the block before that of the payment. */
  const lagging: Fault = { kind: 'lag', blocks: 5 }

  it('a payment that was mined while its settle could not read the receipt does not count as replaced by another transaction when a node without its block reports no receipt', async () => {
    await settleWithoutReceipt()
    const readReceipt = 'eth_getBlockByNumber eth_getTransactionReceipt'
    node.faults = { next: (methods) => (methods === readReceipt ? lagging : undefined) }
    await open().sweep()
    expect(await listTransactions()).toMatchObject([{ nonce: 0, state: 'sent', attempts: 1 }])
    node.faults = undefined
    expect(await open().sweep()).toMatchObject({ final: 1 })
  })

  it('a payment that was mined while its settle could not read the receipt does not count as replaced while the node that reports no receipt lacks the final block', async () => {
    await settleWithoutReceipt()
    node.faults = {
      next: (methods) => (methods.includes('eth_getTransactionReceipt') ? lagging : undefined),
    }
    await open().sweep()
    expect(await listTransactions()).toMatchObject([{ nonce: 0, state: 'sent', attempts: 1 }])
  })

  it('a payment that was mined while its settle could not read the receipt is not signed again by nodes without its block', async () => {
    await settleWithoutReceipt()
    node.faults = { next: (methods) => (methods === 'eth_getTransactionCount' ? undefined : lagging) }
    expect(await open().sweep()).toMatchObject({ signedAgain: 0 })
    expect(await listTransactions()).toMatchObject([{ nonce: 0, state: 'sent', attempts: 1 }])
  })
})

it('a nonce that was allocated for a payment which is mined with its first nonce is used by the filling of the first nonce, when the second transaction was dropped by all nodes', async () => {
  const upstream = open()
  await settle(await signed(), upstream)
  const snapshot = await devChain.client.snapshot()
  const payment = await settleAfterUsedNonce(upstream)
  expect(await upstream.sweep()).toMatchObject({ signedAgain: 1 })
  await waitUntilMined(db, devChain)
  await upstream.sweep()
  const { rows } = await sql<{ raw: Hex }>`
      select raw from facilitator.transaction_attempts where nonce = 1`.execute(db)
  const [first] = rows
  if (first === undefined) throw new Error('The first transaction is not stored')

  // The chain loses both transactions, so that the first nonce is a gap. The filling of the gap never
  // reaches a node.
  await devChain.client.revert({ id: snapshot })
  await devChain.client.mine({ blocks: 3 })
  node.interfere = (method) => (method === 'eth_sendRawTransaction' ? 'hang up' : undefined)
  expect(await upstream.sweep()).toMatchObject({ filled: 1 })
  await devChain.client.sendRawTransaction({ serializedTransaction: first.raw })
  await devChain.client.mine({ blocks: 4 })
  await upstream.sweep()
  node.interfere = () => undefined

  await upstream.sweep()
  expect(await settle(await signed(), open())).toMatchObject({ body: { success: true } })
  await upstream.sweep()
  expect(await reader.inspect(payment)).toMatchObject({ kind: 'settled' })
  const transactions = await listTransactions()
  expect(transactions.map(({ nonce, purpose }) => `${purpose} ${nonce}`).toSorted()).toEqual([
    'fill 2',
    'settle 0',
    'settle 1',
    'settle 3',
  ])
})

describe('after a fee spike', () => {
  const spike = 100n * 10n ** 9n

  /** Waits until the node's pool has `count` transactions. */
  async function pooled(count: number): Promise<void> {
    while ((await devChain.client.getTxpoolStatus()).pending < count)
      await new Promise((resolve) => setTimeout(resolve, 10))
  }
  async function settleUnderpriced(upstream: BuiltIn, count: number) {
    await devChain.client.setAutomine(false)
    const payments = await Promise.all(Array.from({ length: count }, signed))
    const settling = payments.map((payment) => settle(payment, upstream))
    await pooled(count)
    await devChain.client.setNextBlockBaseFeePerGas({ baseFeePerGas: spike })
    await devChain.client.mine({ blocks: 1 })
    expireQuotes()
    return settling
  }

  it('replaces all transactions of a signer in one pass', async () => {
    const upstream = open()
    const settling = await settleUnderpriced(upstream, 8)
    expect(await upstream.sweep()).toMatchObject({ replaced: 8 })
    await devChain.client.mine({ blocks: 1 })
    for (const response of await Promise.all(settling))
      expect(response).toMatchObject({ kind: 'responded', body: { success: true } })
  })

  it('replaces only the lowest nonce while the fees of the others suffice', async () => {
    const upstream = open()
    await devChain.client.setAutomine(false)
    const payments = await Promise.all(Array.from({ length: 3 }, signed))
    const settling = payments.map((payment) => settle(payment, upstream))
    await pooled(3)
    expect(await upstream.sweep()).toMatchObject({ replaced: 1, broadcast: 2 })
    await devChain.client.mine({ blocks: 1 })
    await Promise.all(settling)
  })

  it('signs new settlements with another signer until the transactions are mined', async () => {
    const upstream = open({ signers })
    const settling = await settleUnderpriced(upstream, 1)
    const [delayed] = await listTransactions()
    await upstream.sweep()
    const others = [settle(await signed(), upstream), settle(await signed(), upstream)]
    while ((await listTransactions()).length < 3) await new Promise((resolve) => setTimeout(resolve, 10))
    const [, ...later] = await listTransactions()
    for (const { signer } of later) expect(signer).not.toBe(delayed?.signer)
    await devChain.client.mine({ blocks: 1 })
    await Promise.all([...settling, ...others])
    await upstream.sweep()
    // Both signers are idle, so that the first one is preferred again.
    const last = settle(await signed(), upstream)
    await pooled(1)
    await devChain.client.mine({ blocks: 1 })
    await last
    expect((await listTransactions())[3]).toMatchObject({ signer: delayed?.signer })
  })
})

it('MAX_FEE_PER_GAS leaves a payment unsent while the base fee is above it, and says so', async () => {
  const upstream = open({ maxFeePerGas: (chainId) => (chainId === 84532 ? 7n : undefined) })
  expect(await settle(await signed(), upstream)).toMatchObject({
    kind: 'not_sent',
    reason: 'unexpected_settle_error',
    message: expect.stringMatching(/is above MAX_FEE_PER_GAS, 7\. Nothing was sent$/),
  })
  expect(await listTransactions()).toEqual([])
})

it('MAX_FEE_PER_GAS does not stop what was signed before: it is still broadcast', async () => {
  const payment = await signed()
  node.interfere = (method) => (method === 'eth_sendRawTransaction' ? 'hang up' : undefined)
  await settle(payment, open(), 300)
  node.interfere = () => undefined
  expect(await open({ maxFeePerGas: () => 7n }).sweep()).toMatchObject({ broadcast: 1, replaced: 0 })
  await waitUntilMined(db, devChain)
  expect(await reader.inspect(payment)).toMatchObject({ kind: 'settled' })
})

describe('the cost of a transaction on a chain of the OP stack', () => {
  /** Makes the node respond as if the chain had the contract that computes the parent chain's fee. */
  function setParentFee(fee: bigint): void {
    const result = encodeFunctionResult({ abi: gasPriceOracleAbi, functionName: 'getL1Fee', result: fee })
    node.interfere = (method, params) =>
      method === 'eth_call' && JSON.stringify(params).includes(GAS_PRICE_ORACLE) ? { result } : undefined
  }

  it('includes the fee of the parent chain', async () => {
    setParentFee(parseEther('2'))
    expect(await settle(await signed(), open())).toMatchObject({
      kind: 'not_sent',
      message: 'No signer can pay for the gas. Nothing was sent',
    })
    setParentFee(parseEther('0.5'))
    expect(await settle(await signed(), open())).toMatchObject({ kind: 'responded', body: { success: true } })
  })

  it('the cost of a transaction on a chain of the OP stack is read once on a chain without that contract', async () => {
    let reads = 0
    node.interfere = (method, params) => {
      if (method === 'eth_call' && JSON.stringify(params).includes(GAS_PRICE_ORACLE)) reads += 1
      return undefined
    }
    const upstream = open()
    await settle(await signed(), upstream)
    expireQuotes()
    await settle(await signed(), upstream)
    expect(reads).toBe(1)
  })
})
