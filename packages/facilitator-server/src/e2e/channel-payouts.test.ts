// What lagging nodes, other parties and crashes cannot do to the payouts of payment channels.
import { batchSettlementAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { batchSettlementAddress } from '@mintmark/devkit/chain/chain'
import { openChains } from '@mintmark/evm-reader'
import type { Hex } from 'viem'
import { beforeEach, expect, it } from 'vitest'
import { createChainReader } from '../chains/evm/reads/reader.ts'
import { DEFAULT_REVERT_LIMITS } from '../engine/settings/engine-options.ts'
import { letTimePass } from '../engine/testing-engine.ts'
import { listReverts } from '../ledger/settlements/reverts.ts'
import type { ChainOutcome } from '../payment/payment.ts'
import { channelOperation } from '../schemes/evm/batch-settlement/channel-schemes.ts'
import type { TestAccount } from '../testing.ts'
import { openChannelFixture, waitFor } from './testing-channel-fixture.ts'
import { type callsOf, claimBody, NETWORK, settleBody, type TestChannel } from './testing-channels.ts'

const fixture = await openChannelFixture()
const { chain, node, facilitator, settlementsOf, balanceOf, openFunded } = fixture
const { countCharges, settleReason, settleWithoutBroadcast } = fixture
let account: TestAccount
let calls: ReturnType<typeof callsOf>
beforeEach(() => {
  account = fixture.account
  calls = fixture.calls
})

it('a payout is one settlement for the same claims, and another one after later claims', async () => {
  const channel = await openFunded()
  await calls.settle(await claimBody(chain, [{ channel, total: 10_000n }]))
  const both = await Promise.all([calls.settle(settleBody(channel)), calls.settle(settleBody(channel))])
  expect(both.some(({ success }) => success)).toBe(true)
  expect(await settleReason(settleBody(channel))).toBe('invalid_batch_settlement_evm_nothing_to_settle')
  await calls.settle(await claimBody(chain, [{ channel, total: 25_000n }]))
  expect(await calls.settle(settleBody(channel))).toMatchObject({ success: true, amount: '15000' })
  expect(await balanceOf(channel.config.receiver)).toBe(25_000n)
  expect(await countCharges()).toBe(5n)
})

it('a payout that pays nothing, because another party had the same made fails and is not charged, and the next one pays', async () => {
  const channel = await openFunded()
  await calls.settle(await claimBody(chain, [{ channel, total: 10_000n }]))
  await settleWithoutBroadcast(settleBody(channel))
  await payOut(channel)
  await waitFor(async () => {
    await chain.client.mine({ blocks: 1 })
    await letTimePass(facilitator.db)
    await facilitator.runJobs()
    return (await settlementsOf(account)).at(-1)?.state !== 'unknown'
  })
  const reason = 'invalid_batch_settlement_evm_nothing_to_settle'
  expect((await settlementsOf(account)).at(-1)).toMatchObject({ state: 'failed', reason })
  expect(await settleReason(settleBody(channel))).toBe(reason)
  expect(await countCharges()).toBe(2n)
  expect(await listReverts(facilitator.db, DEFAULT_REVERT_LIMITS)).toEqual([
    { kind: 'account', subject: String(account.id), reverts: 1, refused: false },
  ])
  await calls.settle(await claimBody(chain, [{ channel, total: 25_000n }]))
  expect(await calls.settle(settleBody(channel))).toMatchObject({ success: true, amount: '15000' })
  expect(await balanceOf(channel.config.receiver)).toBe(25_000n)
})

it('a payout that pays nothing, because another party had the same made by the state of a lagging node, is not reported as a success', async () => {
  const channel = await openFunded()
  await calls.settle(await claimBody(chain, [{ channel, total: 10_000n }]))
  node.lags = (method) => method === 'eth_call' || method === 'eth_estimateGas'
  await node.lag()
  await payOut(channel)
  expect(await calls.settle(settleBody(channel))).not.toMatchObject({ success: true })
  node.catchUp()
  await waitFor(async () => {
    await chain.client.mine({ blocks: 1 })
    await letTimePass(facilitator.db)
    await facilitator.runJobs()
    return (await settlementsOf(account)).every(({ state }) => state === 'settled' || state === 'failed')
  })
  expect(await balanceOf(channel.config.receiver)).toBe(10_000n)
  expect(await countCharges()).toBe(2n)
})

it('a payout that pays nothing, because another party had the same made does not hide the transaction of ours that paid, whichever was signed first', async () => {
  const channel = await openFunded()
  await calls.settle(await claimBody(chain, [{ channel, total: 10_000n }]))
  const [paying, empty] = [await payOut(channel), await payOut(channel)]
  await chain.client.mine({ blocks: 5 })
  const inspect = (...own: string[]) => inspectPayout(channel, own)
  expect(await inspect(empty)).toEqual({
    kind: 'failed',
    reason: 'invalid_batch_settlement_evm_nothing_to_settle',
    withoutEffect: empty,
  })
  for (const own of [[paying], [paying, empty], [empty, paying]])
    expect(await inspect(...own)).toMatchObject({ kind: 'settled', transaction: paying, final: true })
})

it('a payout that pays nothing, because another party had the same made does not fail while the receipt of another transaction of ours is not known', async () => {
  const channel = await openFunded()
  await calls.settle(await claimBody(chain, [{ channel, total: 10_000n }]))
  const [paying, empty] = [await payOut(channel), await payOut(channel)]
  await chain.client.mine({ blocks: 5 })
  const receipt = await chain.client.request({
    // viem's test client does not list the methods of a public client.
    method: 'eth_getTransactionReceipt' as never,
    params: [paying],
  })
  // The receipt of a node that has not noticed a reorganization.
  const result = { ...(receipt as object), blockHash: `0x${'1'.repeat(64)}` }
  node.interfere = (method, params) =>
    method === 'eth_getTransactionReceipt' && JSON.stringify(params).includes(paying) ? { result } : undefined
  for (const own of [
    [paying, empty],
    [empty, paying],
  ])
    expect(await inspectPayout(channel, own)).toEqual({ kind: 'open' })
  expect(await inspectPayout(channel, [paying], { validBefore: 1n })).toEqual({ kind: 'open' })
  node.interfere = () => undefined
  expect(await inspectPayout(channel, [empty, paying])).toMatchObject({ kind: 'settled', final: true })
})

it('a payout that pays nothing, because another party had the same made for the node that estimates its gas is sent with enough of it', async () => {
  const channel = await openFunded()
  await calls.settle(await claimBody(chain, [{ channel, total: 10_000n }]))
  node.interfere = (method) => (method === 'eth_estimateGas' ? { result: '0x7530' } : undefined)
  expect(await calls.settle(settleBody(channel))).toMatchObject({ success: true, amount: '10000' })
  node.interfere = () => undefined
})

/** Reads the outcome of a payout to the seller of a channel, for which we signed the transactions `own`. */
async function inspectPayout(
  { config }: TestChannel,
  own: string[],
  { validBefore = 4_000_000_000n } = {},
): Promise<ChainOutcome> {
  const seller = config.receiver.toLowerCase()
  return createChainReader({
    chains: openChains([{ id: 84532, rpcUrls: [node.url], finality: { depth: 3 } }]),
    listSignedTransactions: async () => own,
  }).inspect({
    scheme: channelOperation,
    network: NETWORK,
    amount: 0n,
    nonce: `0x${'1'.repeat(64)}`,
    payer: seller,
    payTo: seller,
    validBefore,
    asset: chain.token.toLowerCase(),
    domain: batchSettlementAddress.toLowerCase(),
  })
}

/**
 * Pays the seller out without the facilitator, and lets the node accept transactions. Returns the
 * transaction's hash.
 */
async function payOut({ config }: TestChannel): Promise<Hex> {
  const contract = { address: batchSettlementAddress, abi: batchSettlementAbi } as const
  const args = [config.receiver, config.token] as const
  const { transactionHash } = await chain.confirm(
    chain.as(1).writeContract({ ...contract, functionName: 'settle', args }),
  )
  node.interfere = () => undefined
  return transactionHash
}
