// Keys in a key service that is slow, down or wrong.

import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { openChains } from '@mintmark/evm-reader'
import { sql } from 'kysely'
import { type Hex, parseEther, parseTransaction, serializeTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hex, serving, signedBody } from '../../../engine/testing.ts'
import type { Payment } from '../../../payment/payment.ts'
import { decodePayment } from '../../../schemes/decode.ts'
import { createBuiltInUpstream } from '../../../schemes/evm/built-in-upstream.ts'
import { createChainReader } from '../reads/reader.ts'
import {
  randomKey,
  removeTransactions,
  transactionDatabase,
  waitUntilMined,
  waitUntilRecorded,
} from '../testing.ts'
import { createRemoteSigners, listRemoteAddresses } from './remote-signer.ts'
import { parseSignerKeys, type SettlementSigner } from './signers.ts'
import { type SigningRequest, startKeyService, toResponse, toTransaction } from './testing-key-service.ts'

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const key = randomKey()
const otherKey = randomKey()
const address = privateKeyToAccount(hex(key)).address.toLowerCase()
const service = await startKeyService([key])
const devChain = await testChain()
const node = await startFaultyNode(devChain.rpcUrl)
const { db, reserve, drop } = await transactionDatabase()
const chains = () => openChains([{ id: 84532, rpcUrls: [node.url], finality: { depth: 3 } }])
const reader = createChainReader({ chains: chains() })
const signing = service.respond

let reports: unknown[]

beforeEach(async () => {
  reports = []
  await devChain.client.setBalance({ address: hex(address), value: parseEther('1') })
  await removeTransactions(db)
})
afterEach(async () => {
  service.respond = signing
  node.interfere = () => undefined
})
afterAll(async () => {
  service.close()
  node.close()
  await drop()
})

const remoteSigners = (timeoutMilliseconds = 5_000) =>
  createRemoteSigners({ ...service.options, timeoutMilliseconds, addresses: [address] })
const open = (signers: SettlementSigner[], replaceAfter = 30) =>
  createBuiltInUpstream({
    db,
    chains: chains(),
    signers,
    replaceAfter,
    report: (error) => reports.push(error),
  })

async function signPayment(): Promise<Payment> {
  const decoded = decodePayment(await signedBody({ account: devAccount(1) }), serving('eip155:84532'))
  if (!decoded.ok) throw new Error(decoded.message)
  return decoded.payment
}
async function settle(
  payment: Payment,
  signers: SettlementSigner[],
  signal: AbortSignal = AbortSignal.timeout(20_000),
) {
  const call = await reserve(payment)
  return waitUntilRecorded(db, await open(signers).settle(payment, { ...call, signal }))
}
async function listNonces(): Promise<{ signer: string; nonce: number }[]> {
  const { rows } = await sql<{ signer: string; nonce: number }>`
    select signer, nonce from facilitator.transactions order by id`.execute(db)
  return rows
}

it('a signer whose key is in a key service settles with exactly the transaction that it sent to be signed', async () => {
  const payment = await signPayment()
  expect(await settle(payment, remoteSigners())).toMatchObject({ body: { success: true } })
  const [sent] = service.requests.slice(-1)
  const { rows } = await sql<{ raw: `0x02${string}` }>`
      select raw from facilitator.transaction_attempts`.execute(db)
  const { r, s, yParity, v, ...stored } = parseTransaction(rows[0]?.raw ?? '0x02')
  expect({ value: 0n, ...stored }).toEqual(toTransaction(sent as SigningRequest))
  expect(await reader.inspect(payment)).toMatchObject({ kind: 'settled' })
})

it('a signer whose key is in a key service accepts a result with the signed bytes as `raw`', async () => {
  service.respond = async (request) => toResponse({ raw: await service.sign(request), tx: {} })
  expect(await settle(await signPayment(), remoteSigners())).toMatchObject({ body: { success: true } })
})

it('a signer whose key is in a key service names the addresses of the service', async () => {
  expect(await listRemoteAddresses(service.options)).toEqual([address])
})

it('a signer whose key is in a key service is refused without the certificate of the facilitator', async () => {
  const { ca } = service.options.tls ?? {}
  const options = { ...service.options, tls: { ...(ca !== undefined && { ca }) } }
  await expect(listRemoteAddresses(options)).rejects.toThrow(/did not respond to eth_accounts: E/)
})

it('a signer whose key is in a key service refuses a service with the certificate of somebody else', async () => {
  const { tls } = service.options
  const options = { ...service.options, tls: { ...tls, ca: tls?.certificate ?? '' } }
  await expect(listRemoteAddresses(options)).rejects.toThrow(/did not respond to eth_accounts: .*SELF_SIGNED/)
})

/** Signs a changed transaction with a key. */
const signChanged =
  (changes: object, by = key) =>
  async (request: SigningRequest) =>
    toResponse(await privateKeyToAccount(hex(by)).signTransaction({ ...toTransaction(request), ...changes }))

/** Replaces s by the counterpart that nodes refuse (EIP-2). */
async function signWithHighS(request: SigningRequest): Promise<string> {
  const { s, yParity, r } = parseTransaction((await service.sign(request)) as `0x02${string}`)
  const high: Hex = `0x${(CURVE_ORDER - BigInt(s ?? '0x0')).toString(16).padStart(64, '0')}`
  return toResponse(
    serializeTransaction(toTransaction(request), { r: r ?? '0x', s: high, yParity: yParity === 0 ? 1 : 0 }),
  )
}

const keepSilent = async () => undefined

