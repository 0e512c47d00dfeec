import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { waitForBlockedStatements } from '@mintmark/devkit/testing'
import { openDatabase } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { facilitatorSchema } from '../../database/schema.ts'
import type { Tables } from '../../database/tables.ts'
import { getAccount } from '../../ledger/accounts/accounts.ts'
import type { PayingAccount } from '../../ledger/settlements/reserve.ts'
import { findByPayment, paymentKey } from '../../ledger/settlements/settlement.ts'
import type { Payment } from '../../payment/payment.ts'
import { findScheme } from '../../schemes/registry.ts'
import { createBrittleDatabase } from '../../testing-database.ts'
import { createEngine, type Engine, type EngineOptions } from '../engine.ts'
import { letTimePass, price, settles, settlesSilently, somePayment, testMoney } from '../testing-engine.ts'

/**
 * When the line to the database breaks: before the database receives a statement, or after it has committed
 * it.
 */
type Trouble =
  | 'none'
  | 'before the statement of the hold'
  | 'after the statement of the hold'
  | 'before the statement of the end'
  | 'after the statement of the end'
  | 'down'

/** A proxy of the database whose connections break on request, a given number of times. */
class BrittleLine {
  trouble: Trouble = 'none'
  times = 0
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  constructor(target: URL) {
    this.#server = createServer((client) => {
      if (this.trouble === 'down') return void client.destroy()
      const server = connect(Number(target.port), target.hostname)
      const cut = () => {
        client.destroy()
        server.destroy()
      }
      for (const socket of [client, server]) {
        this.#sockets.add(socket)
        socket.on('error', cut)
        socket.on('close', cut)
      }
      client.on('data', (bytes) => {
        if (this.#breaks(bytes, requests)) cut()
        else server.write(bytes)
      })
      server.on('data', (bytes) => {
        if (this.#breaks(bytes, replies)) cut()
        else client.write(bytes)
      })
    })
  }

  async open(): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    return address.port
  }

  break(trouble: Trouble, times = 1): void {
    this.trouble = trouble
    this.times = times
    if (trouble === 'down') this.cutAll()
  }

  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  close(): void {
    this.cutAll()
    this.#server.close()
  }

  #breaks(bytes: Buffer, patterns: Partial<Record<Trouble, RegExp>>): boolean {
    const pattern = patterns[this.trouble]
    if (!pattern?.test(bytes.toString('latin1'))) return false
    this.times -= 1
    if (this.times === 0) this.trouble = 'none'
    return true
  }
}

