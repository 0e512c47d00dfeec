// Charges and refunds of the scheme auth-capture: payments by the stock client, which sellers charge at once or give back.
import erc3009RefundCollector from '@mintmark/devkit/chain/artifacts/Erc3009RefundCollector.json' with {
  type: 'json',
}
import { refundCollectorAddress } from '@mintmark/devkit/chain/chain'
import { openChains } from '@mintmark/evm-reader'
import { accountTotals, micropaymentOrders } from '@mintmark/facilitator'
import { sql } from 'kysely'
import { getContractAddress, pad } from 'viem'
import { describe, expect, it } from 'vitest'
import { allowAssets } from '../chains/evm/settings/allowed-assets.ts'
import { hex } from '../engine/testing.ts'
import { listSignerPayments } from '../operations/signer-payments.ts'
import { deployWallet } from '../schemes/agreement/testing-payers.ts'
import {
  AMOUNT,
  captureBody,
  chargeBody,
  OPERATOR,
  readBalances,
  refundBody,
  signPayment,
  type TestPayment,
  toBody,
  voidBody,
} from './testing-auth-captures.ts'
import { openChannelFixture } from './testing-channel-fixture.ts'
import { callsOf, fund, newAccount } from './testing-channels.ts'

const fixture = await openChannelFixture()
const { chain, facilitator, balanceOf, countCharges, settlementsOf } = fixture
const settle = (body: object) => fixture.calls.settle(body)
const verify = (body: object) => fixture.calls.verify(body)
const reasonOf = (name: string) => `invalid_auth_capture_evm_${name}`

/** Signs a payment that is charged when the seller has worked. */
const signCharge = (given: Parameters<typeof signPayment>[1] = {}) =>
  signPayment(chain, { ...given, extra: { paymentFlow: 'authorization', ...given.extra } })

/** Charges a payment. The seller has the amount afterwards. */
async function charge(amount: bigint, given?: Parameters<typeof signPayment>[1]): Promise<TestPayment> {
  const payment = await signCharge(given)
  expect(await settle(await chargeBody(chain, payment, amount))).toMatchObject({ success: true })
  return payment
}

async function listEvents(type: string) {
  const { rows } = await sql<{ data: Record<string, string> }>`
    select data from facilitator.events where type = ${type} and account_id = ${fixture.account.id} order by id`.execute(
    facilitator.db,
  )
  return rows.map(({ data }) => data)
}

describe('a charge', () => {
  it('is verified for the maximum and settled for what was used, once, and the payer keeps the rest', async () => {
    const payment = await signCharge()
    expect(await verify(payment.body)).toMatchObject({ isValid: true })
    expect(await settle(payment.body)).toMatchObject({ errorReason: reasonOf('payload_format') })
    const body = await chargeBody(chain, payment, 30_000n)
    expect(await settle(body)).toMatchObject({ success: true, amount: '30000' })
    expect(await balanceOf(payment.seller.address)).toBe(30_000n)
    expect(await balanceOf(payment.payer.address)).toBe(970_000n)
    expect(await readBalances(chain, payment)).toEqual({ capturable: 0n, refundable: 30_000n })
    expect(await settle(body)).toMatchObject({ errorReason: 'duplicate_settlement' })
    expect(await verify(payment.body)).toMatchObject({ invalidReason: 'duplicate_settlement' })
    const { list } = await micropaymentOrders.list(facilitator.client(fixture.account))
    expect(list).toMatchObject([{ status: 'settled', amount: '30000', refunded: '0' }])
    expect(await countCharges()).toBe(1n)
  })

  it('of another amount is refused once one was settled, and a stranger can charge nothing', async () => {
    const payment = await signCharge()
    const forged = await chargeBody(chain, payment, 30_000n, newAccount())
    expect(await settle(forged)).toMatchObject({ errorReason: reasonOf('authorizer_signature') })
    const bodies = await Promise.all([10_000n, 20_000n].map((amount) => chargeBody(chain, payment, amount)))
    const outcomes = await Promise.all(bodies.map(settle))
    expect(outcomes.filter(({ success }) => success)).toHaveLength(1)
    const { refundable } = await readBalances(chain, payment)
    expect(await balanceOf(payment.seller.address)).toBe(refundable)
  })

  it('above what the payer has signed, of nothing or with a fee is refused', async () => {
    const payment = await signCharge()
    for (const amount of [0n, AMOUNT + 1n])
      expect(await settle(await chargeBody(chain, payment, amount))).toMatchObject({
        errorReason: reasonOf('amount_mismatch'),
      })
    const { payload } = (await chargeBody(chain, payment, 1n)).paymentPayload
    const withFee = toBody(payment.requirements, { ...payload, feeAmount: '1' })
    expect(await settle(withFee)).toMatchObject({ errorReason: reasonOf('fee_bps_out_of_range') })
    expect(await countCharges()).toBe(0n)
  })

  it('of a payment that is held is no charge, and nothing is held of a charged one', async () => {
    const held = await signPayment(chain)
    const completed = await chargeBody(chain, held, 1n)
    expect(await settle(completed)).toMatchObject({ success: true })
    expect(await readBalances(chain, held)).toEqual({ capturable: AMOUNT, refundable: 0n })
    const charged = await charge(30_000n)
    expect(await settle(await voidBody(chain, charged))).toMatchObject({
      errorReason: reasonOf('payload_type'),
    })
  })

  it('whose transaction never reached the node is sent later, once', async () => {
    const payment = await signCharge()
    const body = await chargeBody(chain, payment, 25_000n)
    await fixture.settleWithoutBroadcast(body)
    fixture.node.interfere = () => undefined
    await fixture.waitUntilEnded()
    expect((await settlementsOf(fixture.account)).at(-1)).toMatchObject({ state: 'settled' })
    expect(await balanceOf(payment.seller.address)).toBe(25_000n)
    expect(await countCharges()).toBe(1n)
  })
})

