import { randomBytes } from 'node:crypto'
import { waitForBlockedStatements } from '@mintmark/devkit/testing'
import { openDatabase } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { facilitatorSchema } from '../../../database/schema.ts'
import type { Tables } from '../../../database/tables.ts'
import { testMoney } from '../../../engine/testing-engine.ts'
import type { Voucher } from './channel-terms.ts'
import { createStoreVoucher, listVouchers, type StoreVoucher } from './voucher-store.ts'

const CHAIN_ID = 84532
const MANY = 20_000
/** Far below the rows, and above what a part of a list reads. */
const FEW = 500
const ALL = { before: undefined, size: 1000 }

const money = await testMoney()
/** Another process, whose statements the tests see. */
let other: ReturnType<typeof openDatabase<Tables>>
/** May analyze tables. */
let owner: ReturnType<typeof openDatabase>
const statements: string[] = []
let store: StoreVoucher
let storeElsewhere: StoreVoucher

beforeAll(async () => {
  other = openDatabase<Tables>({ url: money.url, role: facilitatorSchema.role, max: 4 })
  other.pool.on('connect', (client) => {
    const query = client.query.bind(client)
    // Every overload of `query` has the text, or an object with the text, as its first argument.
    client.query = ((first: string | { text: string }, ...rest: []) => {
      statements.push(typeof first === 'string' ? first : first.text)
      return query(first as string, ...rest)
    }) as typeof client.query
  })
  owner = openDatabase({ url: money.url, max: 1 })
  store = createStoreVoucher(money.db)
  storeElsewhere = createStoreVoucher(other.system)
})
afterAll(async () => {
  await other.close()
  await owner.close()
})

