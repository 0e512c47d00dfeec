import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi, smartWalletAbi } from '@mintmark/devkit/chain/artifacts/abi'
import smartWallet from '@mintmark/devkit/chain/artifacts/SmartWallet.json' with { type: 'json' }
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { openChains } from '@mintmark/evm-reader'
import { sql } from 'kysely'
import { encodeErrorResult, type Hex, parseAbi } from 'viem'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hex, type Signed, seller, serving, signedBody, signedPermit2Body } from '../../../engine/testing.ts'
import type { Payment } from '../../../payment/payment.ts'
import { decodePayment } from '../../../schemes/decode.ts'
import { type BuiltInOptions, createBuiltInUpstream } from '../../../schemes/evm/built-in-upstream.ts'
import { createBrittleDatabase } from '../../../testing-database.ts'
import { createChainReader } from '../reads/reader.ts'
import { DEFAULT_GAS_CAPS } from '../settings/gas-caps.ts'
import {
  createFundedSigners,
  randomKey,
  removeTransactions,
  transactionDatabase,
  waitUntilMined,
  waitUntilRecorded,
} from '../testing.ts'
import { parseSignerKeys, type SettlementSigner } from '../transactions/signers.ts'
import { addReplacement, findByPayment } from '../transactions/transaction-store.ts'

const devChain = await testChain()
const node = await startFaultyNode(devChain.rpcUrl)
const { db, reserve, drop } = await transactionDatabase()
const payer = devAccount(1)
const relayer = devChain.as(9)
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
})
afterEach(async () => {
  node.interfere = () => undefined
  await devChain.client.setAutomine(true)
  await devChain.client.mine({ blocks: 1 })
})

/** As a process of its own would have it: clients and caches of its own on the shared database. */
const open = (options: Partial<BuiltInOptions> = {}) =>
  createBuiltInUpstream({
    db,
    chains: openChains([{ id: 84532, rpcUrls: [node.url], finality: { depth: 3 } }]),
    signers,
    report: (error) => reports.push(error),
    ...options,
  })
const reader = createChainReader({
  chains: openChains([{ id: 84532, rpcUrls: [devChain.rpcUrl], finality: { depth: 3 } }]),
})

async function signed(terms: Partial<Signed> = {}): Promise<Payment> {
  const decoded = decodePayment(await signedBody({ account: payer, ...terms }), serving('eip155:84532'))
  if (!decoded.ok) throw new Error(decoded.message)
  return decoded.payment
}
/** The default time is longer than 50 settles take on a busy machine. */
const settle = async (payment: Payment, upstream = open(), milliseconds = 170_000) => {
  const call = await reserve(payment)
  const signal = AbortSignal.timeout(milliseconds)
  return waitUntilRecorded(db, await upstream.settle(payment, { ...call, signal }))
}
const balanceOf = (address: string) =>
  devChain.client.readContract({ ...token, functionName: 'balanceOf', args: [hex(address)] })

interface StoredRow {
  nonce: number
  purpose: string
  state: string
  succeeded: boolean | null
  attempts: number
}
async function transactionsOf(signer: string): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`
    select nonce, purpose, state, succeeded,
      (select count(*) from facilitator.transaction_attempts a where a.transaction_id = t.id) as attempts
    from facilitator.transactions t where signer = ${signer} order by nonce`.execute(db)
  return rows
}
const allTransactions = async () =>
  (await Promise.all(signers.map((one) => transactionsOf(one.address)))).flat()

it('the built-in upstream responds with the transaction that an interrupted call signed, even if nothing could be sent now', async () => {
  const payment = await signed()
  const first = await settle(payment)
  const withoutGas = open({ signers: parseSignerKeys(randomKey()) })
  expect(await settle(payment, withoutGas)).toEqual(first)
  expect(await settle(await signed(), withoutGas)).toMatchObject({ kind: 'not_sent' })
  expect(await allTransactions()).toHaveLength(1)
})

