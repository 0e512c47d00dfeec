// Payments of the scheme auth-capture by the stock client: authorized, captured in parts, voided.
import { authCaptureEscrowAddress } from '@mintmark/devkit/chain/chain'
import type { Address } from 'viem'
import { describe, expect, it } from 'vitest'
import { DEFAULT_REVERT_LIMITS } from '../engine/settings/engine-options.ts'
import { listReverts } from '../ledger/settlements/reverts.ts'
import { deployWallet as deploy } from '../schemes/agreement/testing-payers.ts'
import {
  AMOUNT,
  captureBody,
  inSeconds,
  OPERATOR,
  readBalances,
  signPayment,
  type TestPayment,
  toBody,
  voidBody,
} from './testing-auth-captures.ts'
import { openChannelFixture } from './testing-channel-fixture.ts'
import { callsOf, NETWORK, newAccount } from './testing-channels.ts'

const fixture = await openChannelFixture()
const { chain, facilitator, balanceOf, countCharges, settlementsOf } = fixture
const settle = (body: object) => fixture.calls.settle(body)
const verify = (body: object) => fixture.calls.verify(body)

/** Signs and authorizes a payment. */
async function authorize(given?: Parameters<typeof signPayment>[1]): Promise<TestPayment> {
  const payment = await signPayment(chain, given)
  expect(await settle(payment.body)).toMatchObject({ success: true })
  return payment
}

/** Deploys a wallet of an owner. The facilitator sends from the account that usually deploys. */
const deployWallet = (owner: Address) => deploy({ ...chain, as: () => chain.as(1) }, owner)

it('is offered with the signer that authorizes and captures', async () => {
  const response = await fetch(`${facilitator.url}/x402/supported`, {
    headers: { authorization: `Bearer ${fixture.account.token}` },
  })
  const { kinds } = (await response.json()) as { kinds: object[] }
  expect(kinds).toContainEqual({
    x402Version: 2,
    scheme: 'auth-capture',
    network: NETWORK,
    extra: { captureAuthorizer: OPERATOR.toLowerCase() },
  })
})

it('a payment of the stock client is authorized once, and its tokens are in the escrow', async () => {
  const payment = await signPayment(chain)
  expect(await verify(payment.body)).toMatchObject({
    isValid: true,
    payer: payment.payer.address.toLowerCase(),
  })
  const settled = await settle(payment.body)
  expect(settled).toMatchObject({ success: true, network: NETWORK })
  expect(await readBalances(chain, payment)).toEqual({ capturable: AMOUNT, refundable: 0n })
  expect(await balanceOf(payment.payer.address)).toBe(1_000_000n - AMOUNT)
  expect(await balanceOf(payment.seller.address)).toBe(0n)
  expect(await settle(payment.body)).toMatchObject({ success: false, errorReason: 'duplicate_settlement' })
  expect(await countCharges()).toBe(1n)
  expect((await settlementsOf(fixture.account)).at(-1)).toMatchObject({
    state: 'settled',
    scheme: 'auth-capture',
  })
})

it('captures parts up to the authorized amount, each one once, and voids the rest', async () => {
  const payment = await authorize()
  const first = await captureBody(chain, payment, 30_000n)
  const captured = await settle(first)
  expect(captured).toMatchObject({ success: true, amount: '30000' })
  expect(await settle(first)).toMatchObject({ success: true, transaction: captured.transaction })
  expect(await readBalances(chain, payment)).toEqual({ capturable: 70_000n, refundable: 30_000n })
  expect(await settle(await captureBody(chain, payment, 30_000n))).toMatchObject({ success: true })
  expect(await balanceOf(payment.seller.address)).toBe(60_000n)
  const over = await captureBody(chain, payment, 40_001n)
  expect(await settle(over)).toMatchObject({
    errorReason: 'invalid_auth_capture_evm_insufficient_authorization',
  })
  expect(await settle(await voidBody(chain, payment))).toMatchObject({ success: true, amount: '40000' })
  expect(await balanceOf(payment.payer.address)).toBe(940_000n)
  expect(await balanceOf(payment.seller.address)).toBe(60_000n)
  expect(await readBalances(chain, payment)).toEqual({ capturable: 0n, refundable: 60_000n })
  expect(await settle(await captureBody(chain, payment, 1n))).toMatchObject({
    errorReason: 'invalid_auth_capture_evm_insufficient_authorization',
  })
  expect(await countCharges()).toBe(4n)
})

