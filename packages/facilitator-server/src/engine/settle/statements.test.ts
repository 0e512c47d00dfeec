import { openDatabase } from '@mintmark/server-kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { facilitatorSchema } from '../../database/schema.ts'
import type { Tables } from '../../database/tables.ts'
import { findScheme } from '../../schemes/registry.ts'
import { createEngine, type Engine } from '../engine.ts'
import { price, refuses, settles, somePayment, testMoney } from '../testing-engine.ts'

const money = await testMoney()
let engine: Engine
let close: () => Promise<void>
const statements: string[] = []

beforeAll(async () => {
  const database = openDatabase<Tables>({ url: money.url, role: facilitatorSchema.role, max: 4 })
  database.pool.on('connect', (client) => {
    const query = client.query.bind(client)
    // Every overload of `query` has the text, or an object with the text, as its first argument.
    client.query = ((first: string | { text: string }, ...rest: []) => {
      statements.push(typeof first === 'string' ? first : first.text)
      return query(first as string, ...rest)
    }) as typeof client.query
  })
  close = () => database.close()
  const { upstream, chain: chainReader } = money
  const verifier = { verify: async () => ({ isValid: true, payer: somePayment().payer }) as const }
  engine = createEngine({ db: database.system, upstream, findScheme, chainReader, verifier, price })
  const account = await money.account({ settles: 1 })
  // Opens a connection, whose role is set once.
  await engine.settle(somePayment(), money.by(account))
})
afterAll(async () => {
  await close()
})

const listFunctions = () => statements.map((text) => /facilitator\.\w+/.exec(text)?.[0] ?? text)

test.each([
  ['is executed', settles, 'settled'],
  ['is refused', refuses, 'failed'],
] as const)(
  'a settle that %s sends two statements to the database, each its own transaction',
  async (_, behavior, kind) => {
    const account = await money.account({ settles: 1 })
    money.upstream.behavior = behavior
    statements.length = 0
    expect((await engine.settle(somePayment(), money.by(account))).kind).toBe(kind)
    expect(listFunctions()).toEqual(['facilitator.reserve_settlements', 'facilitator.apply_transitions'])
  },
)

test('concurrent settles of many accounts share the statements that reserve and end them', async () => {
  const accounts = await Promise.all(Array.from({ length: 20 }, () => money.account({ settles: 2 })))
  money.upstream.behavior = settles
  statements.length = 0
  const outcomes = await Promise.all(
    [...accounts, ...accounts].map((account) => engine.settle(somePayment(), money.by(account))),
  )
  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['settled']))
  expect(listFunctions().filter((name) => name === 'facilitator.reserve_settlements')).toHaveLength(1)
  // The upstream does not respond to all of them in the same turn.
  expect(statements.length).toBeLessThan(20)
})

test('a verify sends one statement to the database, and concurrent verifies of many accounts share it', async () => {
  const accounts = await Promise.all(Array.from({ length: 20 }, () => money.account({ settles: 1 })))
  statements.length = 0
  const outcomes = await Promise.all(
    accounts.map((account) => engine.check(somePayment(), money.by(account))),
  )
  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['valid']))
  expect(listFunctions()).toEqual(['facilitator.read_payment_status'])
})

test('a verify that shares its statement receives the outcome of its own payment and account', async () => {
  const funded = await money.account({ settles: 1 })
  const unfunded = await money.account({ settles: 0 })
  const settled = somePayment()
  money.upstream.behavior = settles
  expect((await engine.settle(settled, money.by(funded))).kind).toBe('settled')
  const other = await money.account({ settles: 1 })
  statements.length = 0
  const outcomes = await Promise.all([
    engine.check(settled, money.by(other)),
    engine.check(somePayment(), money.by(other)),
    engine.check(somePayment(), money.by(unfunded)),
  ])
  expect(outcomes.map((outcome) => ('reason' in outcome ? outcome.reason : outcome.kind))).toEqual([
    'duplicate_settlement',
    'valid',
    'insufficient',
  ])
  expect(listFunctions()).toEqual(['facilitator.read_payment_status'])
})
