import { OrderStatus, orders } from '@mintmark/orders'
import { expect, it, vi } from 'vitest'
import { startSandbox } from './sandbox.ts'

it('transferToken pays the order of the demo data', async () => {
  await using shop = await startSandbox({ demo: true })
  const orderNo = shop.credentials.demo?.orderNo ?? ''
  const { sender, payAmount, recipient } = await orders.get(shop.gateway, { orderNo })
  const hash = await shop.transferToken({ to: sender, amount: BigInt(payAmount) })
  await orders.payOrder(shop.gateway, { orderNo, hash, recipient })
  const isPaid = async () => {
    await shop.chain.mine()
    expect((await orders.get(shop.gateway, { orderNo })).orderStatus).toBe(OrderStatus.SUCCESS)
  }
  await vi.waitFor(isPaid, { timeout: 170_000 })
})
