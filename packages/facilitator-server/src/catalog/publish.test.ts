import { randomBytes } from 'node:crypto'
import { openDatabase } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Tables } from '../database/tables.ts'
import {
  letTimePass,
  refuses,
  sendsNothing,
  settles,
  settlesSilently,
  somePayment,
  testMoney,
} from '../engine/testing-engine.ts'
import type { PayingAccount } from '../ledger/settlements/reserve.ts'
import type { Payment } from '../payment/payment.ts'
import { createDiscovery } from './discovery.ts'
import { publishListings } from './publish.ts'
import { deleteUnpaidEntries } from './retention.ts'
import { searchCatalog } from './search.ts'

const logged: string[] = []
const log = {
  warn: (_: object, message: string) => void logged.push(message),
  error: (_: object, message: string) => void logged.push(message),
}
const PAGE = { limit: 50, offset: 0 }
const money = await testMoney()

interface Listed {
  payTo?: string
  url?: string
  description?: string
  amount?: bigint
  /** The path parameters of a request of the route `/weather/:city`. */
  pathParams?: object
  schema?: object
}

const newRecipient = () => `0x${randomBytes(20).toString('hex')}`

/** Creates a payment for a resource. */
function listedPayment({
  payTo = newRecipient(),
  url = 'https://seller.example/a',
  description = 'A',
  amount = 5n,
  pathParams,
  schema = {},
}: Listed): Payment {
  const bazaar = {
    info: { input: { type: 'http', method: 'GET', ...(pathParams && { pathParams }) } },
    schema,
    ...(pathParams && { routeTemplate: '/weather/:city' }),
  }
  const paymentPayload = { resource: { url, description }, extensions: { bazaar } }
  return somePayment({ payTo, amount, request: { x402Version: 2, paymentPayload, paymentRequirements: {} } })
}

/** Settles a payment as the HTTP APIs do. */
async function settle(account: PayingAccount, payment: Payment, maxEntries?: number) {
  const listing = createDiscovery({
    db: money.db,
    allowPrivate: false,
    log,
    ...(maxEntries !== undefined && { maxEntries }),
  }).open(payment, account.id)
  const outcome = await money.engine.settle(
    payment,
    money.by(account, { onReserved: (settlementId) => listing.stage(settlementId) }),
  )
  return { outcome: outcome.kind, response: (await listing.readResponses())?.bazaar }
}

const publish = (options: object = {}) => publishListings(money.db, { log, changeSeconds: 0, ...options })
const find = async (payTo: string) => (await searchCatalog(money.db, { payTo }, PAGE)).entries
const countStaged = async () =>
  (await money.db.selectFrom('facilitator.staged_resources').select('settlement_id').execute()).length
const makeDue = () =>
  sql`update facilitator.staged_resources set check_at = clock_timestamp()`.execute(money.db)

test('the listing of a payment is not read unless the price is held, because a payment that is refused costs nothing', async () => {
  let reads = 0
  const schema = {
    get type() {
      reads += 1
      return 'object'
    },
  }
  const payment = listedPayment({ schema })
  const poor = await money.account({ settles: 0 })
  const listing = createDiscovery({ db: money.db, allowPrivate: false, log }).open(payment, poor.id)
  const onReserved = (settlementId: number) => listing.stage(settlementId)
  const outcome = await money.engine.settle(payment, money.by(poor, { onReserved }))
  expect([outcome.kind, reads]).toEqual(['insufficient', 0])
  expect(await listing.readResponses()).toEqual({ bazaar: { status: 'processing' } })
  expect(reads).toBeGreaterThan(0)
})

test('the listing of a payment is published when it settles, once, with the terms of the settlement', async () => {
  const account = await money.account()
  const payment = listedPayment({ amount: 77n })
  expect(await settle(account, payment)).toEqual({ outcome: 'settled', response: { status: 'processing' } })
  expect(await find(payment.payTo)).toEqual([])
  await publish()
  await publish()
  expect(await find(payment.payTo)).toMatchObject([
    {
      amount: '77',
      settleCount: 1,
      payTo: payment.payTo,
      listing: { resource: 'https://seller.example/a' },
    },
  ])
  expect(await countStaged()).toBe(0)
})

