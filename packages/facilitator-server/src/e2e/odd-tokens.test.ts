// Tokens whose transfers differ from those of USDC: in their events, or in what the recipient receives.

import { randomBytes } from 'node:crypto'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { permit2Address } from '@mintmark/devkit/chain/chain'
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { sql } from 'kysely'
import { parseEther } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { randomKey } from '../chains/evm/testing.ts'
import { auditSettlements } from '../engine/operator/operator.ts'
import { hex, seller, signedBody, signedPermit2Body } from '../engine/testing.ts'
import { letTimePass } from '../engine/testing-engine.ts'
import { setBatchDelay } from '../ledger/accounts/accounts.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { settlePrice, type TestAccount, testFacilitator } from '../testing.ts'
import { depositBody, openChannel } from './testing-channels.ts'
import { deployOddToken, oddities } from './testing-odd-token.ts'

const chain = await testChain()
const node = await startFaultyNode(chain.rpcUrl)
const token = await deployOddToken(chain)
const signerKey = hex(randomKey())
const signer = privateKeyToAddress(signerKey)
await chain.client.setBalance({ address: signer, value: parseEther('10') })
const facilitator = await testFacilitator({
  chain: { ...chain, rpcUrl: node.url },
  signerKeys: [signerKey],
  env: { ALLOWED_ASSETS: `84532=${token.address}` },
})
const payer = devAccount(1)
const MISMATCH = 'invalid_exact_evm_transfer_event_mismatch'
const SHORT = 'invalid_exact_evm_delivered_amount_mismatch'
const HASH = /^0x[0-9a-f]{64}$/

beforeAll(async () => {
  for (const index of [1, 2, 3, 4] as const) await token.mint(devAccount(index).address)
  await token.approve(1, permit2Address)
})
afterEach(async () => {
  node.interfere = () => undefined
  node.faults = undefined
  await chain.client.setAutomine(true)
  await token.configure(oddities.none)
  expect((await checkLedger(facilitator.db)).problems).toEqual([])
})
afterAll(async () => {
  await facilitator.close()
  node.close()
})

const post = async (path: string, body: object, { token: key }: TestAccount) =>
  (await (await facilitator.post(path, body, key)).json()) as Record<string, unknown>
const verify = (body: object, account: TestAccount) => post('/x402/verify', body, account)
const settle = (body: object, account: TestAccount) => post('/x402/settle', body, account)
const sign = (terms: Partial<Parameters<typeof signedBody>[0]> = {}) =>
  signedBody({ account: payer, asset: token.address, ...terms })
const permit2Terms = () => ({
  account: payer,
  asset: token.address,
  to: seller,
  value: 10_000n,
  nonce: `0x${randomBytes(32).toString('hex')}`,
  validBefore: BigInt(Math.floor(Date.now() / 1000) + 600),
})
const settlementsOf = async ({ id }: TestAccount) =>
  (await facilitator.settlements()).filter(({ account_id }) => account_id === id)

/** Waits until the node's pool holds this many transactions. */
async function pooled(count: number): Promise<void> {
  while ((await chain.client.getTxpoolStatus()).pending < count)
    await new Promise((resolve) => setTimeout(resolve, 10))
}

/** Mines blocks and waits until reconciliation has ended all settlements of an account. */
async function ended(account: TestAccount) {
  for (;;) {
    await chain.client.mine({ blocks: 4 })
    await letTimePass(facilitator.db)
    await facilitator.runJobs()
    const settlements = await settlementsOf(account)
    if (settlements.every(({ state }) => state !== 'unknown' && state !== 'sent')) return settlements
  }
}

describe('a token with other events', () => {
  const { eventBefore, eventBetween, eventAfter, transferFirst, senderFee, bonus } = oddities
  const all = eventBefore | eventBetween | eventAfter
  test.each([
    ['before the use of the authorization', eventBefore],
    ['between the use of the authorization and the transfer', eventBetween],
    ['after the transfer', eventAfter],
    ['everywhere, and a transfer before the use of the authorization', all | transferFirst],
    ['for a fee that the payer pays on top', all | senderFee],
    ['for a fee on top, and a transfer before the use of the authorization', all | senderFee | transferFirst],
    ['and more than the amount for the recipient', bonus],
  ])('settles a payment in a token that has them %s', async (_, flags) => {
    const account = await facilitator.account()
    await token.configure(flags)
    const body = await sign()
    const before = await token.balanceOf(seller)
    expect(await verify(body, account)).toMatchObject({ isValid: true })
    const settled = await settle(body, account)
    expect(settled).toMatchObject({ success: true, transaction: expect.stringMatching(HASH) })
    expect((await token.balanceOf(seller)) - before).toBe(flags === bonus ? 10_001n : 10_000n)
    expect(await facilitator.available(account)).toBe(99n * settlePrice)
    expect(await ended(account)).toMatchObject([
      { state: 'settled', hold: 'captured', transaction: settled.transaction },
    ])
  })

  test('settles equal payments of one payer in one transaction, each by its own transfer', async () => {
    const account = await facilitator.account()
    await setBatchDelay(facilitator.db, account.id, 500)
    await token.configure(all | senderFee)
    const bodies = await Promise.all([sign(), sign(), sign()])
    const settled = await Promise.all(bodies.map((body) => settle(body, account)))
    expect(settled).toMatchObject(bodies.map(() => ({ success: true })))
    expect(new Set(settled.map(({ transaction }) => transaction)).size).toBe(1)
    expect(await facilitator.available(account)).toBe(97n * settlePrice)
  })
})

