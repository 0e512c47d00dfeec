import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepWithoutStatistics } from '../../../testing/copy-rows.ts'
import { countRowsRead } from '../../../testing/count-rows-read.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { getSharedPayments } from './shared-payments.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
  await keepWithoutStatistics(gateway)
})
afterAll(() => gateway.close())

it('payments of several projects are counted without reading those of earlier days', async () => {
  const read = await countRowsRead(gateway, ['consumed_payments'], async (trx) => {
    // Foreign keys are not checked.
    await sql`set local session_replication_role = replica`.execute(trx)
    await sql`
      insert into gateway.consumed_payments (chain_id, hash, project_id, order_id, consumed_at)
      select '1', 'hash ' || n, project, n, now() - case when n <= 2 then interval '1 hour' else interval '2 days' end
      from generate_series(1, 5000) n, unnest(array[1, 2]) project where project = 1 or n % 2 = 0`.execute(
      trx,
    )
    expect(await getSharedPayments(trx)).toBe(1)
  })
  expect(read).toBeLessThan(20)
})
