import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { receiver } from '@mintmark/devkit/testing'
import { webhooks } from '@mintmark/facilitator'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { signedBody } from '../engine/testing.ts'
import { testFacilitator } from '../testing.ts'

const stops = new AsyncDisposableStack()
const facilitator = await testFacilitator({
  chain: await testChain(),
  signerKeys: [devAccount(9).privateKey],
  env: { DELIVERY_RETENTION_DAYS: '10' },
})
stops.defer(() => facilitator.close())
const endpoint = await receiver()
stops.defer(() => endpoint.close())
const account = await facilitator.account()
const client = facilitator.client(account)
const { id } = await webhooks.configure(client, { url: endpoint.url, events: ['settlement.settled'] })
afterAll(() => stops.disposeAsync())

const listDeliveries = async () => (await webhooks.deliveries(client, { id })).list

/** Settles a payment, and moves the delivery of its event into the past. Returns the delivery's id. */
async function deliver(days: number): Promise<number> {
  const response = await facilitator.post(
    '/settle',
    await signedBody({ account: devAccount(1) }),
    account.token,
  )
  expect(response.status).toBe(200)
  await expect.poll(async () => (await listDeliveries())[0]?.status).toBe('DELIVERED')
  const delivery = (await listDeliveries())[0]?.id
  await sql`
    update facilitator.deliveries set created_at = created_at - make_interval(days => ${days}),
      last_attempt_at = last_attempt_at - make_interval(days => ${days})
    where id = ${delivery}`.execute(facilitator.db)
  return delivery ?? 0
}

test('the server deletes deliveries that are older than DELIVERY_RETENTION_DAYS', async () => {
  const recent = await deliver(9)
  const old = await deliver(10)
  expect((await listDeliveries()).map((each) => each.id)).toEqual([recent, old])
  await facilitator.runJobs()
  expect((await listDeliveries()).map((each) => each.id)).toEqual([recent])
})