it('settles one of the captures that are signed for the same state, also for concurrent accounts', async () => {
  const payment = await authorize()
  const other = callsOf(facilitator, await facilitator.account({ settles: 10 }))
  const bodies = await Promise.all([10_000n, 20_000n].map((amount) => captureBody(chain, payment, amount)))
  const [first, second] = bodies
  if (first === undefined || second === undefined) throw new Error('Two captures were signed')
  const outcomes = await Promise.all([
    settle(first),
    settle(second),
    other.settle(first),
    other.settle(second),
  ])
  expect(outcomes.filter(({ success }) => success)).toHaveLength(1)
  const { refundable } = await readBalances(chain, payment)
  expect(await balanceOf(payment.seller.address)).toBe(refundable)
  expect([10_000n, 20_000n]).toContain(refundable)
})

it('a capture whose transaction never reached the node is sent later, once', async () => {
  const payment = await authorize()
  const body = await captureBody(chain, payment, 25_000n)
  await fixture.settleWithoutBroadcast(body)
  expect(await balanceOf(payment.seller.address)).toBe(0n)
  fixture.node.interfere = () => undefined
  await fixture.waitUntilEnded()
  expect((await settlementsOf(fixture.account)).at(-1)).toMatchObject({ state: 'settled' })
  expect(await settle(body)).toMatchObject({ success: true, amount: '25000' })
  expect(await balanceOf(payment.seller.address)).toBe(25_000n)
  expect(await countCharges()).toBe(2n)
})

it('a capture that could not be sent blocks no other one for the same state', async () => {
  const payment = await authorize()
  const { node } = fixture
  node.interfere = (method) => (method === 'eth_estimateGas' ? 'hang up' : undefined)
  const unsent = await settle(await captureBody(chain, payment, 10_000n))
  expect(unsent).toMatchObject({ success: false })
  node.interfere = () => undefined
  expect((await settlementsOf(fixture.account)).at(-1)).toMatchObject({ state: 'not_sent' })
  expect(await settle(await captureBody(chain, payment, 20_000n))).toMatchObject({ success: true })
  const expected = { capturable: AMOUNT, refundable: 0n }
  const repeated = await settle(await captureBody(chain, payment, 10_000n, { expected }))
  expect(repeated).toMatchObject({ success: false })
  expect(await balanceOf(payment.seller.address)).toBe(20_000n)
})

it('sends one of two captures for the same state, of which neither could be sent before', async () => {
  const payment = await authorize()
  const bodies = [await captureBody(chain, payment, 10_000n), await captureBody(chain, payment, 20_000n)]
  fixture.node.interfere = (method) => (method === 'eth_estimateGas' ? 'hang up' : undefined)
  for (const body of bodies) expect(await settle(body)).toMatchObject({ success: false })
  fixture.node.interfere = () => undefined
  const outcomes = await Promise.all(bodies.map(settle))
  expect(outcomes.filter(({ success }) => success)).toHaveLength(1)
  await fixture.waitUntilEnded()
  const { refundable } = await readBalances(chain, payment)
  expect([10_000n, 20_000n]).toContain(refundable)
  expect(await balanceOf(payment.seller.address)).toBe(refundable)
})

it('accepts the signature of an authorizer that is a contract (ERC-1271)', async () => {
  const owner = newAccount()
  const wallet = await deployWallet(owner.address)
  const payment = await authorize({ authorizer: owner, authorizerAddress: wallet })
  expect(await settle(await captureBody(chain, payment, 10_000n))).toMatchObject({ success: true })
  const forged = await voidBody(chain, payment, newAccount())
  expect(await settle(forged)).toMatchObject({ errorReason: 'invalid_auth_capture_evm_authorizer_signature' })
})

it('a wallet that is a contract pays by its signature (ERC-1271)', async () => {
  const owner = newAccount()
  const address = await deployWallet(owner.address)
  const payer = { address, signTypedData: (message: never) => owner.signTypedData(message) }
  const payment = await signPayment(chain, { payer: payer as never })
  expect(await verify(payment.body)).toMatchObject({ isValid: true })
  expect(await settle(payment.body)).toMatchObject({ success: true })
  expect(await settle(await captureBody(chain, payment, AMOUNT))).toMatchObject({ success: true })
  expect(await balanceOf(payment.seller.address)).toBe(AMOUNT)
})