describe('a refund', () => {
  it('takes parts of what was captured from the seller to the payer, each one once, and is reported', async () => {
    const payment = await signPayment(chain)
    await settle(payment.body)
    await settle(await captureBody(chain, payment, 60_000n))
    const body = await refundBody(chain, payment, 20_000n)
    const refunded = await settle(body)
    expect(refunded).toMatchObject({ success: true, amount: '20000' })
    expect(await settle(body)).toMatchObject({ success: true, transaction: refunded.transaction })
    expect(await readBalances(chain, payment)).toEqual({ capturable: 40_000n, refundable: 40_000n })
    expect(await settle(await refundBody(chain, payment, 5_000n))).toMatchObject({ success: true })
    expect(await settle(await captureBody(chain, payment, 40_000n))).toMatchObject({ success: true })
    expect(await balanceOf(payment.seller.address)).toBe(75_000n)
    expect(await balanceOf(payment.payer.address)).toBe(925_000n)
    const { list } = await micropaymentOrders.list(facilitator.client(fixture.account))
    expect(list.map(({ refunded }) => refunded)).toEqual(['0', '5000', '20000', '0', '25000'])
    const { assets } = await accountTotals.get(facilitator.client(fixture.account))
    expect(assets).toMatchObject([{ total: '100000', refunded: '25000' }])
    expect(await listEvents('payment.refunded')).toEqual([
      {
        orderNo: list[2]?.orderNo,
        nonce: payment.payload.authorization.nonce,
        payer: payment.payer.address.toLowerCase(),
        payTo: payment.seller.address.toLowerCase(),
        network: 'eip155:84532',
        asset: chain.token.toLowerCase(),
        amount: '20000',
        transaction: refunded.transaction,
      },
      expect.objectContaining({ amount: '5000' }),
    ])
    expect(await countCharges()).toBe(5n)
  })

  it('can be paid by another wallet of the seller, also by a contract (ERC-1271)', async () => {
    const payment = await charge(30_000n)
    const funder = newAccount()
    // The facilitator sends from the account that usually deploys.
    const contract = await deployWallet({ ...chain, as: () => chain.as(1) }, funder.address)
    for (const from of [funder.address, contract]) {
      await fund(chain, from, 15_000n)
      const body = await refundBody(chain, payment, 15_000n, { funder, from })
      expect(await settle(body)).toMatchObject({ success: true })
      expect(await balanceOf(from)).toBe(0n)
    }
    expect(await balanceOf(payment.seller.address)).toBe(30_000n)
    expect(await balanceOf(payment.payer.address)).toBe(1_000_000n)
  })

  it('moves nothing unless the authorizer and the wallet that pays have signed exactly it', async () => {
    const payment = await charge(30_000n)
    const { seller } = payment
    const refuse = async (given: Parameters<typeof refundBody>[3], reason: string) =>
      expect(await settle(await refundBody(chain, payment, 10_000n, given))).toMatchObject({
        errorReason: reasonOf(reason),
      })
    await refuse({ signer: newAccount() }, 'authorizer_signature')
    await refuse({ funder: newAccount(), from: seller.address }, 'signature')
    await refuse({ funder: newAccount() }, 'insufficient_balance')
    await refuse({ funded: 9_999n }, 'signature')
    await refuse({ expected: { capturable: 0n, refundable: 31_000n } }, 'unexpected_payment_state')
    expect(await balanceOf(seller.address)).toBe(30_000n)
    expect(await countCharges()).toBe(1n)
  })

  it('above what was captured and not refunded is refused', async () => {
    const payment = await charge(30_000n)
    await settle(await refundBody(chain, payment, 20_000n))
    const over = await refundBody(chain, payment, 10_001n)
    expect(await settle(over)).toMatchObject({ errorReason: reasonOf('refund_exceeds_capture') })
    const none = await refundBody(chain, payment, 0n)
    expect(await settle(none)).toMatchObject({ errorReason: reasonOf('amount_mismatch') })
  })

  it('that this facilitator would have to pay is refused', async () => {
    const payment = await charge(30_000n)
    const { payload } = (await refundBody(chain, payment, 1n)).paymentPayload
    const stock = toBody(payment.requirements, { ...payload, funding: undefined })
    const reason = reasonOf('refund_funding_unavailable')
    expect(await settle(stock)).toMatchObject({ errorReason: reason })
    const address = refundCollectorAddress
    await chain.client.setCode({ address, bytecode: '0x' })
    expect(await settle(await refundBody(chain, payment, 1n))).toMatchObject({ errorReason: reason })
    await chain.client.setCode({ address, bytecode: hex(erc3009RefundCollector.deployedBytecode) })
    expect(await settle(await refundBody(chain, payment, 1n))).toMatchObject({ success: true })
  })

  it('settles once for the same state, also for concurrent accounts, or with a capture', async () => {
    const payment = await signPayment(chain)
    await settle(payment.body)
    await settle(await captureBody(chain, payment, 60_000n))
    const other = callsOf(facilitator, await facilitator.account({ settles: 10 }))
    const refunds = await Promise.all([10_000n, 20_000n].map((amount) => refundBody(chain, payment, amount)))
    const bodies = [...refunds, await captureBody(chain, payment, 7_000n)]
    const outcomes = await Promise.all([...bodies.map(settle), ...refunds.map((body) => other.settle(body))])
    expect(outcomes.filter(({ success }) => success)).toHaveLength(1)
    const { refundable } = await readBalances(chain, payment)
    expect([50_000n, 40_000n, 67_000n]).toContain(refundable)
    expect(await balanceOf(payment.seller.address)).toBe(refundable)
  })

  it('whose transaction never reached the node is sent later, once, and reported once', async () => {
    const payment = await charge(30_000n)
    const body = await refundBody(chain, payment, 25_000n)
    await fixture.settleWithoutBroadcast(body)
    expect(await listEvents('payment.refunded')).toEqual([])
    fixture.node.interfere = () => undefined
    await fixture.waitUntilEnded()
    expect(await settle(body)).toMatchObject({ success: true, amount: '25000' })
    expect(await balanceOf(payment.seller.address)).toBe(5_000n)
    expect(await listEvents('payment.refunded')).toHaveLength(1)
    expect(await countCharges()).toBe(2n)
  })

  it('that a lagging node has not seen is not sent again for the same state', async () => {
    const payment = await charge(30_000n)
    const expected = await readBalances(chain, payment)
    await fixture.node.lag()
    const first = await settle(await refundBody(chain, payment, 10_000n))
    const second = await settle(await refundBody(chain, payment, 20_000n, { expected }))
    expect([first.success, second.success]).not.toEqual([true, true])
    fixture.node.catchUp()
    await fixture.waitUntilEnded()
    expect(await balanceOf(payment.seller.address)).toBe(20_000n)
  })
})

it('an audit of the chain finds the payment of each charge, and no payment in a refund', async () => {
  const payment = await charge(30_000n)
  expect(await settle(await refundBody(chain, payment, 10_000n))).toMatchObject({ success: true })
  const [opened] = openChains([{ id: 84532, rpcUrls: [chain.rpcUrl], finality: { depth: 2 } }]).all
  if (opened === undefined) throw new Error('The chain was not opened')
  const filter = { signers: [OPERATOR], assets: allowAssets() }
  const found: object[] = []
  for await (const each of listSignerPayments(opened, filter, 0n)) found.push(each)
  const { nonce } = payment.payload.authorization
  expect(found.at(-1)).toMatchObject({ payer: payment.payer.address.toLowerCase(), nonce })
})

it('the collector of refunds has its address from its code', () => {
  const address = getContractAddress({
    opcode: 'CREATE2',
    from: '0x4e59b44847b379578588920cA78FbF26c0B4956C',
    salt: pad('0x'),
    bytecode: hex(erc3009RefundCollector.bytecode),
  })
  expect(address).toBe(refundCollectorAddress)
})
