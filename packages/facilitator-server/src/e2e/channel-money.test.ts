// What hostile payers, lagging nodes, reorganizations and crashes cannot do to payment channels.
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { batchSettlementAbi, devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { batchSettlementAddress, depositCollectorAddress } from '@mintmark/devkit/chain/chain'
import { markForkPoint } from '@mintmark/devkit/chain/reorganize'
import { openChains } from '@mintmark/evm-reader'
import { createLog, readEnvironment } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { createWalletClient, type Hex, http, parseEther, zeroAddress } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import { allowAssets } from '../chains/evm/settings/allowed-assets.ts'
import { DEFAULT_REVERT_LIMITS } from '../engine/settings/engine-options.ts'
import type { FaultPoint } from '../engine/settings/fault-points.ts'
import { letTimePass } from '../engine/testing-engine.ts'
import { listSignerPayments } from '../operations/signer-payments.ts'
import { combineWords } from '../schemes/evm/shared/typed-data.ts'
import { startFacilitator } from '../server.ts'
import type { TestAccount } from '../testing.ts'
import { testConfiguration } from '../testing-configuration.ts'
import { openChannelFixture, waitFor } from './testing-channel-fixture.ts'
import {
  callsOf,
  claimBody,
  depositBody,
  fund,
  newAccount,
  openChannel,
  refundBody,
  settleBody,
  type TestChannel,
  voucherBody,
} from './testing-channels.ts'

const fixture = await openChannelFixture()
const { chain, node, facilitator, settlementsOf, readChannel, balanceOf, openFunded } = fixture
const { countCharges, settleReason, settleWithoutBroadcast, waitUntilEnded } = fixture
let account: TestAccount
let calls: ReturnType<typeof callsOf>
beforeEach(() => {
  account = fixture.account
  calls = fixture.calls
})

/** Opens a channel whose vouchers the payer's own code would verify. */
async function openFundedWithoutKey() {
  const channel = await openChannel(chain, { payerAuthorizer: zeroAddress })
  return settleReason(await depositBody(chain, channel))
}
const verifyReason = async (body: object) => (await calls.verify(body)).invalidReason

it('a voucher is valid up to the balance, and the response describes the channel', async () => {
  const channel = await openFunded()
  expect(await calls.verify(await voucherBody(chain, channel, 100_000n))).toEqual({
    isValid: true,
    payer: channel.payer.address.toLowerCase(),
    extra: {
      channelId: channel.channelId,
      balance: '100000',
      totalClaimed: '0',
      withdrawRequestedAt: 0,
      refundNonce: '0',
    },
  })
  expect(await countCharges()).toBe(1n)
})

it('a voucher is refused above the balance, at or below what was claimed, by another key and for another channel', async () => {
  const [channel, other] = [await openFunded(), await openFunded()]
  const settled = await calls.settle(await claimBody(chain, [{ channel, total: 20_000n }]))
  expect(settled).toMatchObject({ success: true })
  const reason = 'invalid_batch_settlement_evm_'
  expect(await verifyReason(await voucherBody(chain, channel, 100_001n))).toBe(
    `${reason}cumulative_exceeds_balance`,
  )
  expect(await verifyReason(await voucherBody(chain, channel, 20_000n))).toBe(
    `${reason}cumulative_below_claimed`,
  )
  expect(await verifyReason(await voucherBody(chain, channel, 20_001n))).toBeUndefined()
  const stranger = await voucherBody(chain, channel, 30_000n, { signer: newAccount() })
  expect(await verifyReason(stranger)).toBe(`${reason}voucher_signature`)
  const mixed = await voucherBody(chain, { ...other, config: channel.config }, 30_000n)
  expect(await verifyReason({ ...mixed, ...onRequirements(mixed, channel) })).toBe(
    `${reason}channel_id_mismatch`,
  )
  const moved = await voucherBody(chain, channel, 30_000n)
  const signed = await voucherBody(chain, other, 30_000n)
  const payload = { ...moved.paymentPayload.payload, voucher: voucherOf(signed, channel) }
  expect(await verifyReason({ ...moved, paymentPayload: { ...moved.paymentPayload, payload } })).toBe(
    `${reason}voucher_signature`,
  )
})

it('a voucher is refused in a form, or from a payer, that the contract could refuse later', async () => {
  const channel = await openFunded()
  const body = await voucherBody(chain, channel, 20_000n)
  const { voucher, ...rest } = body.paymentPayload.payload as { voucher: { signature: string } }
  const last = voucher.signature.endsWith('1b') ? '00' : '01'
  const unusual = { ...voucher, signature: voucher.signature.slice(0, 130) + last }
  expect(await verifyReason(withPayload(body, { ...rest, voucher: unusual }))).toBe(
    'invalid_batch_settlement_evm_voucher_signature',
  )
  expect(await verifyReason(body)).toBeUndefined()
  const open = await openFundedWithoutKey()
  expect(open).toBe('invalid_batch_settlement_evm_voucher_signature')
})

it('a voucher is refused for a channel without a deposit, and for other terms than the seller requires', async () => {
  const channel = await openChannel(chain)
  const reason = 'invalid_batch_settlement_evm_'
  expect(await verifyReason(await voucherBody(chain, channel, 1n))).toBe(`${reason}channel_not_found`)
  const body = await voucherBody(chain, channel, 1n)
  const elsewhere = { ...channel.requirements, payTo: newAccount().address }
  expect(await verifyReason(withRequirements(body, elsewhere))).toBe(`${reason}receiver_mismatch`)
  const { extra } = channel.requirements
  const authorized = {
    ...channel.requirements,
    extra: { ...extra, receiverAuthorizer: newAccount().address },
  }
  expect(await verifyReason(withRequirements(body, authorized))).toBe(`${reason}receiver_authorizer_mismatch`)
  const delayed = { ...channel.requirements, extra: { ...extra, withdrawDelay: 901 } }
  expect(await verifyReason(withRequirements(body, delayed))).toBe(`${reason}withdraw_delay_mismatch`)
})

it('a voucher is not settled: nothing is sent, recorded or charged', async () => {
  const channel = await openFunded()
  const reason = await settleReason(await voucherBody(chain, channel, 20_000n))
  expect(reason).toBe('invalid_batch_settlement_evm_payload_type')
  expect(await settlementsOf(account)).toHaveLength(1)
  expect(await countCharges()).toBe(1n)
})

it('a voucher shows an announced withdrawal, and is secured by the rest only once the payer can execute it', async () => {
  const channel = await openFunded()
  await announceWithdrawal(channel, 60_000n)
  const body = await voucherBody(chain, channel, 50_000n)
  const announced = await calls.verify(body)
  expect(announced).toMatchObject({ isValid: true })
  const { timestamp } = await chain.client.getBlock()
  expect(announced.extra).toMatchObject({ withdrawRequestedAt: Number(timestamp) })
  const later = await startFacilitator(readEnvironment(facilitator.env), createLog('facilitator', 'silent'), {
    configuration: testConfiguration,
    clock: () => Date.now() + 901_000,
  })
  try {
    const { verify } = callsOf(facilitator, account, later.url)
    expect(await verify(body)).toMatchObject({
      invalidReason: 'invalid_batch_settlement_evm_cumulative_exceeds_balance',
    })
    expect(await verify(await voucherBody(chain, channel, 40_000n))).toMatchObject({ isValid: true })
    await calls.settle(await claimBody(chain, [{ channel, total: 70_000n }]))
    // What was claimed is the seller's, and the payer may ask for the rest.
    const refund = await voucherBody(chain, channel, 70_000n, { type: 'refund' })
    expect(await verify(refund)).toMatchObject({ isValid: true })
    expect(await verify(await voucherBody(chain, channel, 70_001n))).toMatchObject({ isValid: false })
  } finally {
    await later.close()
  }
})

it('a voucher is refused by a node that does not know the deposit yet, and valid once it does', async () => {
  const channel = await openChannel(chain)
  await chain.client.mine({ blocks: 1 })
  await calls.settle(await depositBody(chain, channel))
  await node.lag(1)
  const body = await voucherBody(chain, channel, 20_000n)
  expect(await verifyReason(body)).toBe('invalid_batch_settlement_evm_channel_not_found')
  node.catchUp()
  expect(await calls.verify(body)).toMatchObject({ isValid: true })
})

describe('a withdrawal that the payer can soon execute', () => {
  it('secures neither a voucher nor the voucher of a further deposit', async () => {
    const channel = await openFunded({ maxTimeoutSeconds: 3_600 })
    await announceWithdrawal(channel, 60_000n)
    const verifyLater = async (body: object, seconds: number) => {
      const env = readEnvironment(facilitator.env)
      const clock = () => Date.now() + seconds * 1000
      const later = await startFacilitator(env, createLog('facilitator', 'silent'), {
        configuration: testConfiguration,
        clock,
      })
      try {
        return (await callsOf(facilitator, account, later.url).verify(body)).invalidReason
      } finally {
        await later.close()
      }
    }
    const reason = 'invalid_batch_settlement_evm_cumulative_exceeds_balance'
    const voucher = await voucherBody(chain, channel, 50_000n)
    expect(await verifyLater(voucher, 500)).toBeUndefined()
    // A claim takes time, which the seller no longer has.
    expect(await verifyLater(voucher, 700)).toBe(reason)
    const deposit = await depositBody(chain, channel, { amount: 1_000n, maximum: 50_000n })
    expect(await verifyLater(deposit, 500)).toBeUndefined()
    expect(await verifyLater(deposit, 901)).toBe(reason)
    const secured = await depositBody(chain, channel, { amount: 1_000n, maximum: 41_000n })
    expect(await verifyLater(secured, 901)).toBeUndefined()
  })
})

it('a deposit is verified with the state before it, and settles once with the state after it', async () => {
  const channel = await openChannel(chain)
  const body = await depositBody(chain, channel)
  expect(await calls.verify(body)).toMatchObject({ isValid: true, extra: { balance: '0' } })
  const responses = await Promise.all([calls.settle(body), calls.settle(body)])
  expect(responses.filter(({ success }) => success)).toMatchObject([
    { amount: '100000', extra: { channelState: { channelId: channel.channelId, balance: '100000' } } },
  ])
  expect(await settleReason(body)).toBe('duplicate_settlement')
  expect(await readChannel(channel)).toEqual([100_000n, 0n])
  expect(await countCharges()).toBe(1n)
})

it('a deposit is refused if its voucher is worthless, or its authorization is not for this channel and amount', async () => {
  const channel = await openChannel(chain)
  const reason = 'invalid_batch_settlement_evm_'
  const above = await depositBody(chain, channel, { amount: 100n, maximum: 101n })
  expect(await settleReason(above)).toBe(`${reason}cumulative_exceeds_balance`)
  const body = await depositBody(chain, channel)
  const raised = { ...body.paymentPayload.payload, deposit: { ...depositOf(body), amount: '200000' } }
  expect(await settleReason(withPayload(body, raised))).toBe(`${reason}receive_authorization_signature`)
  const other = await openChannel(chain, { payer: channel.payer, authorizer: channel.authorizer })
  const moved = { ...(await depositBody(chain, other)).paymentPayload.payload, deposit: depositOf(body) }
  const redirected = withRequirements(withPayload(body, moved), {
    ...other.requirements,
  })
  expect(await settleReason(redirected)).toBe(`${reason}receive_authorization_signature`)
  const tooMuch = await depositBody(chain, channel, { amount: 20_000_000n })
  expect(await settleReason(tooMuch)).toBe('insufficient_funds')
  expect(await settlementsOf(account)).toEqual([])
  expect(await countCharges()).toBe(0n)
})

it('a deposit that is presented again with another voucher is no repeat, so that a worthless voucher pays for nothing', async () => {
  const channel = await openChannel(chain)
  const body = await depositBody(chain, channel)
  await settleWithoutBroadcast(body)
  node.interfere = () => undefined
  await waitUntilEnded()
  expect(await settlementsOf(account)).toMatchObject([{ state: 'settled', delivered_at: null }])
  const { payload } = body.paymentPayload
  const [cheap, foreign] = await Promise.all([
    voucherBody(chain, channel, 1n),
    voucherBody(chain, channel, 10_000n, { signer: newAccount() }),
  ])
  for (const { paymentPayload } of [cheap, foreign]) {
    const { voucher } = paymentPayload.payload as { voucher: object }
    const changed = withPayload(body, { ...payload, voucher })
    expect(await verifyReason(changed)).toBe('duplicate_settlement')
    expect(await calls.settle(changed)).not.toMatchObject({ success: true })
  }
  expect(await calls.settle(body)).toMatchObject({ success: true })
  expect(await countCharges()).toBe(1n)
})

it('a deposit is found by the audit of our signers under the key of its settlement', async () => {
  await openFunded()
  const [opened] = openChains([{ id: 84532, rpcUrls: [chain.rpcUrl], finality: { depth: 3 } }]).all
  if (opened === undefined) throw new Error('No chain was opened')
  const [settlement] = await settlementsOf(account)
  const filter = { signers: [devAccount(9).address], assets: allowAssets() }
  const found: object[] = []
  for await (const payment of listSignerPayments(opened, filter, 0n)) found.push(payment)
  const { domain, payer, nonce, transaction } = settlement ?? {}
  expect(found.at(-1)).toMatchObject({ domain, payer, nonce, transaction })
})

it('a deposit responds with the state after it, although a node lags behind its block', async () => {
  const channel = await openChannel(chain)
  await chain.client.mine({ blocks: 1 })
  node.lags = (method) => method === 'eth_call'
  await node.lag()
  const settling = calls.settle(await depositBody(chain, channel))
  await waitFor(async () => (await readChannel(channel))[0] === 100_000n)
  await waitFor(async () => (await settlementsOf(account))[0]?.state === 'settled')
  node.catchUp()
  expect(await settling).toMatchObject({ success: true, extra: { channelState: { balance: '100000' } } })
})

it('a deposit is executed again after a reorganization removed it, and charged once', async () => {
  const channel = await openChannel(chain)
  await chain.client.mine({ blocks: 1 })
  const fork = await markForkPoint(chain.client)
  expect(await calls.settle(await depositBody(chain, channel))).toMatchObject({ success: true })
  await waitFor(async () => (await settlementsOf(account))[0]?.block_hash !== null)
  await fork.replaceBlocks(2)
  expect(await readChannel(channel)).toEqual([0n, 0n])
  // A voucher is not worth anything meanwhile.
  const voucher = await voucherBody(chain, channel, 20_000n)
  await waitFor(async () => {
    await letTimePass(facilitator.db)
    await facilitator.runJobs()
    return (await readChannel(channel))[0] === 100_000n
  })
  expect(await calls.verify(voucher)).toMatchObject({ isValid: true })
  expect(await countCharges()).toBe(1n)
})

it('a deposit whose authorization the payer used for a plain transfer is not settled, because the channel does not have the tokens', async () => {
  const channel = await openChannel(chain)
  const body = await depositBody(chain, channel)
  await settleWithoutBroadcast(body)
  await transferToCollector(channel, body)
  await waitFor(async () => {
    await chain.client.mine({ blocks: 1 })
    await letTimePass(facilitator.db)
    await facilitator.runJobs()
    return (await settlementsOf(account))[0]?.state !== 'unknown'
  })
  expect(await readChannel(channel)).toEqual([0n, 0n])
  expect(await settlementsOf(account)).toMatchObject([{ state: 'failed' }])
})

it('a claim takes from 100 channels in one transaction', async () => {
  const payer = newAccount()
  await fund(chain, payer.address, 100_000_000n)
  const [authorizer, receiver] = [newAccount(), newAccount().address]
  const channels: TestChannel[] = []
  for (let batch = 0; batch < 10; batch += 1) {
    const opened = Array.from({ length: 10 }, () => openFunded({ payer, authorizer, receiver }))
    channels.push(...(await Promise.all(opened)))
  }
  const before = await countCharges()
  const claim = await claimBody(
    chain,
    channels.map((channel, index) => ({ channel, total: BigInt(index + 1) })),
  )
  expect(await calls.settle(claim)).toMatchObject({ success: true })
  const [first] = channels
  if (first === undefined) throw new Error('no channel was opened')
  expect(await calls.settle(settleBody(first))).toMatchObject({ success: true })
  expect(await balanceOf(receiver)).toBe(5_050n)
  expect((await countCharges()) - before).toBe(2n)
})

it('a claim that is repeated has the same transaction and no further price, also concurrently', async () => {
  const channel = await openFunded()
  const body = await claimBody(chain, [{ channel, total: 30_000n }])
  const [one, two] = await Promise.all([calls.settle(body), calls.settle(body)])
  const done = [one, two].filter(({ success }) => success)
  expect(done.length).toBeGreaterThan(0)
  const repeated = await calls.settle(body)
  expect(repeated).toMatchObject({ success: true, transaction: done[0]?.transaction })
  expect(await readChannel(channel)).toEqual([100_000n, 30_000n])
  expect(await countCharges()).toBe(2n)
})

it('a claim is refused as a whole if one voucher is bad, if it changes nothing, or if the authorizer has not signed', async () => {
  const good = await openFunded()
  const bad = await openFunded({ authorizer: good.authorizer, receiver: good.config.receiver })
  const terms = { channel: good, total: 10_000n }
  const reason = 'invalid_batch_settlement_evm_'
  const forged = await claimBody(chain, [terms, { channel: bad, total: 5n, signer: newAccount() }])
  expect(await settleReason(forged)).toBe(`${reason}voucher_signature`)
  const above = await claimBody(chain, [terms, { channel: bad, total: 100_001n }])
  expect(await settleReason(above)).toBe(`${reason}cumulative_exceeds_balance`)
  expect(await settleReason(await claimBody(chain, [terms], newAccount()))).toBe(
    `${reason}claim_simulation_failed`,
  )
  expect(await readChannel(good)).toEqual([100_000n, 0n])
  expect(await calls.settle(await claimBody(chain, [terms]))).toMatchObject({ success: true })
  const lower = await claimBody(chain, [{ channel: good, total: 9_000n }])
  expect(await settleReason(lower)).toBe(`${reason}cumulative_below_claimed`)
  expect(await countCharges()).toBe(3n)
})

it('a claim without the signature of the authorizer is refused, because this facilitator has no key for it', async () => {
  const channel = await openFunded()
  const body = await claimBody(chain, [{ channel, total: 10_000n }])
  const { claimAuthorizerSignature: _, ...payload } = body.paymentPayload.payload as Record<string, unknown>
  expect(await settleReason(withPayload(body, payload))).toBe(
    'invalid_batch_settlement_evm_authorizer_not_configured',
  )
})

it('a claim that another account presented before without the signature of the authorizer is still settled for the seller', async () => {
  const channel = await openFunded()
  const terms = [{ channel, total: 10_000n }]
  const hostile = callsOf(facilitator, await facilitator.account({ settles: 10 }))
  expect(await hostile.settle(await claimBody(chain, terms, newAccount()))).toMatchObject({
    errorReason: 'invalid_batch_settlement_evm_claim_simulation_failed',
  })
  expect(await calls.settle(await claimBody(chain, terms))).toMatchObject({ success: true })
  expect(await readChannel(channel)).toEqual([100_000n, 10_000n])
  expect(await countCharges()).toBe(2n)
})

it('a claim whose transaction reverted is executed when the seller repeats it, and its repeats are one settlement', async () => {
  const channel = await openFunded()
  const body = await claimBody(chain, [{ channel, total: 10_000n }])
  await settleWithoutBroadcast(body)
  await returnDeposit(channel, 100_000n)
  await waitFor(async () => {
    await chain.client.mine({ blocks: 1 })
    await letTimePass(facilitator.db)
    await facilitator.runJobs()
    return (await settlementsOf(account)).at(-1)?.state === 'failed'
  })
  expect(await calls.settle(await depositBody(chain, channel))).toMatchObject({ success: true })
  const responses = await Promise.all([calls.settle(body), calls.settle(body)])
  expect(responses.some(({ success }) => success)).toBe(true)
  expect(await calls.settle(body)).toMatchObject({ success: true })
  expect(await readChannel(channel)).toEqual([100_000n, 10_000n])
  const states = (await settlementsOf(account)).map(({ state }) => state)
  expect(states).toEqual(['settled', 'failed', 'settled', 'settled'])
  // The transaction that reverted is charged, because its gas was paid.
  expect(await countCharges()).toBe(4n)
})

it('a seller for whose wallet another account settled claims that reverted still settles its own claims', async () => {
  const channel = await openFunded()
  const hostile = await facilitator.account({ settles: 10 })
  for (let count = 0; count < DEFAULT_REVERT_LIMITS.perPayer; count += 1) {
    const other = await openFunded({ receiver: channel.config.receiver })
    await settleWithoutBroadcast(await claimBody(chain, [{ channel: other, total: 10_000n }]), hostile)
    await returnDeposit(other, 100_000n)
  }
  await waitFor(async () => {
    await letTimePass(facilitator.db)
    await facilitator.runJobs()
    await chain.client.mine({ blocks: 1 })
    return (await settlementsOf(hostile)).every(({ state }) => state === 'failed')
  })
  const claim = await claimBody(chain, [{ channel, total: 10_000n }])
  expect(await calls.settle(claim)).toMatchObject({ success: true })
})

it('a claim that a reorganization removed is sent again, and charged once', async () => {
  const channel = await openFunded()
  await chain.client.mine({ blocks: 1 })
  const fork = await markForkPoint(chain.client)
  const body = await claimBody(chain, [{ channel, total: 30_000n }])
  expect(await calls.settle(body)).toMatchObject({ success: true })
  await waitFor(async () => {
    await letTimePass(facilitator.db)
    await facilitator.runJobs()
    return (await settlementsOf(account))[1]?.block_hash !== null
  })
  await fork.replaceBlocks(2)
  expect(await readChannel(channel)).toEqual([100_000n, 0n])
  await waitFor(async () => {
    await letTimePass(facilitator.db)
    await facilitator.runJobs()
    return (await readChannel(channel))[1] === 30_000n
  })
  await waitFor(async () => {
    await letTimePass(facilitator.db)
    return (await settlementsOf(account))[1]?.state === 'settled'
  })
  expect(await countCharges()).toBe(2n)
})

describe('a refund', () => {
  it('claims and returns the rest at once, and is not executed a second time', async () => {
    const channel = await openFunded()
    const body = await refundBody(chain, channel, { total: 30_000n, amount: 50_000n })
    const [one, two] = await Promise.all([calls.settle(body), calls.settle(body)])
    const settled = [one, two].find(({ success }) => success)
    expect(settled).toMatchObject({
      amount: '50000',
      extra: { channelState: { balance: '50000', totalClaimed: '30000', refundNonce: '1' } },
    })
    const repeated = { success: true, transaction: settled?.transaction, amount: '50000' }
    expect(await calls.settle(body)).toMatchObject(repeated)
    expect(await readChannel(channel)).toEqual([50_000n, 30_000n])
    expect(await balanceOf(channel.payer.address)).toBe(9_950_000n)
    expect(await countCharges()).toBe(2n)
  })

  it('returns at most what is left, and nothing for another nonce or signature', async () => {
    const channel = await openFunded()
    const reason = 'invalid_batch_settlement_evm_'
    const stale = await refundBody(chain, channel, { total: 30_000n, amount: 1n, nonce: 1n })
    expect(await settleReason(stale)).toBe(`${reason}refund_simulation_failed`)
    const forged = await refundBody(chain, channel, { total: 30_000n, amount: 1n, authorizer: newAccount() })
    expect(await settleReason(forged)).toBe(`${reason}claim_simulation_failed`)
    const all = await refundBody(chain, channel, { total: 100_000n, amount: 1n })
    expect(await settleReason(all)).toBe(`${reason}refund_no_balance`)
    const most = await refundBody(chain, channel, { total: 30_000n, amount: 1_000_000n })
    expect(await calls.settle(most)).toMatchObject({ success: true, amount: '70000' })
    expect(await countCharges()).toBe(2n)
  })
})

describe('a crash', () => {
  const points: FaultPoint[] = ['before-hold', 'after-hold-commit', 'after-upstream', 'after-ending-commit']

  it.each(points)('a crash at %s neither loses nor repeats a deposit, a claim or a refund', async (point) => {
    const dying = await startFacilitator(
      readEnvironment(facilitator.env),
      createLog('facilitator', 'silent'),
      {
        configuration: testConfiguration,
        faultPoint: (reached) => {
          if (reached === point) throw new Error('the process died')
        },
      },
    )
    const { settle: settleAndDie } = callsOf(facilitator, account, dying.url)
    const channel = await openChannel(chain)
    try {
      const deposit = await depositBody(chain, channel)
      await settleAndDie(deposit)
      await settleUntilKnown(deposit)
      expect(await readChannel(channel)).toEqual([100_000n, 0n])
      const claim = await claimBody(chain, [{ channel, total: 40_000n }])
      await settleAndDie(claim)
      await settleUntilKnown(claim)
      expect(await readChannel(channel)).toEqual([100_000n, 40_000n])
      const refund = await refundBody(chain, channel, { total: 45_000n, amount: 5_000n })
      await settleAndDie(refund)
      await settleUntilKnown(refund)
      expect(await readChannel(channel)).toEqual([95_000n, 45_000n])
    } finally {
      await dying.close()
    }
    expect((await settlementsOf(account)).map(({ state }) => state)).toEqual([
      'settled',
      'settled',
      'settled',
    ])
    expect(await countCharges()).toBe(3n)
  })
})

describe('a process that ends after it stored a transaction and before the node received it', () => {
  it.each(['deposit', 'claim', 'settle', 'refund'])(
    'leaves a %s that is sent once, and charged once',
    async (kind) => {
      const channel = kind === 'deposit' ? await openChannel(chain) : await openFunded()
      if (kind === 'settle') await calls.settle(await claimBody(chain, [{ channel, total: 10_000n }]))
      const earlier = await countCharges()
      const body =
        kind === 'deposit'
          ? await depositBody(chain, channel)
          : kind === 'claim'
            ? await claimBody(chain, [{ channel, total: 10_000n }])
            : kind === 'settle'
              ? settleBody(channel)
              : await refundBody(chain, channel, { total: 10_000n, amount: 20_000n })
      await settleWithoutBroadcast(body)
      node.interfere = () => undefined
      await waitFor(async () => {
        await letTimePass(facilitator.db)
        await facilitator.runJobs()
        return (await settlementsOf(account)).every(({ state }) => state === 'settled')
      })
      const expected = {
        deposit: [100_000n, 0n],
        claim: [100_000n, 10_000n],
        settle: [100_000n, 10_000n],
        refund: [80_000n, 10_000n],
      }
      expect({ ...expected, [kind]: await readChannel(channel) }).toEqual(expected)
      if (kind === 'settle') expect(await balanceOf(channel.config.receiver)).toBe(10_000n)
      expect((await countCharges()) - earlier).toBe(1n)
    },
  )
})

describe('a transaction whose nonce another program has used', () => {
  it.each(['claim', 'refund'])(
    'ends a %s that would now revert as not made, without a charge',
    async (kind) => {
      const channel = await openFunded()
      const earlier = await countCharges()
      const body =
        kind === 'claim'
          ? await claimBody(chain, [{ channel, total: 10_000n }])
          : await refundBody(chain, channel, { total: 10_000n, amount: 20_000n })
      await settleWithoutBroadcast(body)
      await chain.confirm(chain.as(9).sendTransaction({ to: devAccount(9).address, value: 0n }))
      await returnDeposit(channel, 100_000n)
      await sql`
      update facilitator.transaction_attempts set created_at = created_at - interval '1 minute'`.execute(
        facilitator.db,
      )
      await waitUntilEnded()
      expect((await settlementsOf(account)).at(-1)).toMatchObject({
        state: 'failed',
        hold: 'released',
        reason: 'invalid_batch_settlement_evm_claim_simulation_failed',
      })
      expect((await countCharges()) - earlier).toBe(0n)
    },
  )
})

/** Announces a withdrawal, as the payer. */
async function announceWithdrawal({ payer, config }: TestChannel, amount: bigint): Promise<void> {
  await chain.client.setBalance({ address: payer.address, value: parseEther('1') })
  const wallet = createWalletClient({ account: payer, transport: http(chain.rpcUrl) })
  const contract = { address: batchSettlementAddress, abi: batchSettlementAbi, chain: null } as const
  const call = { ...contract, functionName: 'initiateWithdraw', args: [config, amount] } as const
  await chain.confirm(wallet.writeContract(call))
}

/**
 * Returns tokens of a channel to its payer, in a transaction of the seller's authorizer, and lets the node
 * accept transactions.
 */
async function returnDeposit({ authorizer, config }: TestChannel, amount: bigint): Promise<void> {
  await chain.client.setBalance({ address: authorizer.address, value: parseEther('1') })
  const wallet = createWalletClient({ account: authorizer, transport: http(chain.rpcUrl) })
  const call = { address: batchSettlementAddress, abi: batchSettlementAbi, functionName: 'refund' } as const
  await chain.confirm(wallet.writeContract({ ...call, chain: null, args: [config, amount] }))
  node.interfere = () => undefined
}

/**
 * Uses the authorization of a deposit for a transfer to the collector that deposits nothing, and lets the
 * node accept transactions.
 */
async function transferToCollector({ payer, config }: TestChannel, body: Body): Promise<void> {
  const { deposit } = body.paymentPayload.payload as {
    deposit: { amount: string; authorization: { erc3009Authorization: Record<string, string> } }
  }
  const { salt, validAfter, validBefore } = deposit.authorization.erc3009Authorization
  const { channelId } = (body.paymentPayload.payload as { voucher: { channelId: Hex } }).voucher
  const nonce = combineWords(channelId, BigInt(salt ?? 0))
  const terms = {
    from: payer.address,
    to: depositCollectorAddress,
    value: BigInt(deposit.amount),
    validAfter: BigInt(validAfter ?? 0),
    validBefore: BigInt(validBefore ?? 0),
    nonce,
  }
  const signature = await payer.signTypedData({
    domain: { name: 'USDC', version: '2', chainId: 84532, verifyingContract: config.token },
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: terms,
  })
  await chain.confirm(
    chain.as(1).writeContract({
      address: config.token,
      abi: devUsdcAbi,
      functionName: 'transferWithAuthorization',
      args: [
        ...([terms.from, terms.to, terms.value, terms.validAfter, terms.validBefore, terms.nonce] as const),
        signature,
      ],
    }),
  )
  node.interfere = () => undefined
}

const TRANSFER_TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** Repeats a settle as a stock seller does, while leases end, until it is settled or was delivered before. */
const settleUntilKnown = (body: object) =>
  waitFor(async () => {
    await letTimePass(facilitator.db)
    await facilitator.runJobs()
    const { success, errorReason, transaction } = await calls.settle(body)
    return success === true || (errorReason === 'duplicate_settlement' && transaction !== '')
  })

type Body = Awaited<ReturnType<typeof voucherBody>>
const withPayload = (body: Body, payload: object) => ({
  ...body,
  paymentPayload: { ...body.paymentPayload, payload },
})
const withRequirements = (body: Body, requirements: object) => ({
  ...body,
  paymentPayload: { ...body.paymentPayload, accepted: requirements },
  paymentRequirements: requirements,
})
const onRequirements = (body: Body, { requirements }: TestChannel) => withRequirements(body, requirements)
const depositOf = (body: Body) => (body.paymentPayload.payload as { deposit: object }).deposit
const voucherOf = (body: Body, { channelId }: TestChannel) => ({
  ...(body.paymentPayload.payload as { voucher: object }).voucher,
  channelId,
})
