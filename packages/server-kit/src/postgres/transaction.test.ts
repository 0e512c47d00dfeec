import { createTestDatabase, type TestDatabase } from '@mintmark/devkit/testing'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from './database.ts'
import { isCheckViolation, isForeignKeyViolation, isUniqueViolation } from './errors.ts'
import { CommitOutcomeUnknownError, transaction } from './transaction.ts'

interface Tables {
  accounts: { id: number; balance: number }
}

let home: TestDatabase
let database: Database<Tables>
let db: Kysely<Tables>

beforeAll(async () => {
  home = await createTestDatabase()
  database = openDatabase<Tables>({ url: home.url, max: 4 })
  db = database.system
  await sql`create table accounts (id bigint primary key, balance bigint not null constraint solvent check (balance >= 0))`.execute(
    db,
  )
  await sql`create table moves (account bigint constraint known references accounts deferrable initially deferred)`.execute(
    db,
  )
})

beforeEach(async () => {
  await sql`truncate accounts, moves`.execute(db)
  await sql`insert into accounts values (1, 100), (2, 100)`.execute(db)
})

afterAll(async () => {
  await database.close()
  await home.drop()
})

const balances = async () =>
  (await db.selectFrom('accounts').select('balance').orderBy('id').execute()).map(({ balance }) => balance)

const add = (on: Kysely<Tables>, id: number, amount: number) =>
  on
    .updateTable('accounts')
    .set((eb) => ({ balance: eb('balance', '+', amount) }))
    .where('id', '=', id)
    .execute()

/** A barrier that releases `count` callers together, once. Later callers pass immediately. */
function createBarrier(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let missing = count
  return () => {
    missing -= 1
    if (missing <= 0) resolve()
    return promise
  }
}

test('a transaction is rolled back when its work throws', async () => {
  const failing = transaction(db, async (trx) => {
    await add(trx, 1, 50)
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await balances()).toEqual([100, 100])
})

test('after a serialization failure the failed transaction is repeated', async () => {
  const arriveTogether = createBarrier(2)
  let attempts = 0
  const addTotal = (id: number) =>
    transaction(
      db,
      async (trx) => {
        attempts += 1
        const [row] = await trx.selectFrom('accounts').select(sql<string>`sum(balance)`.as('total')).execute()
        await arriveTogether()
        await add(trx, id, Number(row?.total))
      },
      { isolation: 'serializable' },
    )
  await Promise.all([addTotal(1), addTotal(2)])
  // The repeated transaction can begin before the other one has committed, and fail again.
  expect(attempts).toBeGreaterThanOrEqual(3)
  // One transaction read 200, and the other read the result of the first.
  expect([...(await balances())].sort()).toEqual([300, 500])
})

test('after a deadlock the failed transaction is repeated', async () => {
  const arriveTogether = createBarrier(2)
  let attempts = 0
  const move = (from: number, to: number) =>
    transaction(db, async (trx) => {
      attempts += 1
      await add(trx, from, -10)
      await arriveTogether()
      await add(trx, to, 10)
    })
  await Promise.all([move(1, 2), move(2, 1)])
  // The repeated transaction can lock a row before the other one continues, and fail again.
  expect(attempts).toBeGreaterThanOrEqual(3)
  expect(await balances()).toEqual([100, 100])
})

test('a transaction that conflicts in every attempt fails with the error of PostgreSQL', async () => {
  let attempts = 0
  const hopeless = transaction(
    db,
    async (trx) => {
      attempts += 1
      await sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`.execute(trx)
    },
    { attempts: 3 },
  )
  await expect(hopeless).rejects.toMatchObject({ code: '40001' })
  expect(attempts).toBe(3)
})

test('a transaction is not repeated after an error that is not a conflict', async () => {
  let attempts = 0
  const insolvent = transaction(db, async (trx) => {
    attempts += 1
    await add(trx, 1, -200)
  })
  await expect(insolvent).rejects.toSatisfy((error) => isCheckViolation(error, 'solvent'))
  expect(attempts).toBe(1)
})

test('a nested transaction can fail without failing the outer one', async () => {
  await transaction(db, async (trx) => {
    await add(trx, 1, 1)
    const part = transaction<Tables, void>(trx, async (inner) => {
      await add(inner, 1, 1000)
      await add(inner, 2, -1000)
    })
    await expect(part).rejects.toSatisfy((error) => isCheckViolation(error))
    await transaction<Tables, void>(trx, async (inner) => {
      await add(inner, 2, 2)
      await transaction<Tables, void>(inner, async (innermost) => void (await add(innermost, 2, 3)))
    })
  })
  expect(await balances()).toEqual([101, 105])
})

test('a conflict in a nested transaction repeats the outer one', async () => {
  let outer = 0
  let inner = 0
  await transaction(db, async (trx) => {
    outer += 1
    await add(trx, 1, 1)
    await transaction<Tables, void>(trx, async (part) => {
      inner += 1
      if (inner === 1)
        await sql`do $$ begin raise exception 'once' using errcode = '40001'; end $$`.execute(part)
      await add(part, 2, 1)
    })
  })
  expect([outer, inner]).toEqual([2, 2])
  expect(await balances()).toEqual([101, 101])
})

test('a transaction whose work ignores a failed statement throws an error at COMMIT', async () => {
  const ignoringError = transaction(db, async (trx) => {
    await add(trx, 1, 1)
    await expect(add(trx, 1, -1000)).rejects.toThrow(/solvent/)
  })
  await expect(ignoringError).rejects.toThrow(/rolled back/)
  expect(await balances()).toEqual([100, 100])
})

test("a COMMIT that the database rejects fails with the database's error", async () => {
  const dangling = transaction(db, (trx) => sql`insert into moves values (404)`.execute(trx))
  await expect(dangling).rejects.toSatisfy((error) => isForeignKeyViolation(error, 'known'))
})

test('a connection that is lost during COMMIT throws CommitOutcomeUnknownError, and the work is not repeated', async () => {
  // The commit itself waits in a deferred trigger, where the connection is cut.
  await sql`create function cut() returns trigger language plpgsql as
    $$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(10); return null; end $$`.execute(
    db,
  )
  await sql`create constraint trigger cut after update on accounts deferrable initially deferred
    for each row execute function cut()`.execute(db)
  let attempts = 0
  const cut = transaction(db, async (trx) => {
    attempts += 1
    await add(trx, 1, 1)
  })
  await expect(cut).rejects.toBeInstanceOf(CommitOutcomeUnknownError)
  expect(attempts).toBe(1)
  await sql`drop trigger cut on accounts`.execute(db)
})

test('isUniqueViolation identifies a violation by its constraint', async () => {
  const twice = db.insertInto('accounts').values({ id: 1, balance: 1 }).execute()
  const error: unknown = await twice.catch((reason: unknown) => reason)
  expect(isUniqueViolation(error)).toBe(true)
  expect(isUniqueViolation(error, 'accounts_pkey')).toBe(true)
  expect(isUniqueViolation(error, 'another')).toBe(false)
  expect(isUniqueViolation(new Error('no'))).toBe(false)
})