const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`
const config = {
  payer: `0x${'5e'.repeat(20)}`,
  payerAuthorizer: `0x${'5a'.repeat(20)}`,
  receiver: `0x${'5f'.repeat(20)}`,
  receiverAuthorizer: `0x${'5b'.repeat(20)}`,
  token: `0x${'60'.repeat(20)}`,
  withdrawDelay: 900,
  salt: `0x${'61'.repeat(32)}`,
}
const voucherOf = (channelId: string, maximum: bigint): Voucher => ({
  config,
  channelId,
  maximum,
  signature: `0x${maximum.toString(16).padStart(130, '0')}`,
})
const acceptedOf = (accountId: number, channelId: string, maximum: bigint) => ({
  accountId,
  chainId: CHAIN_ID,
  voucher: voucherOf(channelId, maximum),
})
const newAccountId = async () => (await money.account({ settles: 0 })).id
const list = async (accountId: number) => await listVouchers(money.db, accountId, {}, ALL)

/** Lists the total and the end of the signature of each channel. */
async function read(accountId: number): Promise<Map<string, string>> {
  const vouchers = await list(accountId)
  return new Map(
    vouchers.map(({ channelId, maximum, signature }) => [
      channelId,
      `${maximum} ${BigInt(`0x${signature.slice(-8)}`)}`,
    ]),
  )
}

describe('the store of vouchers', () => {
  it('writes the vouchers of concurrent calls in one statement', async () => {
    const accounts = await Promise.all([newAccountId(), newAccountId()])
    const channels = Array.from({ length: 100 }, () => hex(32))
    // Opens a connection, whose role is set once.
    await Promise.all(accounts.map((id) => storeElsewhere(acceptedOf(id, hex(32), 1n))))
    statements.length = 0
    await Promise.all(
      channels.flatMap((channelId) =>
        accounts.flatMap((id) =>
          [7n, 9n].map((maximum) => storeElsewhere(acceptedOf(id, channelId, maximum))),
        ),
      ),
    )
    expect(statements).toEqual([expect.stringMatching(/insert into facilitator.channel_vouchers/)])
    for (const id of accounts) expect(await list(id)).toHaveLength(101)
  })

  it('keeps the highest of several vouchers of a channel, together or one after the other', async () => {
    const id = await newAccountId()
    const channelId = hex(32)
    for (const [maxima, highest] of [
      [[20n, 70n, 50n], '70 70'],
      [[60n], '70 70'],
      [[2n ** 128n - 1n, 80n], `${2n ** 128n - 1n} ${2n ** 32n - 1n}`],
      [[90n], `${2n ** 128n - 1n} ${2n ** 32n - 1n}`],
    ] as const) {
      await Promise.all(maxima.map((maximum) => store(acceptedOf(id, channelId, maximum))))
      expect(await read(id)).toEqual(new Map([[channelId, highest]]))
    }
  })

  it('keeps the vouchers of different chains and accounts separate', async () => {
    const [one, two] = [await newAccountId(), await newAccountId()]
    const channelId = hex(32)
    await store(acceptedOf(one, channelId, 5n))
    await store({ ...acceptedOf(one, channelId, 6n), chainId: 1 })
    await store(acceptedOf(two, channelId, 9n))
    expect((await list(one)).map(({ chainId, maximum }) => [chainId, maximum])).toEqual([
      [1, '6'],
      [CHAIN_ID, '5'],
    ])
    expect((await list(two)).map(({ maximum }) => maximum)).toEqual(['9'])
  })

  it.for([
    [40n, '60'],
    [80n, '80'],
  ] as const)('compares %s with what another process writes meanwhile', async ([maximum, highest]) => {
    const id = await newAccountId()
    const channelId = hex(32)
    await store(acceptedOf(id, channelId, 20n))
    let later: Promise<void> | undefined
    await other.system.transaction().execute(async (trx) => {
      await createStoreVoucher(trx)(acceptedOf(id, channelId, 60n))
      later = store(acceptedOf(id, channelId, maximum))
      await waitForBlockedStatements(money.db)
    })
    await later
    expect((await list(id)).map((voucher) => voucher.maximum)).toEqual([highest])
  })

  it('locks rows in the order of their key, so that two processes cannot deadlock', async () => {
    const id = await newAccountId()
    const [low = '', high = ''] = [hex(32), hex(32)].toSorted()
    await Promise.all([low, high].map((channelId) => store(acceptedOf(id, channelId, 1n))))
    let later: Promise<unknown> | undefined
    await other.system.transaction().execute(async (trx) => {
      const first = createStoreVoucher(trx)
      await first(acceptedOf(id, low, 2n))
      later = Promise.all([high, low].map((channelId) => store(acceptedOf(id, channelId, 3n))))
      await waitForBlockedStatements(money.db)
      // The other statement has no lock of this row, because it waits for the one before.
      await sql`select from facilitator.channel_vouchers where account_id = ${id} and channel_id = ${high}
        for update nowait`.execute(trx)
      await first(acceptedOf(id, high, 2n))
    })
    await later
    expect((await list(id)).map(({ maximum }) => maximum)).toEqual(['3', '3'])
  })

  it('fails only the voucher that cannot be written', async () => {
    const id = await newAccountId()
    const channelId = hex(32)
    const outcomes = await Promise.allSettled([
      store(acceptedOf(id, channelId, 5n)),
      // No such account.
      store(acceptedOf(2_000_000_000, channelId, 5n)),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(await list(id)).toHaveLength(1)
  })
})

describe('the list of vouchers', () => {
  it('reads few rows of an account with many, and none of others', async () => {
    const [busy, quiet] = [await newAccountId(), await newAccountId()]
    await sql`
      insert into facilitator.channel_vouchers (account_id, chain_id, channel_id, payer, payer_authorizer, receiver,
        receiver_authorizer, token, withdraw_delay, salt, maximum, signature)
      select ${busy}::bigint, 4711, 'many-' || n, '0xpayer-' || n % 100, '', '0xreceiver-' || n % 100, '', '', 900, '', 1, ''
      from generate_series(1, ${MANY}::int) n`.execute(money.db)
    await sql`analyze facilitator.channel_vouchers`.execute(owner.system)
    const part = { before: undefined, size: 20 }
    for (const filter of [{}, { payer: '0xPAYER-7' }, { receiver: '0xreceiver-7' }]) {
      const name = JSON.stringify(filter)
      expect(await countReads((db) => listVouchers(db, busy, filter, part)), name).toBeLessThan(FEW)
      expect(await listVouchers(money.db, busy, filter, part), name).toHaveLength(20)
      expect(await countReads((db) => listVouchers(db, quiet, filter, part)), name).toBeLessThan(FEW)
      expect(await listVouchers(money.db, quiet, filter, part), name).toEqual([])
    }
  })
})

/** Counts the rows and index entries that a session has read of the vouchers. */
async function readCounter(trx: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ entries: string }>`
    select sum(pg_stat_get_xact_tuples_returned(c.oid)) as entries from pg_class c
    left join pg_index i on i.indexrelid = c.oid
    where coalesce(i.indrelid, c.oid) = 'facilitator.channel_vouchers'::regclass`.execute(trx)
  return Number(rows[0]?.entries)
}

/** Counts what `work` reads. The counters of a session also have what earlier transactions read. */
async function countReads(work: (db: Kysely<Tables>) => Promise<unknown>): Promise<number> {
  return await money.db.transaction().execute(async (trx) => {
    const before = await readCounter(trx)
    await work(trx)
    return (await readCounter(trx)) - before
  })
}