it.each([
  ['another call has stored one', /insert into facilitator.transactions/, { kind: 'lost', why: 'timeout' }],
  ['the database cannot be reached', /./, { kind: 'lost', why: 'reset' }],
])(
  'the built-in upstream does not respond that nothing was sent if its transaction cannot be stored: %s',
  async (_, fails, response) => {
    const database = createBrittleDatabase(db)
    const payment = await signed()
    await devChain.client.setAutomine(false)
    const first = settle(payment)
    await vi.waitFor(async () => expect(await allTransactions()).toHaveLength(1), 170_000)
    database.fails = fails
    // As of the newest block. Anvil also counts the transaction in its pool.
    node.interfere = (method) => (method === 'eth_estimateGas' ? { result: '0x186a0' } : undefined)
    expect(await settle(payment, open({ db: database.db }), 700)).toMatchObject(response)
    await devChain.client.mine({ blocks: 1 })
    expect(await first).toMatchObject({ kind: 'responded', body: { success: true } })
  },
)

it('the built-in upstream responds that nothing was sent if its transaction cannot be stored, and none was', async () => {
  const database = createBrittleDatabase(db)
  database.fails = /insert into facilitator.transactions/
  expect(await settle(await signed(), open({ db: database.db }))).toMatchObject({ kind: 'not_sent' })
})

it('the built-in upstream executes the transfer and names its transaction', async () => {
  const before = await balanceOf(seller)
  const payment = await signed({ value: 1234n })
  const response = await settle(payment)
  if (response.kind !== 'responded') throw new Error(`no response: ${JSON.stringify(response)}`)
  const { number, hash } = await devChain.client.getBlock()
  expect(response).toEqual({
    kind: 'responded',
    httpStatus: 200,
    body: {
      success: true,
      payer: payment.payer,
      network: 'eip155:84532',
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    },
    block: { number, hash },
  })
  expect((await balanceOf(seller)) - before).toBe(1234n)
  const verdict = await reader.inspect(payment, { transaction: response.body.transaction })
  expect(verdict).toMatchObject({ kind: 'settled', transaction: response.body.transaction })
  expect(await allTransactions()).toMatchObject([
    { nonce: 0, purpose: 'settle', state: 'mined', succeeded: true },
  ])
})

it('the built-in upstream settles 50 distinct payments concurrently in two processes, with consecutive nonces', async () => {
  const processes = [open(), open()]
  const payments = await Promise.all(Array.from({ length: 50 }, () => signed()))
  const responses = await Promise.all(payments.map((one, index) => settle(one, processes[index % 2])))
  expect(responses.map((response) => response.kind === 'responded' && response.body.success)).toEqual(
    payments.map(() => true),
  )
  const perSigner = await Promise.all(signers.map((one) => transactionsOf(one.address)))
  expect(perSigner.map((rows) => rows.length).reduce((a, b) => a + b)).toBe(50)
  for (const rows of perSigner) {
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.map((row) => row.nonce)).toEqual(rows.map((_, index) => index))
  }
  expect(reports).toEqual([])
})

it('the built-in upstream creates one transaction for concurrent settles of one payment', async () => {
  const processes = [open(), open()]
  const payment = await signed()
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) => settle(payment, processes[index % 2])),
  )
  const hashes = responses.map((response) =>
    response.kind === 'responded' ? response.body.transaction : response.message,
  )
  expect(new Set(hashes).size).toBe(1)
  expect(await allTransactions()).toHaveLength(1)
})

it('the built-in upstream settles for a contract wallet', async () => {
  const hash = await relayer.deployContract({
    abi: smartWalletAbi,
    bytecode: smartWallet.bytecode as Hex,
    args: [payer.address],
  })
  const { contractAddress } = await devChain.client.waitForTransactionReceipt({ hash })
  const args = [contractAddress ?? '0x', 50_000n] as const
  await devChain.confirm(relayer.writeContract({ ...token, functionName: 'mint', args }))
  expect(await settle(await signed({ from: contractAddress ?? '0x' }))).toMatchObject({ kind: 'responded' })
})

it('the built-in upstream takes a signature whose v is 0 or 1', async () => {
  const payment = await signed()
  const v = payment.signature.endsWith('1b') ? '00' : '01'
  const response = await settle({ ...payment, signature: `${payment.signature.slice(0, 130)}${v}` })
  expect(response).toMatchObject({ kind: 'responded', body: { success: true } })
})