const WRONG_RESPONSES: readonly [string, typeof service.respond, RegExp][] = [
  ['another recipient', signChanged({ to: devAccount(5).address }), /for another transaction/],
  ['another nonce', signChanged({ nonce: 77 }), /for another transaction/],
  ['another chain', signChanged({ chainId: 1 }), /for another transaction/],
  ['higher fees', signChanged({ maxFeePerGas: 10n ** 15n }), /for another transaction/],
  ['a value', signChanged({ value: 1n }), /for another transaction/],
  ['another key', signChanged({}, otherKey), /for another transaction, or not of/],
  ['a signature with a high s', signWithHighS, /for another transaction, or not of/],
  [
    'no signature',
    async (request) => toResponse(serializeTransaction(toTransaction(request))),
    /no signed transaction/,
  ],
  ['bytes of nothing', async () => toResponse('0x02c0ffee'), /no signed transaction/],
  ['null', async () => toResponse(null), /refused eth_signTransaction: no result/],
  [
    'an error',
    async () => JSON.stringify({ error: { code: -32000, message: 'locked' } }),
    /refused .*locked/,
  ],
  ['no JSON', async () => '<html>', /with no JSON/],
  ['an endless text', async () => 'x'.repeat(1 << 20), /is too long/],
  ['nothing in time', keepSilent, /no response in 200 ms/],
]

describe('a key service that returns', () => {
  it.each(WRONG_RESPONSES)(
    '%s signs nothing, and leaves no gap between nonces',
    async (_, respond, message) => {
      service.respond = respond
      const payment = await signPayment()
      const signers = respond === keepSilent ? remoteSigners(200) : remoteSigners()
      expect(await settle(payment, signers)).toMatchObject({
        kind: 'not_sent',
        message: 'The transaction could not be stored. Nothing was sent',
      })
      expect(reports).toEqual([expect.objectContaining({ message: expect.stringMatching(message) })])
      expect(await listNonces()).toEqual([])
      service.respond = signing
      expect(await settle(payment, remoteSigners())).toMatchObject({ body: { success: true } })
      const mined = await devChain.client.getTransactionCount({ address: hex(address) })
      expect(await listNonces()).toEqual([{ signer: address, nonce: mined - 1 }])
    },
  )
})

/**
 * Lets the node hang up when it receives a transaction. The returned signal is the timeout of the call that
 * sent it.
 */
function hangUpOnBroadcast(): AbortSignal {
  const timeout = new AbortController()
  node.interfere = (method) => {
    if (method !== 'eth_sendRawTransaction') return undefined
    timeout.abort(new DOMException('The upstream did not respond in time', 'TimeoutError'))
    return 'hang up'
  }
  return timeout.signal
}

describe('a key service that is down', () => {
  const down = async () => {
    const stopped = await startKeyService([key])
    stopped.close()
    return createRemoteSigners({ ...stopped.options, addresses: [address] })
  }

  it('leaves a payment unsent, which settles later', async () => {
    const payment = await signPayment()
    expect(await settle(payment, await down())).toMatchObject({ kind: 'not_sent' })
    expect(reports).toEqual([expect.objectContaining({ message: expect.stringContaining('ECONNREFUSED') })])
    expect(await settle(payment, remoteSigners())).toMatchObject({ body: { success: true } })
  })

  it('a key service that is down does not stop the broadcast of what was signed before, although it cannot be replaced', async () => {
    const payment = await signPayment()
    expect(await settle(payment, remoteSigners(), hangUpOnBroadcast())).toMatchObject({
      kind: 'lost',
      why: 'timeout',
    })
    node.interfere = () => undefined
    expect(await open(await down(), 0).sweep()).toMatchObject({ broadcast: 1, replaced: 0 })
    await waitUntilMined(db, devChain)
    expect(await reader.inspect(payment)).toMatchObject({ kind: 'settled' })
  })

  it('a key service that is down does not stop the sweep of other signers', async () => {
    const local = parseSignerKeys(otherKey)
    await devChain.client.setBalance({ address: hex(local[0]?.address ?? ''), value: parseEther('1') })
    const gap = { signer: address, chain: 84532 }
    await settle(await signPayment(), remoteSigners())
    await sql`update facilitator.signer_nonces set next_nonce = next_nonce + 1
      where signer = ${gap.signer} and chain_id = ${gap.chain}`.execute(db)
    const payment = await signPayment()
    expect(await settle(payment, local, hangUpOnBroadcast())).toMatchObject({ kind: 'lost', why: 'timeout' })
    node.interfere = () => undefined
    expect(await open([...(await down()), ...local]).sweep()).toMatchObject({ broadcast: 1, filled: 0 })
    await waitUntilMined(db, devChain)
    expect(await reader.inspect(payment)).toMatchObject({ kind: 'settled' })
    expect(await open(remoteSigners()).sweep()).toMatchObject({ filled: 1 })
  })
})

describe('moving from a key in the settings to a key service', () => {
  it('loses and doubles no payment while old and new processes work together', async () => {
    const local = parseSignerKeys(otherKey)
    await devChain.client.setBalance({ address: hex(local[0]?.address ?? ''), value: parseEther('1') })
    const payments = await Promise.all(Array.from({ length: 10 }, signPayment))
    // Each payment is sent to an old process and a new one.
    await Promise.all(
      payments.flatMap((payment) => [settle(payment, local), settle(payment, remoteSigners())]),
    )
    for (const payment of payments) expect(await reader.inspect(payment)).toMatchObject({ kind: 'settled' })
    expect(await listNonces()).toHaveLength(10)
    await devChain.client.mine({ blocks: 4 })
    // Only new processes are left, without the old key.
    expect(await open(remoteSigners()).sweep()).toMatchObject({ final: 10, filled: 0 })
  })
})
