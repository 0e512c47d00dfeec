import { accepts, fails } from '@mintmark/devkit/testing'
import { createLog } from '@mintmark/server-kit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { until } from './testing.ts'
import { type SendingBed, sendingBed } from './testing-hook.ts'

let hooks: SendingBed
beforeAll(async () => {
  hooks = await sendingBed()
})
afterAll(() => hooks.fixture.close())
afterEach(() => hooks.closeReceivers())

test('a webhook that fails for too long starts a new count of failures after a success', async () => {
  const to = await hooks.open((response, call) => (call === 1 ? fails : accepts)(response, call))
  const hook = await hooks.hook(to)
  const failingSince = async () => {
    const row = await hooks.fixture.database.system
      .selectFrom('facilitator.webhooks')
      .select('failing_since')
      .where('id', '=', hook.id)
      .executeTakeFirstOrThrow()
    return row.failing_since
  }
  await hooks.fixture.record(hooks.webhooks, hook.account, 'settlement.settled')
  await until(async () => (await failingSince()) !== null || to.received.length > 1)
  await until(() => hook.delivered())
  expect(await failingSince()).toBeNull()
})

test('an attempt whose secret cannot be opened is repeated less and less often', async () => {
  const bed = await sendingBed({ log: createLog('test', 'silent') })
  try {
    const hook = await bed.hook(await bed.open())
    const { pool } = bed.fixture.database
    await pool.query(`update facilitator.webhooks set secret = 'retired.secret' where id = $1`, [hook.id])
    await bed.fixture.record(bed.webhooks, hook.account, 'settlement.settled')
    const readPause = async () => {
      const { rows } = await pool.query<{ seconds: number }>(
        `select extract(epoch from start_after - started_on)::float8 as seconds from facilitator_jobs.job
          where group_id = $1 and state = 'retry' and retry_count > 0`,
        [String(hook.id)],
      )
      return rows[0]?.seconds
    }
    await until(async () => (await readPause()) !== undefined)
    expect(await readPause()).toBeGreaterThanOrEqual(2)
  } finally {
    await bed.closeReceivers()
    await bed.fixture.close()
  }
})