test('the listing of a payment is published when reconciliation finds the payment, after the process that settled has died', async () => {
  const account = await money.account()
  const payment = listedPayment({})
  money.upstream.behavior = settlesSilently
  expect((await settle(account, payment)).outcome).toBe('pending')
  money.upstream.behavior = settles
  await publish()
  expect(await find(payment.payTo)).toEqual([])
  await letTimePass(money.db)
  await money.another().reconcile()
  await makeDue()
  await publish()
  expect(await find(payment.payTo)).toMatchObject([{ settleCount: 1 }])
})

test('the listing of a payment is forgotten when the payment fails', async () => {
  const account = await money.account()
  const payment = listedPayment({})
  money.upstream.behavior = refuses
  await settle(account, payment)
  money.upstream.behavior = settles
  await publish()
  expect(await find(payment.payTo)).toEqual([])
  expect(await countStaged()).toBe(0)
})

test('the listing of a payment waits for a payment that was not sent, until it can never be sent', async () => {
  const account = await money.account()
  const payment = listedPayment({})
  money.upstream.behavior = sendsNothing
  await settle(account, payment)
  money.upstream.behavior = settles
  await publish()
  expect(await countStaged()).toBe(1)
  expect((await settle(account, payment)).outcome).toBe('settled')
  await makeDue()
  await publish()
  expect(await find(payment.payTo)).toMatchObject([{ settleCount: 1 }])

  const expired = listedPayment({})
  money.upstream.behavior = sendsNothing
  await settle(account, { ...expired, validBefore: 1_000n })
  money.upstream.behavior = settles
  await publish()
  expect(await countStaged()).toBe(0)
})

test('the listing of a payment that cannot be stored fails no settle, and its seller learns it', async () => {
  const account = await money.account()
  const closed = openDatabase<Tables>({ url: money.url, max: 1 })
  await closed.close()
  const payment = listedPayment({})
  const listing = createDiscovery({ db: closed.system, allowPrivate: false, log }).open(payment, account.id)
  const outcome = await money.engine.settle(
    payment,
    money.by(account, { onReserved: (settlementId) => listing.stage(settlementId) }),
  )
  expect(outcome.kind).toBe('settled')
  expect(await listing.readResponses()).toMatchObject({
    bazaar: { status: 'rejected', rejectedReason: expect.stringContaining('The catalog is not available') },
  })
  expect(logged).toContain('The listing of a payment could not be stored')
})

test('the listing of a payment is staged before the payment is sent: a process that dies while it sends loses nothing', async () => {
  const account = await money.account()
  const payment = listedPayment({})
  await makeDue()
  await publish()
  let stagedWhenSent = 0
  money.upstream.behavior = async (sent, chain) => {
    stagedWhenSent = await countStaged()
    return settles(sent, chain)
  }
  await settle(account, payment)
  money.upstream.behavior = settles
  expect(stagedWhenSent).toBe(1)
  await publish()
})

