import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase } from '@mintmark/devkit/testing'
import { payments } from '@mintmark/facilitator'
import pg from 'pg'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from './sandbox.ts'

const root = await mkdtemp(join(tmpdir(), 'mintmark-sandbox-'))
afterAll(() => rm(root, { recursive: true }))

let dataDir: string
let databaseUrl: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(root, 'data-'))
  const database = await createTestDatabase()
  databaseUrl = database.url
  return () => database.drop()
})

/** Starts a sandbox that fails when it reports a part. */
async function cutAt(part: string, database: { databaseUrl?: string } = { databaseUrl }): Promise<void> {
  const cut = new Error(`cut at ${part}`)
  const report = (line: string) => {
    if (line.startsWith(part)) throw cut
  }
  await expect(startSandbox({ dataDir, ...database, demo: true, report })).rejects.toThrow(cut)
}

/** Loses the chain, as a loss of power does before anvil has stored it. */
const loseChain = () => rm(join(dataDir, 'chain'), { recursive: true })

async function countCards(): Promise<number> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  try {
    const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from gateway.cards')
    return rows[0]?.count ?? 0
  } finally {
    await pool.end()
  }
}

/** Settles a payment. The facilitator has then read more blocks than an earlier start has mined. */
async function settle({ facilitator, accounts, chain, signPayment }: Sandbox): Promise<void> {
  await chain.mine(200)
  const payment = await signPayment({ payTo: accounts.creator.address })
  expect(await payments.settle(facilitator, payment)).toMatchObject({ success: true })
}

it('a first start that was cut at any part does not prevent the next start', async () => {
  for (const part of ['dev chain', 'PostgreSQL', 'gateway', 'console']) await cutAt(part)
  await using sandbox = await startSandbox({ dataDir, databaseUrl, demo: true })
  await settle(sandbox)
})

it('a first start that was cut has created people who sign in with the password that the next start reports', async () => {
  await cutAt('gateway')
  await using sandbox = await startSandbox({ dataDir, databaseUrl, demo: true })
  const { url = '', emails = [], password } = sandbox.credentials.console ?? {}
  const { origin } = new URL(url)
  const { status } = await fetch(`${origin}/console/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ email: emails[0], password }),
  })
  expect(status).toBe(200)
})

it('a first start that was cut does not prevent a start with another database, as if PostgreSQL had not come up', async () => {
  await cutAt('console')
  await using other = await createTestDatabase().then(({ url, drop }) => ({
    url,
    [Symbol.asyncDispose]: drop,
  }))
  await using sandbox = await startSandbox({ dataDir, databaseUrl: other.url, demo: true })
  await settle(sandbox)
})

it('a first start that was cut begins with empty data if the chain was lost', async () => {
  await cutAt('console', {})
  await loseChain()
  await using sandbox = await startSandbox({ dataDir, demo: true })
  await settle(sandbox)
})

it('a first start whose chain was lost leaves a database of the caller as it is, and says what to do', async () => {
  await cutAt('console')
  await loseChain()
  const before = await countCards()
  await expect(startSandbox({ dataDir, databaseUrl, demo: true })).rejects.toThrow(
    `Remove ${dataDir} and empty the database, or use another one, to begin again`,
  )
  expect(before).toBeGreaterThan(0)
  expect(await countCards()).toBe(before)
})

it('a finished sandbox whose chain was lost is not started, and says what to remove', async () => {
  await (await startSandbox({ dataDir, databaseUrl })).stop()
  await loseChain()
  await expect(startSandbox({ dataDir, databaseUrl })).rejects.toThrow(
    `Remove ${dataDir} and empty the database, or use another one, to begin again`,
  )
})