describe('a refusal that comes before anything is signed', () => {
  afterEach(async () => expect(await allTransactions()).toEqual([]))

  it('says that the payer cannot pay', async () => {
    expect(await settle(await signed({ value: 10n ** 30n }))).toMatchObject({
      kind: 'refused',
      reason: 'insufficient_funds',
    })
  })

  it('says that the authorization is over, or not begun', async () => {
    const { timestamp } = await devChain.client.getBlock()
    expect(await settle(await signed({ validBefore: timestamp - 1n }))).toMatchObject({
      kind: 'refused',
      reason: 'invalid_exact_evm_payload_authorization_valid_before',
    })
    expect(
      await settle(await signed({ validAfter: timestamp + 9000n, validBefore: timestamp + 9999n })),
    ).toMatchObject({
      kind: 'not_sent',
      reason: 'invalid_exact_evm_payload_authorization_valid_after',
    })
  })

  it('says that the signature is not the payer’s', async () => {
    const payment = await signed({ account: devAccount(2), from: payer.address })
    expect(await settle(payment)).toMatchObject({
      kind: 'refused',
      reason: 'invalid_exact_evm_payload_signature',
    })
  })

  it('repeats the reason of a payer’s contract without characters that PostgreSQL cannot store', async () => {
    const wallet = '0x00000000000000000000000000000000000a1271'
    const reason = encodeErrorResult({ abi: parseAbi(['error Error(string reason)']), args: ['a\0b'] })
    // Copies the reason, of 100 bytes, from behind the code to the memory, and reverts with it.
    await devChain.client.setCode({
      address: wallet,
      bytecode: `0x6064600c60003960646000fd${reason.slice(2)}`,
    })
    const { timestamp } = await devChain.client.getBlock()
    const terms = { to: seller, value: 10_000n, nonce: hex(randomKey()), validBefore: timestamp + 600n }
    const body = await signedPermit2Body({ account: payer, from: wallet, ...terms })
    const decoded = decodePayment(body, serving('eip155:84532'))
    if (!decoded.ok) throw new Error(decoded.message)
    expect(await settle(decoded.payment)).toMatchObject({ kind: 'refused', message: 'a b' })
  })

  it('keeps to the gas cap', async () => {
    const gasCaps = { ...DEFAULT_GAS_CAPS, key: 40_000n }
    expect(await settle(await signed(), open({ gasCaps }))).toMatchObject({
      kind: 'refused',
      reason: 'invalid_exact_evm_transaction_simulation_failed',
    })
  })

  it('says that no signer can pay for gas', async () => {
    signers = parseSignerKeys(randomKey())
    expect(await settle(await signed())).toMatchObject({
      kind: 'not_sent',
      reason: 'unexpected_settle_error',
    })
  })

  it('passes over a signer without funds', async () => {
    const [poor] = parseSignerKeys(randomKey())
    const [rich] = signers
    if (!poor || !rich) throw new Error('two signers were made')
    signers = [poor]
    const response = await settle(await signed(), open({ signers: [poor, rich] }))
    expect(response).toMatchObject({ kind: 'responded', body: { success: true } })
  })

  it('reports that the chain cannot be read', async () => {
    node.interfere = () => 'hang up'
    expect(await settle(await signed())).toMatchObject({
      kind: 'not_sent',
      reason: 'unexpected_settle_error',
    })
    expect(JSON.stringify(reports.map(String))).not.toContain(node.url)
  })

  it('a refusal that comes before anything is signed does not refuse a payment whose nonce is used, because another party may have submitted it', async () => {
    const payment = await signed()
    await submit(payment)
    expect(await settle(payment)).toMatchObject({ kind: 'lost' })
    expect(await reader.inspect(payment)).toMatchObject({ kind: 'settled' })
  })
})

/** Somebody else's transaction that executes the payment. */
const submit = (
  { payer: from, payTo, amount, validAfter, validBefore, nonce, signature }: Payment,
  tip?: bigint,
) =>
  relayer.writeContract({
    ...token,
    functionName: 'transferWithAuthorization',
    args: [hex(from), hex(payTo), amount, validAfter, validBefore, hex(nonce), hex(signature)],
    ...(tip && { maxPriorityFeePerGas: tip, maxFeePerGas: tip * 3n, gas: 200_000n }),
  })

