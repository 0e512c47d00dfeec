// The vouchers that the facilitator stores for sellers, from a verify to a claim of what is listed.
import { channelVouchers } from '@mintmark/facilitator'
import { beforeEach, describe, expect, it } from 'vitest'
import type { TestAccount } from '../testing.ts'
import { openChannelFixture } from './testing-channel-fixture.ts'
import {
  callsOf,
  depositBody,
  listedClaimBody,
  newAccount,
  openChannel,
  type TestChannel,
  voucherBody,
} from './testing-channels.ts'

const fixture = await openChannelFixture()
const { chain, node, facilitator, readChannel, openFunded, countCharges } = fixture
let account: TestAccount
let calls: ReturnType<typeof callsOf>
beforeEach(() => {
  node.interfere = () => undefined
  account = fixture.account
  calls = fixture.calls
})

async function list(of: TestAccount = account, input: Parameters<typeof channelVouchers.list>[1] = {}) {
  return (await channelVouchers.list(facilitator.client(of), input)).vouchers
}

/** Lists the totals that an account has of its channels, the newest channel first. */
const listTotals = async (of?: TestAccount) =>
  (await list(of)).map(({ maxClaimableAmount }) => maxClaimableAmount)

const readVoucher = async (channel: TestChannel, maximum: bigint) =>
  (await voucherBody(chain, channel, maximum)).paymentPayload.payload as {
    voucher: { signature: string }
  }

/** Verifies a voucher, which must be valid. */
async function verify(channel: TestChannel, maximum: bigint, by = calls): Promise<void> {
  expect(await by.verify(await voucherBody(chain, channel, maximum))).toMatchObject({ isValid: true })
}

it('a voucher that verify accepts is listed with what a claim of it requires', async () => {
  const channel = await openFunded()
  await verify(channel, 20_000n)
  const { config, channelId } = channel
  const { voucher } = await readVoucher(channel, 20_000n)
  expect(await list()).toEqual([
    {
      id: expect.any(Number),
      network: 'eip155:84532',
      channelId,
      channelConfig: {
        payer: config.payer.toLowerCase(),
        payerAuthorizer: config.payerAuthorizer.toLowerCase(),
        receiver: config.receiver.toLowerCase(),
        receiverAuthorizer: config.receiverAuthorizer.toLowerCase(),
        token: config.token.toLowerCase(),
        withdrawDelay: 900,
        salt: config.salt,
      },
      maxClaimableAmount: '20000',
      signature: voucher.signature,
      channelState: { balance: '100000', totalClaimed: '0', withdrawRequestedAt: 0, refundNonce: '0' },
      createTime: expect.any(String),
      changeTime: expect.any(String),
    },
  ])
})

it('a voucher of a verified deposit is stored if its channel has a balance', async () => {
  const channel = await openChannel(chain)
  expect(await calls.verify(await depositBody(chain, channel))).toMatchObject({ isValid: true })
  expect(await list()).toEqual([])
  expect(await calls.settle(await depositBody(chain, channel))).toMatchObject({ success: true })
  const further = await depositBody(chain, channel, { maximum: 120_000n })
  expect(await calls.verify(further)).toMatchObject({ isValid: true })
  expect(await list()).toMatchObject([{ maxClaimableAmount: '120000', channelState: { balance: '100000' } }])
})

it('a voucher that asks for a refund is stored', async () => {
  const channel = await openFunded()
  const body = await voucherBody(chain, channel, 30_000n, { type: 'refund' })
  expect(await calls.verify(body)).toMatchObject({ isValid: true })
  expect(await listTotals()).toEqual(['30000'])
})

it('a voucher that verify refuses is not stored', async () => {
  const channel = await openFunded()
  const unfunded = await openChannel(chain)
  const refused = [
    await voucherBody(chain, channel, 20_000n, { signer: newAccount() }),
    await voucherBody(chain, channel, 100_001n),
    await voucherBody(chain, unfunded, 20_000n),
  ]
  for (const body of refused) expect(await calls.verify(body)).toMatchObject({ isValid: false })
  expect(await listTotals()).toEqual(['10000'])
})