test('a mined transaction without the transfer of its payment ends the payment as failed with its hash and a reason of its own, is charged, and counts as a revert', async () => {
  const account = await facilitator.account()
  await token.configure(oddities.withoutEvent)
  // The recipient receives the amount. Only the event is missing.
  const frequent = devAccount(4)
  const bodies = await Promise.all([1, 2, 3].map(() => sign({ account: frequent })))
  for (const body of bodies) {
    expect(await settle(body, account)).toMatchObject({
      success: false,
      errorReason: 'settlement_pending',
      transaction: expect.stringMatching(HASH),
    })
  }
  const settlements = await ended(account)
  expect(settlements).toHaveLength(3)
  for (const settlement of settlements) {
    expect(settlement).toMatchObject({
      state: 'failed',
      hold: 'captured',
      reason: MISMATCH,
      transaction: expect.stringMatching(HASH),
    })
  }
  expect(await facilitator.available(account)).toBe(97n * settlePrice)
  // The books agree with the use of the authorizations on the chain.
  const used = settlements.map((row) => ({ ...row, transaction: String(row.transaction) }))
  expect(await auditSettlements(facilitator.db, used)).toEqual({ checked: 3, problems: [] })
  expect(await settle(bodies[0] ?? {}, account)).toMatchObject({
    success: false,
    errorReason: MISMATCH,
    transaction: settlements[0]?.transaction,
  })
  const next = await sign({ account: frequent })
  expect(await verify(next, account)).toMatchObject({ invalidReason: 'invalid_transaction_state' })
  expect(await settle(next, account)).toMatchObject({ errorReason: 'invalid_transaction_state' })
})

test('a mined transaction without the transfer of its payment is charged and fails when the token switches a fee on while the transaction waits to be mined', async () => {
  const account = await facilitator.account()
  const body = await sign({ account: devAccount(2) })
  await chain.client.setAutomine(false)
  const settling = settle(body, account)
  await pooled(1)
  await token.configure(oddities.recipientFee, { overtakes: true })
  await chain.client.mine({ blocks: 1 })
  const pending = await settling
  expect(pending).toMatchObject({
    errorReason: 'settlement_pending',
    transaction: expect.stringMatching(HASH),
  })
  await chain.client.setAutomine(true)
  expect(await ended(account)).toMatchObject([
    { state: 'failed', hold: 'captured', reason: MISMATCH, transaction: pending.transaction },
  ])
  expect(await facilitator.available(account)).toBe(99n * settlePrice)
})

test('a mined transaction without the transfer of its payment counts each payment of a batch whose receipt only a later sweep finds', async () => {
  const hasty = await testFacilitator({
    chain,
    signerKeys: [devAccount(7).privateKey],
    env: { ALLOWED_ASSETS: `84532=${token.address}`, UPSTREAM_TIMEOUT_MS: '2000' },
  })
  onTestFinished(() => hasty.close())
  const account = await hasty.account()
  await setBatchDelay(hasty.db, account.id, 500)
  const bodies = await Promise.all([sign({ account: devAccount(2) }), sign({ account: devAccount(3) })])
  await chain.client.setAutomine(false)
  const settling = bodies.map((body) => hasty.post('/settle', body, account.token))
  await pooled(1)
  await token.configure(oddities.withoutEvent, { overtakes: true })
  for (const response of await Promise.all(settling)) expect(response.status).toBe(503)
  await chain.client.setAutomine(true)
  await chain.client.mine({ blocks: 1 })
  await vi.waitFor(async () => {
    await hasty.runJobs()
    const { rows } = await sql`
        select purpose, succeeded from facilitator.transactions order by id`.execute(hasty.db)
    expect(rows).toEqual([
      { purpose: 'batch', succeeded: true },
      { purpose: 'settle', succeeded: false },
      { purpose: 'settle', succeeded: false },
    ])
  }, 20_000)
})

test('a mined transaction without the transfer of its payment fails only its own payment of a batch', async () => {
  const account = await facilitator.account()
  await setBatchDelay(facilitator.db, account.id, 500)
  const bodies = await Promise.all([
    sign({ account: devAccount(3) }),
    signedBody({ account: devAccount(3) }),
    signedBody({ account: devAccount(5) }),
  ])
  await chain.client.setAutomine(false)
  const settling = Promise.all(bodies.map((body) => settle(body, account)))
  await pooled(1)
  await token.configure(oddities.hiddenFee | oddities.withoutEvent, { overtakes: true })
  await chain.client.mine({ blocks: 1 })
  const [odd, ...others] = await settling
  expect(odd).toMatchObject({ success: false, transaction: others[0]?.transaction })
  expect(others).toMatchObject([{ success: true }, { success: true }])
  await chain.client.setAutomine(true)
  for (const settlement of await ended(account)) {
    const isOdd = settlement.asset === token.address.toLowerCase()
    expect(settlement).toMatchObject(
      isOdd ? { state: 'failed', hold: 'captured', reason: MISMATCH } : { state: 'settled' },
    )
  }
})

