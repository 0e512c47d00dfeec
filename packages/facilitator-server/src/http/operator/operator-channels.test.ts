import { randomBytes } from 'node:crypto'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { batchSettlementAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { batchSettlementAddress } from '@mintmark/devkit/chain/chain'
import { testChain } from '@mintmark/devkit/chain/testing'
import { openChains } from '@mintmark/evm-reader'
import { operatorChannels } from '@mintmark/facilitator/operator'
import { openDatabase } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import { createWalletClient, http } from 'viem'
import { afterAll, describe, expect, it } from 'vitest'
import type { Tables } from '../../database/tables.ts'
import {
  callsOf,
  claimBody,
  depositBody,
  newAccount,
  openChannel,
  refundBody,
  settleBody,
  type TestChannel,
} from '../../e2e/testing-channels.ts'
import { listChannels, recordChannels } from '../../schemes/evm/batch-settlement/channel-store.ts'
import type { ChannelAction, Voucher } from '../../schemes/evm/batch-settlement/channel-terms.ts'
import { readChannels } from '../../schemes/evm/batch-settlement/read-channels.ts'
import { testFacilitator } from '../../testing.ts'
import { OPERATOR_TOKEN, operatorClient } from './testing-operator.ts'

const MANY = 20_000
/** Far below the rows, and above what a part of a list reads. */
const FEW = 500

const chain = await testChain()
const facilitator = await testFacilitator({
  chain,
  signerKeys: [devAccount(9).privateKey],
  env: { OPERATOR_TOKEN },
})
/** Sees what the sessions of the facilitator wait for. */
const owner = openDatabase({ url: facilitator.databaseUrl, max: 1 })
afterAll(async () => {
  await owner.close()
  await facilitator.close()
})
const operator = operatorClient(facilitator.url)
const calls = callsOf(facilitator, await facilitator.account({ settles: 100 }))

async function settle(body: object): Promise<void> {
  expect(await calls.settle(body)).toMatchObject({ success: true })
}

/** Opens a channel with a deposit of 100,000 and a first voucher of 10,000. */
async function openFunded(given?: Parameters<typeof openChannel>[1]): Promise<TestChannel> {
  const channel = await openChannel(chain, given)
  await settle(await depositBody(chain, channel))
  return channel
}

async function read({ payer }: TestChannel) {
  const { channels } = await operatorChannels.list(operator, { payer: payer.address })
  expect(channels).toHaveLength(1)
  return channels[0]
}

describe('operatorChannels.list', () => {
  it('shows a channel from its deposit over its claim and payout to its refund', async () => {
    const channel = await openFunded()
    const { config, channelId } = channel
    const opened = await read(channel)
    expect(opened).toMatchObject({
      chainId: 84532,
      channelId,
      status: 'open',
      problem: '',
      payer: config.payer.toLowerCase(),
      receiver: config.receiver.toLowerCase(),
      token: config.token.toLowerCase(),
      deposited: '100000',
      claimed: '0',
      highestVoucher: '10000',
      unclaimed: '10000',
      unpaid: '0',
    })
    expect(opened).not.toHaveProperty('withdrawTime')
    await settle(await claimBody(chain, [{ channel, total: 20_000n, maximum: 30_000n }]))
    const claimed = await read(channel)
    expect(claimed).toMatchObject({
      claimed: '20000',
      highestVoucher: '30000',
      unclaimed: '10000',
      unpaid: '20000',
    })
    expect(claimed?.settlementId).toBeGreaterThan(opened?.settlementId ?? 0)
    expect(claimed?.createTime).toBe(opened?.createTime)
    await settle(settleBody(channel))
    expect(await read(channel)).toMatchObject({ claimed: '20000', unpaid: '0' })
    await settle(await refundBody(chain, channel, { total: 25_000n, amount: 75_000n }))
    // The voucher of 30,000 exceeds what is left.
    expect(await read(channel)).toMatchObject({
      status: 'used',
      deposited: '25000',
      claimed: '25000',
      unclaimed: '0',
    })
  })

  it('shows when a payer can withdraw who has announced it', async () => {
    const channel = await openFunded()
    await chain.client.setBalance({ address: channel.payer.address, value: 10n ** 18n })
    const wallet = createWalletClient({ account: channel.payer, transport: http(chain.rpcUrl) })
    await chain.confirm(
      wallet.writeContract({
        chain: null,
        address: batchSettlementAddress,
        abi: batchSettlementAbi,
        functionName: 'initiateWithdraw',
        args: [channel.config, 100_000n],
      }),
    )
    const { timestamp } = await chain.client.getBlock()
    const shown = await read(channel)
    expect(shown?.status).toBe('withdrawing')
    const seconds = Date.parse(shown?.withdrawTime ?? '') / 1000
    expect(seconds).toBe(Number(timestamp) + channel.config.withdrawDelay)
  })

  it('finds channels by their receiver, in parts, newest first, each once', async () => {
    const receiver = newAccount().address
    const authorizer = newAccount()
    const opened: TestChannel[] = []
    for (let each = 0; each < 3; each += 1) opened.push(await openFunded({ receiver, authorizer }))
    const ids: string[] = []
    let before: number | undefined
    do {
      const { channels, next } = await operatorChannels.list(operator, {
        receiver,
        size: 2,
        ...(before && { before }),
      })
      ids.push(...channels.map(({ channelId }) => channelId))
      before = next
    } while (before !== undefined)
    expect(ids).toEqual(opened.map(({ channelId }) => channelId).toReversed())
    // One claim of all of them makes no second rows.
    await settle(
      await claimBody(
        chain,
        opened.map((channel) => ({ channel, total: 10_000n })),
      ),
    )
    const { channels } = await operatorChannels.list(operator, { receiver })
    expect(channels.map(({ claimed, unpaid }) => [claimed, unpaid])).toEqual(
      Array(3).fill(['10000', '30000']),
    )
    expect(new Set(channels.map(({ settlementId }) => settlementId)).size).toBe(1)
  })
})

/** A channel that exists in the database only. */
const voucherOf = (channelId: string, maximum: bigint, payer = `0x${'5e'.repeat(20)}`): Voucher => ({
  config: {
    payer,
    payerAuthorizer: payer,
    receiver: `0x${'5f'.repeat(20)}`,
    receiverAuthorizer: `0x${'5f'.repeat(20)}`,
    token: `0x${'60'.repeat(20)}`,
    withdrawDelay: 900,
    salt: `0x${'00'.repeat(32)}`,
  },
  channelId,
  maximum,
  signature: '0x',
})
const claimOf = (vouchers: readonly Voucher[]): ChannelAction => ({
  kind: 'claim',
  signed: { claims: vouchers.map((voucher) => ({ ...voucher, total: voucher.maximum })), signature: '0x' },
})
const newChannelId = () => `0x${randomBytes(32).toString('hex')}`

describe('the record of channels', () => {
  const findSettlement = async () => String((await facilitator.settlements()).at(-1)?.id)
  const record = async (action: ChannelAction, chainId = 4711) =>
    await recordChannels(facilitator.db, { chainId, settlementId: await findSettlement() }, action)
  const find = async (channelId: string) => {
    const channels = await listChannels(facilitator.db, {}, { before: undefined, size: 100 })
    return channels.find((channel) => channel.channelId === channelId)
  }

  /** Counts the statements that wait for a row of another transaction. */
  const countWaiting = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%facilitator.channels%'`.execute(
      owner.system,
    )
    return rows[0]?.count
  }

  it('the record of channels has the highest voucher of a channel, whatever the order, and however often a claim names the channel', async () => {
    const channelId = newChannelId()
    await record(claimOf([2n, 7n, 5n].map((maximum) => voucherOf(channelId, maximum))))
    expect(await find(channelId)).toMatchObject({ highestVoucher: '7' })
    await record({
      kind: 'refund',
      voucher: voucherOf(channelId, 6n),
      amount: 1n,
      refundNonce: 0n,
      signature: '0x',
      signed: undefined,
    })
    expect(await find(channelId)).toMatchObject({ highestVoucher: '7' })
    await record({ kind: 'deposit', voucher: voucherOf(channelId, 9n) })
    expect(await find(channelId)).toMatchObject({ highestVoucher: '9' })
  })

  it('the record of channels is written in the order of the ids, so that claims of the same channels cannot deadlock', async () => {
    const [low = '', high = ''] = [newChannelId(), newChannelId()].toSorted()
    const settlement = { chainId: 4711, settlementId: await findSettlement() }
    let later: Promise<void> | undefined
    await facilitator.db.transaction().execute(async (trx) => {
      await recordChannels(trx, settlement, claimOf([voucherOf(low, 1n)]))
      later = record(claimOf([voucherOf(high, 2n), voucherOf(low, 2n)]))
      await expect.poll(countWaiting).toBe(1)
      // The other claim has no lock of this channel, because it waits for the one before.
      await recordChannels(trx, settlement, claimOf([voucherOf(high, 1n)]))
    })
    await later
    for (const channelId of [low, high]) expect(await find(channelId)).toMatchObject({ highestVoucher: '2' })
  })

  it('says why a chain cannot be read, and still lists its channels', async () => {
    const channelId = newChannelId()
    await record({ kind: 'deposit', voucher: voucherOf(channelId, 9n) })
    const { channels } = await operatorChannels.list(operator, { size: 100 })
    const listed = channels.find((channel) => channel.channelId === channelId)
    expect(listed).toMatchObject({ status: 'unreadable', problem: 'The chain is not among CHAINS' })
    expect(listed).not.toHaveProperty('deposited')
    const known = await find(channelId)
    const chains = openChains([{ id: 4711, rpcUrls: ['http://127.0.0.1:9'], finality: { depth: 3 } }])
    const observed = await readChannels(chains, known === undefined ? [] : [known])
    expect([...observed.values()]).toEqual([{ state: undefined, problem: expect.stringMatching(/./) }])
  })

  it('the record of channels is listed by few rows, although there are many', async () => {
    const settlementId = await findSettlement()
    await sql`insert into facilitator.channels (chain_id, channel_id, payer, receiver, token, withdraw_delay, highest_voucher,
        settlement_id)
      select 4711, 'many-' || n, '0xbusy', '0xbusy', '0xtoken', 900, 1, ${settlementId}::bigint
      from generate_series(1, ${MANY}::int) n`.execute(facilitator.db)
    await sql`analyze facilitator.channels`.execute(facilitator.db)
    const part = { before: undefined, size: 20 }
    const filters = [
      {},
      { payer: '0xbusy' },
      { receiver: '0xbusy' },
      { payer: `0x${'5e'.repeat(20)}` },
      { receiver: '0xnobody' },
    ]
    for (const filter of filters)
      expect(await countReads((db) => listChannels(db, filter, part)), JSON.stringify(filter)).toBeLessThan(
        FEW,
      )
  })
})

/** Counts the rows and index entries that a session has read of the channels. */
async function readCounter(trx: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ entries: string }>`
    select sum(pg_stat_get_xact_tuples_returned(c.oid)) as entries from pg_class c
    left join pg_index i on i.indexrelid = c.oid
    where coalesce(i.indrelid, c.oid) = 'facilitator.channels'::regclass`.execute(trx)
  return Number(rows[0]?.entries)
}

/** Counts what `work` reads. The counters of a session also have what earlier transactions read. */
async function countReads(work: (db: Kysely<Tables>) => Promise<unknown>): Promise<number> {
  return await facilitator.db.transaction().execute(async (trx) => {
    const before = await readCounter(trx)
    await work(trx)
    return (await readCounter(trx)) - before
  })
}
