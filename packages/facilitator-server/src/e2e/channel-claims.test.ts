// What lagging nodes and other parties cannot do to the claims of payment channels: be charged for a
// transaction that changed nothing.
import { batchSettlementAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { batchSettlementAddress } from '@mintmark/devkit/chain/chain'
import { openChains } from '@mintmark/evm-reader'
import { createLog, readEnvironment } from '@mintmark/server-kit'
import type { Hex } from 'viem'
import { beforeEach, expect, it } from 'vitest'
import { createChainReader } from '../chains/evm/reads/reader.ts'
import { DEFAULT_REVERT_LIMITS } from '../engine/settings/engine-options.ts'
import { listReverts } from '../ledger/settlements/reverts.ts'
import { reasons } from '../payment/reasons.ts'
import { channelOperation } from '../schemes/evm/batch-settlement/channel-schemes.ts'
import { startFacilitator } from '../server.ts'
import { settlePrice, type TestAccount } from '../testing.ts'
import { testConfiguration } from '../testing-configuration.ts'
import { openChannelFixture, waitFor } from './testing-channel-fixture.ts'
import {
  callsOf,
  claimBody,
  depositBody,
  NETWORK,
  openChannel,
  refundBody,
  type TestChannel,
} from './testing-channels.ts'

const fixture = await openChannelFixture()
const { chain, node, facilitator, settlementsOf, readChannel, openFunded } = fixture
const { countCharges, settleReason, settleWithoutBroadcast, waitUntilEnded } = fixture
let account: TestAccount
let calls: ReturnType<typeof callsOf>
beforeEach(() => {
  account = fixture.account
  calls = fixture.calls
})

const REASON = 'invalid_batch_settlement_evm_cumulative_below_claimed'

type ClaimBody = Awaited<ReturnType<typeof claimBody>>

/**
 * Sends claims without the facilitator, and lets the node accept transactions. Returns the transaction's
 * hash.
 */
async function claimDirectly(body: ClaimBody): Promise<Hex> {
  const { claims, claimAuthorizerSignature } = body.paymentPayload.payload as {
    claims: {
      voucher: { channel: TestChannel['config']; maxClaimableAmount: string }
      signature: Hex
      totalClaimed: string
    }[]
    claimAuthorizerSignature: Hex
  }
  const rows = claims.map(({ voucher, signature, totalClaimed }) => ({
    voucher: { channel: voucher.channel, maxClaimableAmount: BigInt(voucher.maxClaimableAmount) },
    signature,
    totalClaimed: BigInt(totalClaimed),
  }))
  const contract = { address: batchSettlementAddress, abi: batchSettlementAbi } as const
  const { transactionHash } = await chain.confirm(
    chain.as(1).writeContract({
      ...contract,
      functionName: 'claimWithSignature',
      args: [rows, claimAuthorizerSignature],
    }),
  )
  node.interfere = () => undefined
  return transactionHash
}

it('a claim that changes nothing because another party has sent it first, fails and is not charged, and the next one is settled', async () => {
  const channel = await openFunded()
  const body = await claimBody(chain, [{ channel, total: 10_000n }])
  await settleWithoutBroadcast(body)
  await claimDirectly(body)
  await waitUntilEnded()
  expect((await settlementsOf(account)).at(-1)).toMatchObject({ state: 'failed', reason: REASON })
  expect(await countCharges()).toBe(1n)
  expect(await listReverts(facilitator.db, DEFAULT_REVERT_LIMITS)).toContainEqual({
    kind: 'account',
    subject: String(account.id),
    reverts: 1,
    refused: false,
  })
  expect(await calls.settle(await claimBody(chain, [{ channel, total: 25_000n }]))).toMatchObject({
    success: true,
  })
  expect(await readChannel(channel)).toEqual([100_000n, 25_000n])
  expect(await countCharges()).toBe(2n)
})

it('a claim that changes nothing counts as a revert before its block is final, so that the account can be refused at once', async () => {
  const channel = await openFunded()
  const body = await claimBody(chain, [{ channel, total: 10_000n }])
  await settleWithoutBroadcast(body)
  await claimDirectly(body)
  await waitFor(async () => {
    await facilitator.runJobs()
    return (await listReverts(facilitator.db, DEFAULT_REVERT_LIMITS)).some(
      ({ kind, subject }) => kind === 'account' && subject === String(account.id),
    )
  })
  expect((await settlementsOf(account)).at(-1)).toMatchObject({ state: 'unknown' })
  const env = readEnvironment({ ...facilitator.env, REVERT_LIMIT_PER_ACCOUNT: '1' })
  const limited = await startFacilitator(env, createLog('facilitator', 'silent'), {
    configuration: testConfiguration,
  })
  try {
    const { settle, verify } = callsOf(facilitator, account, limited.url)
    const deposit = await depositBody(chain, await openChannel(chain))
    expect(await verify(deposit)).toMatchObject({ isValid: false, invalidReason: reasons.tooManyReverts })
    const next = await claimBody(chain, [{ channel, total: 20_000n }])
    expect(await settle(next)).toMatchObject({ errorReason: reasons.tooManyReverts })
  } finally {
    await limited.close()
  }
  await waitUntilEnded()
  expect(await listReverts(facilitator.db, DEFAULT_REVERT_LIMITS)).toContainEqual({
    kind: 'account',
    subject: String(account.id),
    reverts: 1,
    refused: false,
  })
})

it('a claim that changes nothing by the state of a lagging node, is not reported as a success', async () => {
  const channel = await openFunded()
  const body = await claimBody(chain, [{ channel, total: 10_000n }])
  node.lags = (method) => method === 'eth_call' || method === 'eth_estimateGas'
  await node.lag()
  await claimDirectly(body)
  expect(await calls.settle(body)).not.toMatchObject({ success: true })
  node.catchUp()
  await waitUntilEnded()
  expect((await settlementsOf(account)).at(-1)).toMatchObject({ state: 'failed', reason: REASON })
  expect(await countCharges()).toBe(1n)
})

it('a claim that changes nothing is not sent while an earlier claim of the channel is not mined, whichever account has sent that', async () => {
  const channel = await openFunded()
  const other = await facilitator.account({ settles: 10 })
  await settleWithoutBroadcast(await claimBody(chain, [{ channel, total: 20_000n }]), other)
  const body = await claimBody(chain, [{ channel, total: 10_000n }])
  expect(await calls.settle(body)).toMatchObject({
    success: false,
    errorMessage: expect.stringContaining('An earlier claim'),
  })
  expect((await settlementsOf(account)).at(-1)).toMatchObject({ state: 'not_sent' })
  node.interfere = () => undefined
  await waitUntilEnded(other)
  expect(await settleReason(body)).toBe(REASON)
  expect(await calls.settle(await claimBody(chain, [{ channel, total: 25_000n }]))).toMatchObject({
    success: true,
  })
  expect(await countCharges()).toBe(2n)
  expect(await facilitator.available(other)).toBe(9n * settlePrice)
})

it('a claim that changes nothing is not sent, because one of several concurrent claims of a channel is', async () => {
  const channel = await openFunded()
  const totals = [30_000n, 20_000n, 10_000n]
  const bodies = await Promise.all(totals.map((total) => claimBody(chain, [{ channel, total }])))
  await chain.client.setAutomine(false)
  const settling = Promise.all(bodies.map(calls.settle))
  const countUnsent = async () =>
    (await settlementsOf(account)).filter(({ state }) => state === 'not_sent').length
  await waitFor(async () => (await countUnsent()) === 2)
  await chain.client.setAutomine(true)
  await chain.client.mine({ blocks: 1 })
  expect((await settling).filter(({ success }) => success)).toHaveLength(1)
  expect(await countCharges()).toBe(2n)
})

it('a claim that changes nothing is no part of a claim that changes something else', async () => {
  const first = await openFunded()
  const { authorizer } = first
  const second = await openFunded({ authorizer, receiver: first.config.receiver })
  await claimDirectly(await claimBody(chain, [{ channel: first, total: 10_000n }]))
  const both = await claimBody(chain, [
    { channel: first, total: 10_000n },
    { channel: second, total: 5_000n },
  ])
  expect(await calls.settle(both)).toMatchObject({ success: true })
  expect(await readChannel(second)).toEqual([100_000n, 5_000n])
  expect(await countCharges()).toBe(3n)
})

it('a claim that changes nothing is no reason against a refund that claims nothing new', async () => {
  const channel = await openFunded()
  await claimDirectly(await claimBody(chain, [{ channel, total: 10_000n }]))
  const body = await refundBody(chain, channel, { total: 10_000n, amount: 20_000n })
  expect(await calls.settle(body)).toMatchObject({ success: true, amount: '20000' })
  expect(await countCharges()).toBe(2n)
})

it('a claim that changes nothing does not hide the transaction of ours that claimed, whichever was signed first', async () => {
  const channel = await openFunded()
  const body = await claimBody(chain, [{ channel, total: 10_000n }])
  const [claiming, empty] = [await claimDirectly(body), await claimDirectly(body)]
  await chain.client.mine({ blocks: 5 })
  const inspect = (...own: string[]) =>
    createChainReader({
      chains: openChains([{ id: 84532, rpcUrls: [node.url], finality: { depth: 3 } }]),
      listSignedTransactions: async () => own,
    }).inspect({
      scheme: channelOperation,
      network: NETWORK,
      amount: 0n,
      nonce: `0x${'1'.repeat(64)}`,
      payer: channel.config.receiver.toLowerCase(),
      payTo: channel.config.receiver.toLowerCase(),
      validBefore: 4_000_000_000n,
      asset: chain.token.toLowerCase(),
      domain: batchSettlementAddress.toLowerCase(),
    })
  expect(await inspect(empty)).toEqual({ kind: 'failed', reason: REASON, withoutEffect: empty })
  for (const own of [[claiming], [claiming, empty], [empty, claiming]])
    expect(await inspect(...own)).toMatchObject({ kind: 'settled', transaction: claiming, final: true })
})