/** Waits until the node's pool has `count` transactions. */
async function pooled(count: number): Promise<void> {
  while ((await devChain.client.getTxpoolStatus()).pending < count) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

describe('a transaction that reverts', () => {
  beforeEach(() => devChain.client.setAutomine(false))

  it('returns a failure with its transaction when the payer’s funds are gone before it is mined', async () => {
    const poor = devAccount(3)
    const everything = await balanceOf(poor.address)
    const pending = settle(await signed({ account: poor, value: everything }))
    await pooled(1)
    const elsewhere = { ...token, functionName: 'transfer', args: [relayer.account.address, 1n] } as const
    await devChain.as(3).writeContract({
      ...elsewhere,
      gas: 100_000n,
      maxPriorityFeePerGas: 10n ** 11n,
      maxFeePerGas: 10n ** 12n,
    })
    await pooled(2)
    await devChain.client.mine({ blocks: 1 })
    expect(await pending).toMatchObject({
      kind: 'responded',
      body: {
        success: false,
        errorReason: 'invalid_exact_evm_transaction_failed',
        transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      },
    })
    expect(await allTransactions()).toMatchObject([{ state: 'mined', succeeded: false }])
  })

  it('a transaction that reverts is left to reconciliation when somebody else submitted the same payment first', async () => {
    const payment = await signed()
    const pending = settle(payment)
    await pooled(1)
    const hash = await submit(payment, 10n ** 11n)
    await pooled(2)
    await devChain.client.mine({ blocks: 1 })
    expect(await pending).toMatchObject({ kind: 'responded', body: { success: false } })
    expect(await reader.inspect(payment)).toMatchObject({ kind: 'settled', transaction: hash })
  })
})

describe('tending', () => {
  it('broadcasts what was written and never sent', async () => {
    node.interfere = (method) => (method === 'eth_sendRawTransaction' ? 'hang up' : undefined)
    const payment = await signed()
    expect(await settle(payment, open(), 500)).toMatchObject({ kind: 'lost', why: 'timeout' })
    expect(await reader.inspect(payment)).toEqual({ kind: 'open', unused: true })
    node.interfere = () => undefined
    // Another process, which knows of it by the database alone.
    expect(await open().sweep()).toMatchObject({ broadcast: 1 })
    await waitUntilMined(db, devChain)
    const [hash] = await open().listSignedTransactions(payment)
    expect(await reader.inspect(payment, { transaction: hash ?? '' })).toMatchObject({ kind: 'settled' })
    expect(await settle(payment)).toMatchObject({
      kind: 'responded',
      body: { success: true, transaction: hash },
    })
    expect(await allTransactions()).toHaveLength(1)
  })

  it('replaces a stuck transaction, keeps every hash, and responds with the hash that was mined', async () => {
    await devChain.client.setAutomine(false)
    const payment = await signed()
    const upstream = open({ replaceAfter: 0 })
    const pending = settle(payment, upstream)
    await pooled(1)
    const [first] = await upstream.listSignedTransactions(payment)
    expect(await upstream.sweep()).toMatchObject({ replaced: 1, broadcast: 0 })
    const hashes = await upstream.listSignedTransactions(payment)
    expect(hashes).toEqual([first, expect.not.stringContaining(first ?? '')])
    await devChain.client.mine({ blocks: 1 })
    expect(await pending).toMatchObject({
      kind: 'responded',
      body: { success: true, transaction: hashes[1] },
    })
  })

  it('replaces it once when two processes see it at the same time', async () => {
    await devChain.client.setAutomine(false)
    const payment = await signed()
    const pending = settle(payment, open(), 1_000)
    await pooled(1)
    const stuck = await findByPayment(db, 84532, payment)
    const replacement = (digit: string) => ({
      hash: `0x${digit.repeat(64)}`,
      raw: '0x',
      maxFeePerGas: 1n,
      maxPriorityFeePerGas: 1n,
    })
    if (!stuck) throw new Error('it was signed')
    const added = await Promise.all(
      ['a', 'b', 'c'].map((digit) => addReplacement(db, stuck, replacement(digit))),
    )
    expect(added.filter(Boolean)).toHaveLength(1)
    expect(await open().listSignedTransactions(payment)).toHaveLength(2)
    await pending
  })

  it('offers no more than the fee cap', async () => {
    await devChain.client.setAutomine(false)
    const { baseFeePerGas } = await devChain.client.getBlock()
    const cap = (baseFeePerGas ?? 0n) + 1_000n
    const upstream = open({ replaceAfter: 0, maxFeePerGas: () => cap })
    const pending = settle(await signed(), upstream, 600)
    await pooled(1)
    expect(await upstream.sweep()).toMatchObject({ replaced: 0 })
    expect(await pending).toMatchObject({ kind: 'lost' })
  })

  it('fills a gap between nonces, so that later transactions are mined', async () => {
    signers = signers.slice(0, 1)
    const address = signers[0]?.address ?? ''
    await settle(await signed())
    await sql`update facilitator.signer_nonces set next_nonce = next_nonce + 2 where signer = ${address}`.execute(
      db,
    )
    const payment = await signed()
    const pending = settle(payment)
    while ((await transactionsOf(address)).length < 2) await new Promise((resolve) => setTimeout(resolve, 10))
    expect(await open().sweep()).toMatchObject({ filled: 2 })
    expect(await pending).toMatchObject({ kind: 'responded', body: { success: true } })
    await open().sweep()
    expect(await transactionsOf(address)).toMatchObject(
      ['settle', 'fill', 'fill', 'settle'].map((purpose, nonce) => ({ nonce, purpose, succeeded: true })),
    )
  })

  it('starts at the chain’s nonce when the database knows less', async () => {
    signers = signers.slice(0, 1)
    const address = hex(signers[0]?.address ?? '')
    await devChain.client.impersonateAccount({ address })
    await devChain.confirm(
      devChain.client.sendTransaction({ account: address, to: address, value: 0n, chain: null }),
    )
    expect(await settle(await signed())).toMatchObject({ kind: 'responded', body: { success: true } })
    expect(await transactionsOf(address)).toMatchObject([{ nonce: 1 }])
  })

  it('records a final transaction and does not read it again', async () => {
    const upstream = open()
    await settle(await signed(), upstream)
    expect(await upstream.sweep()).toMatchObject({ final: 0 })
    await devChain.client.mine({ blocks: 4 })
    expect(await upstream.sweep()).toMatchObject({ final: 1 })
    expect(await upstream.sweep()).toMatchObject({ final: 0, mined: 0, broadcast: 0 })
  })

  it('broadcasts a settlement again on request after a reorganization of final blocks', async () => {
    const snapshot = await devChain.client.snapshot()
    const payment = await signed()
    const upstream = open()
    await settle(payment, upstream)
    await devChain.client.mine({ blocks: 4 })
    expect(await upstream.sweep()).toMatchObject({ final: 1 })
    await devChain.client.revert({ id: snapshot })
    await devChain.client.mine({ blocks: 6 })
    await upstream.rebroadcast((await reserve(payment)).settlementId)
    await waitUntilMined(db, devChain)
    expect(await reader.inspect(payment)).toMatchObject({ kind: 'settled' })
    expect(await upstream.sweep()).toMatchObject({ mined: 1 })
  })

  it('broadcasts again a transaction that a reorganization removed', async () => {
    const snapshot = await devChain.client.snapshot()
    const payment = await signed()
    const upstream = open()
    const response = await settle(payment, upstream)
    expect(response).toMatchObject({ kind: 'responded' })
    await devChain.client.revert({ id: snapshot })
    await devChain.client.mine({ blocks: 3 })
    expect(await reader.inspect(payment)).toEqual({ kind: 'open', unused: true })
    await devChain.client.setAutomine(false)
    expect(await upstream.sweep()).toMatchObject({ broadcast: 1 })
    expect(await allTransactions()).toMatchObject([{ state: 'sent', succeeded: null }])
    await devChain.client.mine({ blocks: 1 })
    expect(await reader.inspect(payment)).toMatchObject({
      kind: 'settled',
      transaction: response.kind === 'responded' ? response.body.transaction : '',
    })
  })
})

describe('FACILITATOR_SIGNER_KEYS', () => {
  const key = randomKey()
  it.each([[`${key},${key}`], ['0x12'], [`0x${'0'.repeat(64)}`], [`0x${'f'.repeat(64)}`], [`${key}00`]])(
    'refuses wrong keys without repeating them',
    (setting) => {
      let message = ''
      try {
        parseSignerKeys(setting)
      } catch (error) {
        message = String(error)
      }
      expect(message).toMatch(/FACILITATOR_SIGNER_KEYS/)
      expect(message).not.toContain(key.slice(2))
    },
  )
})