// The statements by columns of their parameters (an order number, a state and its hold), and their replies by
// names of columns. A statement that is its own transaction is committed before its reply is sent.
const requests: Partial<Record<Trouble, RegExp>> = {
  'before the statement of the hold': /\(\d+,MP[0-9A-Z]{25},/,
  'before the statement of the end': /,sent,held,/,
}
const replies: Partial<Record<Trouble, RegExp>> = {
  'after the statement of the hold': /shortage\0/,
  'after the statement of the end': /upstream_status\0/,
}

const money = await testMoney()
let line: BrittleLine
let engine: Engine
let close: () => Promise<void>
let lineDatabase: Kysely<Tables>
/** Creates another process's engine. */
let another: (options?: Partial<EngineOptions>) => Engine
beforeAll(async () => {
  line = new BrittleLine(new URL(money.url))
  const url = new URL(money.url)
  url.port = String(await line.open())
  const opened = openDatabase<Tables>({ url: url.href, role: facilitatorSchema.role })
  close = () => opened.close()
  const { upstream, chain: chainReader } = money
  lineDatabase = opened.system
  another = (options) =>
    createEngine({ db: lineDatabase, upstream, findScheme, chainReader, price, patience: 3000, ...options })
  engine = another()
})
afterEach(async () => {
  line.break('none')
  await money.endTest()
})
afterAll(async () => {
  await close()
  line.close()
})

/** One settle, while the line breaks at the statement of the hold or of the end. */
async function settleThrough(trouble: Trouble, at: 'hold' | 'end', times: number) {
  const account = await money.account({ settles: 3 })
  const payment = somePayment()
  if (at === 'hold') line.break(trouble, times)
  money.upstream.behavior = async (sent, chain) => {
    const answer = await settles(sent, chain)
    if (at === 'end') line.break(trouble, times)
    return answer
  }
  const outcome = await engine.settle(payment, money.by(account))
  expect(line.trouble).toBe('none')
  return { outcome, account, payment }
}

test.each([
  ['before the statement of the hold', 'hold'],
  ['after the statement of the hold', 'hold'],
  ['before the statement of the end', 'end'],
  ['after the statement of the end', 'end'],
] as const)(
  'a connection lost %s causes one upstream call, one charge and one delivery',
  async (trouble, at) => {
    for (const times of [1, 2]) {
      const { outcome, account, payment } = await settleThrough(trouble, at, times)
      expect(outcome).toMatchObject({ kind: 'settled', repeated: false })
      expect(money.upstream.calls.filter((nonce) => nonce === payment.nonce)).toHaveLength(1)
      const { available, held } = await getAccount(money.db, account.id)
      expect({ available, held }).toEqual({ available: 2n * price, held: 0n })
      expect((await engine.settle(payment, money.by(account))).kind).toBe('duplicate')
    }
  },
)

test('connections that the server closes during concurrent settles cause no extra charge and lose no delivery', async () => {
  const account = await money.account({ settles: 60 })
  const payments = Array.from({ length: 60 }, () => somePayment())
  const ending = (async () => {
    for (let round = 0; round < 20; round += 1) {
      line.cutAll()
      await pause(5)
    }
  })()
  const outcomes = await Promise.allSettled(
    payments.map((payment) => engine.settle(payment, money.by(account))),
  )
  await ending
  await letTimePass(money.db)
  await money.engine.reconcile()
  for (const [index, payment] of payments.entries()) {
    const outcome = outcomes[index]
    const standing = await findByPayment(money.db, paymentKey(payment))
    const calls = money.upstream.calls.filter((nonce) => nonce === payment.nonce).length
    // Its hold may have been lost before anything was begun.
    if (outcome?.status === 'rejected') expect(standing).toBeUndefined()
    expect(calls).toBe(standing === undefined ? 0 : 1)
    if (standing !== undefined) expect(standing.state).toBe('settled')
  }
})

test('a settle whose database fails after the upstream’s response stays pending and is reconciled later', async () => {
  const account = await money.account({ settles: 1 })
  const payment = somePayment()
  money.upstream.behavior = async (sent, chain) => {
    const answer = await settles(sent, chain)
    line.break('down')
    return answer
  }
  const outcome = await engine.settle(payment, money.by(account))
  expect(outcome).toMatchObject({ kind: 'pending', transaction: money.chain.requireTransaction(payment) })
  line.break('none')
  await letTimePass(money.db)
  expect((await engine.settle(payment, money.by(account))).kind).toBe('settled')
  expect((await getAccount(money.db, account.id)).available).toBe(0n)
})

test('names the transaction that was signed if its outcome is unknown and the database is lost', async () => {
  const account = await money.account({ settles: 1 })
  const payment = somePayment()
  const transaction = `0x${'5e'.repeat(32)}`
  money.upstream.behavior = () => {
    line.break('down')
    return { kind: 'lost', why: 'timeout', message: 'not mined in time', transaction }
  }
  const impatient = another({
    patience: 300,
    listSignedTransactions: async () => Promise.reject(new Error('down')),
  })
  expect(await impatient.settle(payment, money.by(account))).toMatchObject({ kind: 'pending', transaction })
  line.break('none')
})

describe('a success that could not be confirmed to its call', () => {
  /** Counts the calls of two processes, at once, that receive the success. */
  async function countDeliveries(payment: Payment, account: PayingAccount): Promise<number> {
    const engines = [engine, money.engine, engine, money.engine, money.another()]
    const outcomes = await Promise.all(engines.map((each) => each.settle(payment, money.by(account))))
    return outcomes.filter(({ kind }) => kind === 'settled').length
  }
  const isDeliverable = async (payment: Payment, account: PayingAccount) =>
    (await money.engine.check(payment, money.by(account))).kind === 'valid'

  test('a success that could not be confirmed to its call of its end is delivered once, to the next call of the same process', async () => {
    const account = await money.account({ settles: 1 })
    const payment = somePayment()
    const database = createBrittleDatabase(lineDatabase)
    // The call could not write yet that it has not delivered the success.
    database.fails = /set undelivered_to/
    const impatient = another({ db: database.db, patience: 300 })
    line.break('after the statement of the end', 1_000)
    expect(await impatient.settle(payment, money.by(account))).toMatchObject({
      kind: 'pending',
      transaction: money.chain.requireTransaction(payment),
    })
    line.break('none')
    expect(await isDeliverable(payment, account)).toBe(false)
    database.fails = undefined
    expect(await impatient.settle(payment, money.by(account))).toMatchObject({
      kind: 'settled',
      repeated: false,
    })
    expect(await countDeliveries(payment, account)).toBe(0)
  })

  test('a success that could not be confirmed to its call of its end is delivered once, to the next call of another process', async () => {
    const account = await money.account({ settles: 1 })
    const payment = somePayment()
    line.break('after the statement of the end', 1_000)
    const impatient = another({ patience: 300 })
    expect((await impatient.settle(payment, money.by(account))).kind).toBe('pending')
    line.break('none')
    await vi.waitFor(async () => expect(await isDeliverable(payment, account)).toBe(true), 10_000)
    expect(await countDeliveries(payment, account)).toBe(1)
    expect(await isDeliverable(payment, account)).toBe(false)
    expect(await countDeliveries(payment, account)).toBe(0)
  })

  test('a success that could not be confirmed to its call of a repeated call is delivered once, to the next call', async () => {
    const account = await money.account({ settles: 1 })
    const payment = somePayment()
    money.upstream.behavior = settlesSilently
    expect((await engine.settle(payment, money.by(account))).kind).toBe('pending')
    await letTimePass(money.db)
    await money.engine.reconcile()
    const claims = new WeakSet<object>()
    const db = money.db.withPlugin({
      transformQuery({ node, queryId }) {
        if (node.kind === 'RawNode' && node.sqlFragments[0]?.includes('set delivered_to ='))
          claims.add(queryId)
        return node
      },
      async transformResult({ queryId, result }) {
        if (claims.has(queryId)) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
        return result
      },
    })
    expect((await another({ db, patience: 300 }).settle(payment, money.by(account))).kind).toBe('pending')
    expect((await findByPayment(money.db, paymentKey(payment)))?.delivered_at).toEqual(expect.any(Date))
    await vi.waitFor(async () => expect(await isDeliverable(payment, account)).toBe(true), 10_000)
    expect(await countDeliveries(payment, account)).toBe(1)
    expect(await countDeliveries(payment, account)).toBe(0)
  })

  test('a success that could not be confirmed to its call of an end that is committed only after the pending response is delivered once', async () => {
    const account = await money.account({ settles: 1 })
    const payment = somePayment()
    // The statement of the end waits for the row, and its call gives up.
    const locked = Promise.withResolvers<void>()
    const unlock = Promise.withResolvers<void>()
    let locking: Promise<void> | undefined
    money.upstream.behavior = async (sent, chain) => {
      locking = money.db.transaction().execute(async (trx) => {
        await sql`select from facilitator.settlements where nonce = ${sent.nonce} for update`.execute(trx)
        locked.resolve()
        await unlock.promise
      })
      await locked.promise
      return settles(sent, chain)
    }
    const impatient = another({ patience: 300 })
    const outcome = impatient.settle(payment, money.by(account))
    await locked.promise
    await waitForBlockedStatements(money.db)
    line.break('down')
    expect((await outcome).kind).toBe('pending')
    line.break('none')
    // The statement of the end, and the one that records that the success was not delivered.
    await waitForBlockedStatements(money.db, 2)
    unlock.resolve()
    await locking
    await vi.waitFor(async () => expect(await isDeliverable(payment, account)).toBe(true), 10_000)
    await vi.waitFor(async () => expect(await countDeliveries(payment, account)).toBe(1), 10_000)
    expect(await countDeliveries(payment, account)).toBe(0)
  })

  test('a success that could not be confirmed to its call of an end that the database refuses stays pending, and is delivered when reconciliation has found it', async () => {
    const account = await money.account({ settles: 1 })
    const payment = somePayment()
    const url = money.url
    const hasty = openDatabase<Tables>({ url, role: facilitatorSchema.role, statementTimeoutMs: 300 })
    const errors: object[] = []
    const log = { warn: () => {}, error: (details: object) => errors.push(details) }
    const { upstream, chain: chainReader } = money
    const process = createEngine({ db: hasty.system, upstream, findScheme, chainReader, price, log })
    await money.db.transaction().execute(async (trx) => {
      money.upstream.behavior = async (sent, chain) => {
        await sql`select from facilitator.settlements where nonce = ${sent.nonce} for update`.execute(trx)
        return settles(sent, chain)
      }
      expect(await process.settle(payment, money.by(account))).toMatchObject({
        kind: 'pending',
        transaction: money.chain.requireTransaction(payment),
      })
    })
    expect(errors).toMatchObject([{ err: { code: '57014' } }])
    await hasty.close()
    await letTimePass(money.db)
    await money.engine.reconcile()
    expect(await countDeliveries(payment, account)).toBe(1)
    expect((await getAccount(money.db, account.id)).available).toBe(0n)
  })
})
