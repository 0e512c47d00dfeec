import { promoCodeCards } from '@mintmark/cards'
import { payments } from '@mintmark/facilitator'
import { startSandbox } from '@mintmark/sandbox'
import { afterAll, beforeEach, expect, it } from 'vitest'

const sandbox = await startSandbox()
afterAll(() => sandbox.stop())
beforeEach(() => sandbox.reset())

const inDays = (days: number) => new Date(sandbox.clock.now() + days * 86_400_000).toISOString()

it('expires a promo code card after its last day', async () => {
  const { id } = await promoCodeCards.create(sandbox.gateway, {
    name: 'Two for one',
    startTime: inDays(-1),
    endTime: inDays(2),
    totalIssued: 1,
  })
  await sandbox.clock.advance('3d')
  const { list } = await promoCodeCards.search(sandbox.gateway, { status: 'EXPIRED' })
  expect(list.map((card) => card.id)).toEqual([id])
})

it('is paid once, even if the answer is lost', async () => {
  const payment = await sandbox.signPayment({ payTo: sandbox.accounts.creator.address })
  const options = { idempotencyKey: 'article 1' }

  sandbox.faults.facilitator('lost-answer')
  await expect(payments.settle(sandbox.facilitator, payment, options)).rejects.toThrow()
  await sandbox.faults.clear()

  const settlement = await payments.settle(sandbox.facilitator, payment, options)
  const { data } = await sandbox.webhooks.waitFor('settlement.settled')
  expect(data.transaction).toBe(settlement?.transaction)
})
