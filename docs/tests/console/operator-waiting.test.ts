// What waits in all projects, as operators see it without a shell: disabled webhooks, payments of several
// projects, and locks.
import { openDatabase } from '@mintmark/server-kit'
import { afterAll, beforeAll, describe, it } from 'vitest'
import {
  createOrder,
  orderLike,
  payToken,
} from '../../../packages/gateway-server/src/testing/payment-cases.ts'
import {
  type PaymentFixture,
  paymentFixture,
} from '../../../packages/gateway-server/src/testing/payment-fixture.ts'
import { hasBrowser, type Tab } from './browser.ts'
import { waitForPage } from './check-page.ts'
import { checkViews } from './check-views.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'
import { endBlockingSession, LOCK } from './end-session.ts'

describe.skipIf(!hasBrowser)('an operator who looks for what waits', () => {
  let payments: PaymentFixture
  let fixture: ConsoleFixture
  beforeAll(async () => {
    payments = await paymentFixture()
    const { gateway, project, openedChains, chain } = payments
    const listUnreadableBlocks = () => new Map([[String(chain.chainId), 1234]])
    fixture = await startConsole({
      gateway,
      key: project.key,
      settings: { openedChains, listUnreadableBlocks },
    })
  })
  afterAll(async () => {
    await fixture?.close()
    await payments?.close()
  })

  async function openHealth(): Promise<Tab> {
    const tab = await fixture.openAsOperator()
    await tab.page.goto(`${fixture.url}/console/operator/health`)
    await waitForPage(tab)
    return tab
  }

  it('sees webhooks that were disabled, payments that several projects count, and a block that no node returns', async () => {
    const { gateway, project, other, orderFixture } = payments
    await gateway.owner.pool.query(
      `with webhook as (
        insert into gateway.webhooks (project_id, url, secret, status, failing_since)
        values ($1, 'https://shop.example/events', '', 'DISABLED', clock_timestamp() - interval '6 days')
        returning project_id, id
      )
      insert into gateway.webhook_deliveries (project_id, webhook_id, event_type, status, attempts, attempt_log)
      select project_id, id, 'webhook.test', 'FAILED', 1, '[{"error":"The status was 500"}]' from webhook`,
      [other.project.projectId],
    )
    const { order } = await createOrder(payments)
    const theirs = await orderLike({ ...payments, ...other }, order, { payPrice: '1' })
    const hash = await payToken(payments, order)
    await other.orderFixture.pay(theirs, hash)
    await payments.mineAndVerify()
    await orderFixture.pay(order, hash)
    await orderFixture.verify()

    const tab = await openHealth()
    const { page } = tab
    const [webhooks, shared] = ['Disabled webhooks', 'Payments that several projects count'].map((name) =>
      page.getByRole('table', { name }),
    )
    await webhooks?.getByText('https://shop.example/events').waitFor()
    await webhooks?.getByText('The status was 500').waitFor()
    await shared?.getByTitle(order.orderNo, { exact: true }).waitFor()
    await shared?.getByTitle(theirs.orderNo, { exact: true }).waitFor()
    await shared?.getByText(`project ${project.projectId}`).waitFor()
    for (const title of [
      '1 webhook was disabled after failing for too long',
      '1 payment is counted by orders of several projects',
    ])
      await page.getByText(title).waitFor()
    await page.getByText(/returns the logs of block 1,234$/).waitFor()
    await checkViews(tab, 'operator waiting')
    await shared?.scrollIntoViewIfNeeded()
    await checkViews(tab, 'operator waiting tables')
  })

  it('sees which session of the database has the lock that another one waits for, and ends it', async () => {
    const { url } = payments.gateway
    const script = openDatabase({ url, max: 1, applicationName: 'import-script' })
    const server = openDatabase({ url, max: 1, applicationName: 'mintmark-gateway' })
    const [holder, waiting] = [await script.pool.connect(), await server.pool.connect()]
    try {
      await holder.query('begin')
      await holder.query(LOCK)
      await endBlockingSession(await openHealth(), { holder, waiting }, 'operator')
    } finally {
      holder.release(true)
      waiting.release()
      await Promise.all([script.close(), server.close()])
    }
  })
})