describe('an entry', () => {
  test('an entry has the size of its document, which limits the pages, also after a change', async () => {
    const account = await money.account()
    const payTo = newRecipient()
    for (const description of ['ä', 'a longer description']) {
      await settle(account, listedPayment({ payTo, description }))
      await publish()
      const [entry] = await find(payTo)
      const { document_bytes: bytes } = await money.db
        .selectFrom('facilitator.catalog_entries')
        .select('document_bytes')
        .where('pay_to', '=', payTo)
        .executeTakeFirstOrThrow()
      expect(entry?.listing.description).toBe(description)
      expect(bytes).toBe(Buffer.byteLength(JSON.stringify(entry?.listing)))
    }
  })

  test('counts its payments, and has the terms and texts of the newest', async () => {
    const account = await money.account()
    const payTo = newRecipient()
    for (const amount of [1n, 2n, 3n]) {
      await settle(account, listedPayment({ payTo, amount, description: `price ${amount}` }))
    }
    await publish()
    await settle(account, listedPayment({ payTo, amount: 9n, description: 'zebra' }))
    await publish()
    expect(await find(payTo)).toMatchObject([
      { amount: '9', settleCount: 4, listing: { description: 'zebra' } },
    ])
    const search = async (query: string) =>
      (await searchCatalog(money.db, { query, payTo }, PAGE)).entries.length
    expect([await search('zebra'), await search('price')]).toEqual([1, 0])
  })

  test('an entry that changes all the time is rewritten once per interval', async () => {
    const account = await money.account()
    const payTo = newRecipient()
    await settle(account, listedPayment({ payTo, description: 'first' }))
    await publish()
    for (const description of ['second', 'third']) {
      await settle(account, listedPayment({ payTo, description }))
      await publish({ changeSeconds: 3600 })
    }
    expect(await find(payTo)).toMatchObject([{ settleCount: 3, listing: { description: 'first' } }])
  })

  test('keeps its description and schema while payments have them: any payer can send others', async () => {
    const account = await money.account()
    const payTo = newRecipient()
    const pay = async (changes: Listed, changeSeconds: number) => {
      await settle(account, listedPayment({ payTo, ...changes }))
      await publish({ changeSeconds })
      const [entry] = await find(payTo)
      return [entry?.listing.description, entry?.listing.bazaar.schema]
    }
    const forged = { description: 'forged', schema: { title: 'forged' } }
    expect(await pay({}, 3600)).toEqual(['A', {}])
    expect(await pay(forged, 3600)).toEqual(['A', {}])
    // The interval has passed since the entry changed, but not since a payment had its description.
    const outdate = () =>
      sql`update facilitator.catalog_entries set content_confirmed_at = now() - interval '2 hours'
        where pay_to = ${payTo}`.execute(money.db)
    await outdate()
    expect(await pay({}, 3600)).toEqual(['A', {}])
    expect(await pay(forged, 3600)).toEqual(['A', {}])
    await outdate()
    await settle(account, listedPayment({ payTo }))
    expect(await pay(forged, 3600)).toEqual(['A', {}])
    // A description that nobody pays with any more has changed.
    await outdate()
    expect(await pay({ description: 'new' }, 3600)).toEqual(['new', {}])
    expect((await find(payTo))[0]?.settleCount).toBe(7)
  })

  describe('of a route with parameters', () => {
    const findExample = async (payTo: string) =>
      (await find(payTo)).map(({ listing: { resource, bazaar } }) => [resource, bazaar.info.input])
    const resource = 'https://seller.example/weather/:city'
    const input = (city: unknown) => ({ type: 'http', method: 'GET', pathParams: { city } })

    async function pay(account: PayingAccount, payTo: string, city: unknown, name = 'city') {
      const url = `https://seller.example/weather/${encodeURIComponent(String(city))}`
      await settle(account, listedPayment({ payTo, url, pathParams: { [name]: city } }))
    }

    test.each([
      '{city}',
      ':city',
      '',
      ' ',
      '%7Bcity%7D',
      '%257Bcity%257D',
      '%3Acity',
      '$city',
      '{{ city }}',
      '<city>',
      '[city]',
      '*',
      'city',
      'CITY',
      'your-city',
      '%city%',
      'undefined',
      'null',
      '[object Object]',
      '...',
      null,
      { name: 'Lisbon' },
    ])('keeps its example after a payment for the placeholder %j', async (placeholder) => {
      const account = await money.account()
      const payTo = newRecipient()
      await pay(account, payTo, placeholder)
      await publish()
      await pay(account, payTo, 'lisbon')
      await publish()
      expect(await findExample(payTo)).toEqual([[resource, input('lisbon')]])
      await pay(account, payTo, placeholder)
      await publish()
      expect(await findExample(payTo)).toEqual([[resource, input('lisbon')]])
    })

    test('keeps its first example when other values are paid for, together or later', async () => {
      const account = await money.account()
      const payTo = newRecipient()
      for (const city of ['{city}', 'lisbon', 'porto', ':city']) await pay(account, payTo, city)
      await publish()
      expect(await findExample(payTo)).toEqual([[resource, input('lisbon')]])
      await pay(account, payTo, 'faro')
      await publish()
      expect(await findExample(payTo)).toEqual([[resource, input('lisbon')]])
      expect((await find(payTo))[0]?.settleCount).toBe(5)
    })

    test('keeps its example when its description changes, and ignores parameters of another route', async () => {
      const account = await money.account()
      const payTo = newRecipient()
      await pay(account, payTo, 'lisbon', 'country')
      await publish()
      await pay(account, payTo, 'são paulo')
      await publish()
      expect(await findExample(payTo)).toEqual([[resource, input('são paulo')]])
      const changed = { payTo, description: 'changed', pathParams: { city: 'porto' } }
      await settle(account, listedPayment(changed))
      await publish()
      expect(await find(payTo)).toMatchObject([{ listing: { description: 'changed' } }])
      expect(await findExample(payTo)).toEqual([[resource, input('são paulo')]])
      // Only a payment for a resource describes it.
      const placeholder = { payTo, description: 'placeholder', pathParams: { city: '{city}' } }
      await settle(account, listedPayment(placeholder))
      await publish()
      expect(await find(payTo)).toMatchObject([{ listing: { description: 'changed' }, settleCount: 4 }])
    })
  })

  test('belongs to an account and a recipient: others who claim its URL have their own', async () => {
    const [owner, other] = [await money.account(), await money.account()]
    const payTo = newRecipient()
    const url = 'https://claimed.example/a'
    await settle(owner, listedPayment({ payTo, url, description: 'genuine' }))
    await settle(other, listedPayment({ payTo, url, description: 'forged' }))
    const thief = newRecipient()
    await settle(other, listedPayment({ payTo: thief, url, description: 'stolen' }))
    await publish()
    expect((await find(payTo)).map(({ listing }) => listing.description).toSorted()).toEqual([
      'forged',
      'genuine',
    ])
    expect(await find(thief)).toMatchObject([{ listing: { description: 'stolen' } }])
  })
})