describe('a token that delivers less than the amount', () => {
  const { recipientFee, hiddenFee, withoutEffect } = oddities
  const kinds = [
    ['takes a fee', recipientFee],
    ['takes a fee without an event, or rounds balances', hiddenFee],
    ['moves nothing', withoutEffect],
  ] as const
  const methods = {
    'EIP-3009': () => sign(),
    Permit2: () => signedPermit2Body(permit2Terms()),
    'Permit2 in the scheme upto': () =>
      signedPermit2Body({ ...permit2Terms(), maximum: 20_000n, facilitator: signer }),
  }
  test.each(
    kinds.flatMap(([what, flags]) =>
      Object.entries(methods).map(([method, create]) => [what, method, flags, create] as const),
    ),
  )(
    'a token that delivers less than the amount that %s is refused by verify and settle, at no cost, for payments by %s',
    async (_, __, flags, create) => {
      const account = await facilitator.account()
      const body = await create()
      expect(await verify(body, account)).toMatchObject({ isValid: true })
      // Switched on after verify.
      await token.configure(flags)
      const gas = await chain.client.getBalance({ address: signer })
      const refused = await settle(body, account)
      expect(refused).toMatchObject({ success: false, errorReason: SHORT, transaction: '' })
      expect(await verify(body, account)).toMatchObject({ isValid: false, invalidReason: SHORT })
      expect(await chain.client.getBalance({ address: signer })).toBe(gas)
      expect(await facilitator.available(account)).toBe(100n * settlePrice)
      expect(await settlementsOf(account)).toMatchObject([{ state: 'not_sent', reason: SHORT }])
      // The same payment can be settled once the fee is gone.
      await token.configure(oddities.none)
      expect(await settle(body, account)).toMatchObject({ success: true })
    },
  )

  test('a token that delivers less than the amount is refused for deposits into channels, whose contract compares its balances', async () => {
    const account = await facilitator.account()
    const own = { ...chain, token: token.address }
    const channel = await openChannel(own, { payer: payer as never })
    await token.configure(recipientFee)
    const body = await depositBody(own, channel)
    // The contract that collects the deposit cannot pass the whole amount on.
    const refusal = 'insufficient_funds'
    expect(await verify(body, account)).toMatchObject({ invalidReason: refusal })
    expect(await settle(body, account)).toMatchObject({ errorReason: refusal, transaction: '' })
    await token.configure(oddities.eventBetween | oddities.transferFirst)
    expect(await settle(body, account)).toMatchObject({ success: true })
  })

  test('accepts payers who pay themselves, unless the token takes a fee', async () => {
    const account = await facilitator.account()
    const body = await sign({ to: payer.address })
    await token.configure(recipientFee)
    expect(await verify(body, account)).toMatchObject({ invalidReason: SHORT })
    await token.configure(oddities.none)
    expect(await verify(body, account)).toMatchObject({ isValid: true })
    expect(await settle(body, account)).toMatchObject({ success: true })
  })

  test('leaves a batch, in which the other payments are settled', async () => {
    const account = await facilitator.account()
    await setBatchDelay(facilitator.db, account.id, 500)
    await token.configure(recipientFee)
    const bodies = await Promise.all([
      sign(),
      signedBody({ account: devAccount(3) }),
      signedBody({ account: devAccount(5) }),
    ])
    const [short, ...others] = await Promise.all(bodies.map((body) => settle(body, account)))
    expect(short).toMatchObject({ success: false, errorReason: SHORT })
    expect(others).toMatchObject([{ success: true }, { success: true }])
    expect(others[0]?.transaction).toBe(others[1]?.transaction)
  })
})

test('a verify measures the delivery in the one request that reads the chain', async () => {
  const account = await facilitator.account()
  // The first one also reads the token and the signers.
  await verify(await sign(), account)
  const requests: string[] = []
  node.faults = {
    next(methods) {
      if (methods.includes('eth_call')) requests.push(methods)
      return undefined
    },
  }
  expect(await verify(await sign(), account)).toMatchObject({ isValid: true })
  expect(requests).toEqual(['eth_call eth_call eth_call'])
})

test('accepts payments in the scheme upto where the node cannot replace the code of an account', async () => {
  const account = await facilitator.account()
  const create = () => signedPermit2Body({ ...permit2Terms(), maximum: 20_000n, facilitator: signer })
  for (const response of [{ error: { code: -32602, message: 'too many arguments' } }, { result: '0x' }]) {
    node.interfere = (method, params) =>
      method === 'eth_call' && (params as unknown[]).length > 2 ? response : undefined
    const body = await create()
    expect(await verify(body, account)).toMatchObject({ isValid: true })
    expect(await settle(body, account)).toMatchObject({ success: true })
  }
})