describe('refuses for nothing', () => {
  it('a capture and a void that the authorizer has not signed', async () => {
    const payment = await authorize()
    const signer = newAccount()
    const errorReason = 'invalid_auth_capture_evm_authorizer_signature'
    expect(await settle(await captureBody(chain, payment, 1n, { signer }))).toMatchObject({ errorReason })
    expect(await settle(await voidBody(chain, payment, signer))).toMatchObject({ errorReason })
    const body = await captureBody(chain, payment, 1_000n)
    const { payload } = body.paymentPayload
    const larger = toBody(payment.requirements, { ...payload, amount: '2000' })
    expect(await settle(larger)).toMatchObject({ errorReason })
    expect(await countCharges()).toBe(1n)
  })

  it('a capture that is signed for another state of the payment', async () => {
    const payment = await authorize()
    const expected = { capturable: AMOUNT, refundable: 5n }
    expect(await settle(await captureBody(chain, payment, 1n, { expected }))).toMatchObject({
      errorReason: 'invalid_auth_capture_evm_unexpected_payment_state',
    })
  })

  it('another authorizer than the one that the payer has signed for', async () => {
    const payment = await authorize()
    const thief = newAccount()
    const { requirements } = payment
    const extra = { ...requirements.extra, receiverAuthorizer: thief.address }
    const stolen = { ...payment, authorizer: thief, requirements: { ...requirements, extra } }
    expect(await settle(await voidBody(chain, stolen))).toMatchObject({
      errorReason: 'invalid_auth_capture_evm_salt_binding_mismatch',
    })
  })

  it.each([
    ['no authorizer', { receiverAuthorizer: undefined }, 'missing_receiver_authorizer'],
    ['another operator', { captureAuthorizer: newAccount().address }, 'operator_not_admitted'],
    ['a contract as operator', { operatorType: 'custom' }, 'unsupported_operator_type'],
    ['an unknown flow', { paymentFlow: 'upfront' }, 'unsupported_payment_flow'],
    ['an immediate charge of version 1.0', { autoCapture: true }, 'unsupported_payment_flow'],
    ['a fee', { maxFeeBps: 100 }, 'extra'],
    ['a least fee', { minFeeBps: 100 }, 'extra'],
    ['the escrow 1.0', { authCaptureEscrow: '0xBdEA0D1bcC5966192B070Fdf62aB4EF5b4420cff' }, 'extra'],
    ['Permit2', { assetTransferMethod: 'permit2' }, 'unsupported_asset_transfer_method'],
    ['a refund deadline before that of captures', { refundDeadline: inSeconds(3_000) }, 'deadline_ordering'],
    ['a capture deadline before the timeout', { captureDeadline: inSeconds(200) }, 'deadline_ordering'],
    [
      'a capture deadline in a year',
      { captureDeadline: inSeconds(31e6), refundDeadline: inSeconds(32e6) },
      'extra',
    ],
    ['a refund deadline in a year', { refundDeadline: inSeconds(32e6) }, 'extra'],
    ['a capture deadline in the past', { captureDeadline: inSeconds(-1) }, 'deadline_ordering'],
  ])('a payment with %s', async (_, extra, reason) => {
    const { body } = await signPayment(chain, { extra })
    const expected = `invalid_auth_capture_evm_${reason}`
    expect(await verify(body)).toMatchObject({ isValid: false, invalidReason: expected })
    expect(await settle(body)).toMatchObject({ success: false, errorReason: expected })
    expect(await countCharges()).toBe(0n)
  })

  it.each([
    ['another receiver', { payTo: newAccount().address }, 'nonce_mismatch'],
    ['another amount', { amount: '99999' }, 'amount_mismatch'],
  ])('a payment that was signed for %s', async (_, terms, reason) => {
    const { requirements, payload } = await signPayment(chain)
    const body = toBody({ ...requirements, ...terms }, payload)
    const expected = `invalid_auth_capture_evm_${reason}`
    expect(await verify(body)).toMatchObject({ invalidReason: expected })
  })

  it('a payment above the balance, or with a signature of another key', async () => {
    const poor = await signPayment(chain, { terms: { amount: '1000001' } })
    expect(await verify(poor.body)).toMatchObject({
      invalidReason: 'invalid_auth_capture_evm_insufficient_balance',
    })
    const [mine, others] = [await signPayment(chain), await signPayment(chain)]
    const forged = toBody(mine.requirements, { ...mine.payload, signature: others.payload.signature })
    expect(await verify(forged)).toMatchObject({ invalidReason: 'invalid_auth_capture_evm_signature' })
  })

  it('a payment on a chain without the escrow, where its call would do nothing', async () => {
    const { body } = await signPayment(chain)
    const address = authCaptureEscrowAddress
    const bytecode = await chain.client.getCode({ address })
    await chain.client.setCode({ address, bytecode: '0x' })
    const reason = 'invalid_auth_capture_evm_simulation_failed'
    expect(await verify(body)).toMatchObject({ isValid: false, invalidReason: reason })
    expect(await settle(body)).toMatchObject({ success: false, errorReason: reason })
    await chain.client.setCode({ address, bytecode: bytecode ?? '0x' })
    expect(await settle(body)).toMatchObject({ success: true })
  })
})

it('counts no revert for a payment that was refused', async () => {
  expect(await listReverts(facilitator.db, DEFAULT_REVERT_LIMITS)).toEqual([])
})
