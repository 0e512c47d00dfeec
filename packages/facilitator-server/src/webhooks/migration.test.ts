import { createTestDatabase } from '@mintmark/devkit/testing'
import { createLog, createSealer, createSecretKey, migrate, openDatabase } from '@mintmark/server-kit'
import { afterEach, describe, expect, test } from 'vitest'
import { facilitatorSchema } from '../database/schema.ts'
import type { Tables } from '../database/tables.ts'
import { createWebhooks, migrateJobs } from './index.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function database() {
  const { url, drop } = await createTestDatabase()
  closers.push(drop)
  await migrate(url, facilitatorSchema)
  const opened = openDatabase<Tables>({ url, role: facilitatorSchema.role })
  closers.push(opened.close)
  const complaints: string[] = []
  const log = createLog('test', 'warn', { write: (line) => complaints.push(line) })
  const sealer = createSealer(createSecretKey())
  const webhooks = createWebhooks({ database: opened, sealer, log, superviseSeconds: 1 })
  return { url, opened, webhooks, complaints }
}

describe("the job queue's schema", () => {
  test('the webhook schema is created once by concurrent migrations, and repeated migrations change nothing', async () => {
    const { url, webhooks } = await database()
    await Promise.all([migrateJobs(url), migrateJobs(url), migrateJobs(url)])
    await migrateJobs(url)
    await webhooks.start()
    await webhooks.stop()
  })

  test('a server without the webhook schema fails with an error that names the command to create it', async () => {
    const { webhooks } = await database()
    await expect(webhooks.start()).rejects.toThrow('mintmark-facilitator migrate')
  })

  test('a role that owns no webhook table can use and monitor the webhook queue', async () => {
    const { url, opened, webhooks, complaints } = await database()
    await migrateJobs(url)
    const owned = await opened.pool.query(
      `select from pg_class where relnamespace = 'facilitator_jobs'::regnamespace and relowner = current_user::regrole`,
    )
    expect(owned.rows).toEqual([])
    await webhooks.start()
    const supervised = () =>
      opened.pool.query<{ count: number }>(
        `select count(*)::int as count from facilitator_jobs.queue
         where name like 'webhooks%' and monitor_on is not null and maintain_on is not null`,
      )
    while ((await supervised()).rows[0]?.count !== 2) await new Promise((resolve) => setTimeout(resolve, 50))
    await webhooks.stop()
    expect(complaints).toEqual([])
  })
})
