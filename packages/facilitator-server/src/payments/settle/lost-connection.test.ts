import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '@mintmark/server-kit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { getAccount } from '../../ledger/accounts/accounts.ts'
import { checkLedger } from '../../ledger/check/check.ts'
import { findByPayment, paymentKey } from '../../ledger/settlements/settlement.ts'
import { facilitatorSchema } from '../../migrations/index.ts'
import type { Tables } from '../../tables.ts'
import { createEngine, type Engine } from '../engine.ts'
import { letTimePass, price, settles, somePayment, type TestMoney, testMoney } from '../testing-engine.ts'

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

let money: TestMoney
let line: BrittleLine
let engine: Engine
let close: () => Promise<void>
beforeAll(async () => {
  money = await testMoney()
  line = new BrittleLine(new URL(money.url))
  const url = new URL(money.url)
  url.port = String(await line.open())
  const opened = openDatabase<Tables>({ url: url.href, role: facilitatorSchema.role })
  close = () => opened.close()
  const { upstream, chain: chainReader } = money
  engine = createEngine({ db: opened.system, upstream, chainReader, price, patience: 3000 })
})
afterEach(async () => {
  line.break('none')
  money.upstream.behavior = settles
  expect((await checkLedger(money.db)).problems).toEqual([])
})
afterAll(async () => {
  await close()
  line.close()
  await money.close()
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