test('the limit of an account is reported to the seller, and holds when the listings are staged together', async () => {
  const account = await money.account()
  const payTo = newRecipient()
  const payments = Array.from({ length: 4 }, (_, index) =>
    listedPayment({ payTo, url: `https://seller.example/${index}` }),
  )
  await Promise.all(payments.map((payment) => settle(account, payment, 2)))
  await publish({ maxEntries: 2 })
  const entries = await find(payTo)
  expect(entries).toHaveLength(2)
  const another = listedPayment({ payTo, url: 'https://seller.example/another' })
  expect(await settle(account, another, 2)).toEqual({
    outcome: 'settled',
    response: {
      status: 'rejected',
      rejectedReason: 'The account has as many catalog entries as it may have',
    },
  })
  const existing = listedPayment({ payTo, url: entries[0]?.listing.resource ?? '' })
  expect(await settle(account, existing, 2)).toEqual({
    outcome: 'settled',
    response: { status: 'success' },
  })
  await publish({ maxEntries: 2 })
})

test('the limit of an account is freed by entries that nobody pays for', async () => {
  const account = await money.account()
  const payTo = newRecipient()
  await settle(account, listedPayment({ payTo, description: 'obsolete' }), 1)
  await publish({ maxEntries: 1 })
  const [entry] = await find(payTo)
  await sql`update facilitator.catalog_entries set last_settled_on = current_date - 91 where id = ${entry?.id}`.execute(
    money.db,
  )
  expect(await deleteUnpaidEntries(money.db, 90)).toBe(1)
  expect(await find(payTo)).toEqual([])
  expect((await searchCatalog(money.db, { query: 'obsolete' }, PAGE)).entries).toEqual([])
  await settle(account, listedPayment({ payTo, url: 'https://seller.example/new' }), 1)
  await publish({ maxEntries: 1 })
  expect(await find(payTo)).toHaveLength(1)
})

test('a listing that cannot be published delays no other, and is dropped at last', async () => {
  const account = await money.account()
  const [bad, good] = [listedPayment({}), listedPayment({})]
  await settle(account, bad)
  await settle(account, good)
  // A type that the table refuses.
  await sql`update facilitator.staged_resources s set listing = listing || '{"type": "gopher"}'
    from facilitator.settlements t where t.id = s.settlement_id and t.pay_to = ${bad.payTo}`.execute(money.db)
  await publish()
  expect(await find(good.payTo)).toHaveLength(1)
  expect(await countStaged()).toBe(1)
  expect(logged).toContain('A listing could not be published')
  await sql`update facilitator.staged_resources set check_count = 10, check_at = clock_timestamp()`.execute(
    money.db,
  )
  await publish()
  expect(await countStaged()).toBe(0)
})

test('processes that publish at once count each payment once', async () => {
  const account = await money.account()
  const payTo = newRecipient()
  await Promise.all(Array.from({ length: 30 }, () => settle(account, listedPayment({ payTo }))))
  await Promise.all([publish(), publish(), publish()])
  await publish()
  expect(await find(payTo)).toMatchObject([{ settleCount: 30 }])
})