it('a voucher that a lagging node refuses is stored when it is repeated', async () => {
  const head = await chain.client.getBlockNumber()
  const channel = await openFunded()
  node.head = head
  expect(await calls.verify(await voucherBody(chain, channel, 20_000n))).toMatchObject({ isValid: false })
  expect(await listTotals()).toEqual(['10000'])
  node.catchUp()
  await verify(channel, 20_000n)
  expect(await listTotals()).toEqual(['20000'])
})

it('an account sees only what its own keys presented, and another one changes nothing of it', async () => {
  const channel = await openFunded()
  await verify(channel, 20_000n)
  const stored = await list()
  const stranger = await facilitator.account()
  expect(await list(stranger)).toEqual([])
  await verify(channel, 70_000n, callsOf(facilitator, stranger))
  expect(await list()).toEqual(stored)
  expect(await listTotals(stranger)).toEqual(['70000'])
  await verify(channel, 30_000n)
  expect(await listTotals()).toEqual(['30000'])
  expect(await list(stranger, { before: (await list(stranger))[0]?.id ?? 0 })).toEqual([])
})

it('an account finds its vouchers by the payer and the receiver, in parts, each once', async () => {
  const receiver = newAccount().address
  const channels: TestChannel[] = []
  for (let each = 0; each < 3; each += 1) channels.push(await openFunded({ receiver }))
  const unrelated = await openFunded()
  const ids: string[] = []
  let before: number | undefined
  do {
    const part = await channelVouchers.list(facilitator.client(account), {
      receiver,
      size: 2,
      ...(before && { before }),
    })
    expect(part.vouchers.length).toBeLessThanOrEqual(2)
    ids.push(...part.vouchers.map(({ channelId }) => channelId))
    before = part.next
  } while (before !== undefined)
  expect(ids).toEqual(channels.map(({ channelId }) => channelId).toReversed())
  const { payer } = unrelated.config
  expect(await list(account, { payer })).toMatchObject([{ channelId: unrelated.channelId }])
  expect(await list(account, { payer, receiver })).toEqual([])
  expect(await list()).toHaveLength(4)
})

it('an account is required, and a size that is too large is refused by its name', async () => {
  await expect(channelVouchers.list(facilitator.client())).rejects.toMatchObject({ status: 401 })
  for (const size of [0, 101])
    await expect(list(account, { size })).rejects.toMatchObject({ issues: [{ path: 'size' }] })
})

it('an account sees its vouchers without a state while the chain cannot be read', async () => {
  const channel = await openFunded()
  node.interfere = () => 'hang up'
  const [listed] = await list()
  node.interfere = () => undefined
  expect(listed).toMatchObject({ channelId: channel.channelId, maxClaimableAmount: '10000' })
  expect(listed).not.toHaveProperty('channelState')
})

describe('a seller that lost its vouchers', () => {
  it('claims the listed ones of several channels in one transaction', async () => {
    const seller = { receiver: newAccount().address, authorizer: newAccount() }
    const channels = [await openFunded(seller), await openFunded(seller), await openFunded(seller)]
    for (const [index, channel] of channels.entries()) await verify(channel, 20_000n * BigInt(index + 1))
    const { vouchers } = await channelVouchers.list(facilitator.client(account), {
      receiver: seller.receiver,
    })
    const claim = await listedClaimBody(vouchers, seller.authorizer)
    const settled = await calls.settle(claim)
    expect(settled).toMatchObject({ success: true, transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
    expect(await Promise.all(channels.map(readChannel))).toEqual([
      [100_000n, 20_000n],
      [100_000n, 40_000n],
      [100_000n, 60_000n],
    ])
    expect((await list()).map(({ channelState }) => channelState?.totalClaimed)).toEqual([
      '60000',
      '40000',
      '20000',
    ])
    // The three deposits and the claim.
    expect(await countCharges()).toBe(4n)
  })
})
