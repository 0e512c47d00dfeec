// What waits in all projects, as operators see it without a shell: disabled webhooks, payments of several
// projects, and locks.

import { openDatabase } from '@mintmark/server-kit'
import { expect } from '@playwright/test'
import { createOrder, orderLike, payToken } from '../../gateway-server/src/testing/payment-cases.ts'
import { type PaymentFixture, paymentFixture } from '../../gateway-server/src/testing/payment-fixture.ts'
import { checkViews } from './check-views.ts'
import type { ConsoleFixture } from './console-fixture.ts'
import { consoleTest, perFile } from './console-test.ts'
import { endBlockingSession, LOCK } from './end-session.ts'

const test = consoleTest().extend<object, { payments: PaymentFixture }>({
  payments: perFile(
    () => paymentFixture(),
    (payments) => payments.close(),
  ),
  consoleOptions: [
    async ({ payments: { gateway, project, openedChains, chain } }, use) => {
      const listUnreadableBlocks = () => new Map([[String(chain.chainId), 1234]])
      await use({ gateway, key: project.key, settings: { openedChains, listUnreadableBlocks } })
    },
    { scope: 'worker' },
  ],
})

test.describe('an operator who looks for what waits', () => {
  const openHealth = (app: ConsoleFixture) => app.openAsOperator({ path: 'health' })

  test('sees webhooks that were disabled, payments that several projects count, and a block that no node returns', async ({
    payments,
    app,
  }) => {
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

    const page = await openHealth(app)
    const webhooks = page.getByRole('table', { name: 'Disabled webhooks' })
    const shared = page.getByRole('table', { name: 'Payments that several projects count' })
    await expect(webhooks.getByText('https://shop.example/events')).toBeVisible()
    await expect(webhooks.getByText('The status was 500')).toBeVisible()
    await expect(shared.getByTitle(order.orderNo, { exact: true })).toBeVisible()
    await expect(shared.getByTitle(theirs.orderNo, { exact: true })).toBeVisible()
    await expect(shared.getByText(`project ${project.projectId}`)).toBeVisible()
    for (const title of [
      '1 webhook was disabled after failing for too long',
      '1 payment is counted by orders of several projects',
    ])
      await expect(page.getByText(title)).toBeVisible()
    await expect(page.getByText(/returns the logs of block 1,234$/)).toBeVisible()
    await checkViews(page, 'operator waiting')
    await shared.scrollIntoViewIfNeeded()
    await checkViews(page, 'operator waiting tables')
  })

  test('An operator ends the session that blocks another one', { tag: '@operator' }, async ({
    payments,
    app,
  }) => {
    const { url } = payments.gateway
    const script = openDatabase({ url, max: 1, applicationName: 'import-script' })
    const server = openDatabase({ url, max: 1, applicationName: 'mintmark-gateway' })
    const [holder, waiting] = [await script.pool.connect(), await server.pool.connect()]
    try {
      await holder.query('begin')
      await holder.query(LOCK)
      await endBlockingSession(await openHealth(app), { holder, waiting }, 'operator')
    } finally {
      holder.release(true)
      waiting.release()
      await Promise.all([script.close(), server.close()])
    }
  })
})
