import type { Mutation } from '@mintmark/devkit/simulation/mutations'

const ordersFile = (path: string) => new URL(`../domains/orders/${path}`, import.meta.url)
const chainFile = (path: string) => new URL(`../../../evm-reader/src/${path}`, import.meta.url)

/** Mistakes that the simulations of orders find. */
export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'does not lock an order that is reported or cancelled',
    file: ordersFile('orders-store.ts'),
    from: ".where('order_no', '=', orderNo).forUpdate()",
    to: ".where('order_no', '=', orderNo)",
  },
  {
    name: 'does not lock an order that is verified',
    file: ordersFile('orders-store.ts'),
    from: 'selectById(trx, id).forUpdate()',
    to: 'selectById(trx, id)',
  },
  {
    name: 'applies observations to an order as it was when it was claimed',
    file: ordersFile('verification/verifier.ts'),
    from: 'applyObservations(trx, findInventory, locked, observations, settings)',
    to: 'applyObservations(trx, findInventory, order, observations, settings)',
  },
  {
    name: 'ends the checks of an order that was reported after it was claimed as overdue',
    file: ordersFile('verification/verifier.ts'),
    from: 'if (order?.status === OrderStatus.PRE && order.expired) await expire',
    to: 'if (order !== undefined) await expire',
  },
  {
    name: 'believes the receipt of a node that lacks the final block',
    file: chainFile('block-facts.ts'),
    from: "if (number <= BigInt(asOf.number) && !hasBlock) return { kind: 'unknown' }",
    to: '',
  },
  {
    name: 'believes that a transaction is absent that a node without the final block lacks',
    file: chainFile('block-facts.ts'),
    from: "return { kind: hasBlock ? 'absent' : 'unknown' }",
    to: "return { kind: 'absent' }",
  },
]
