import { OrderStatus } from '@mintmark/orders'
import { BUYERS } from './catalog.ts'
import { computePaid, type Facts, isPayment, type OrderFact } from './facts.ts'
import type { World } from './world.ts'

const { PRE, IN_PROGRESS, SUCCESS, UNRESOLVED } = OrderStatus

interface Invariant {
  readonly name: string
  /** Returns a sentence for each violation. */
  readonly check: (world: World, facts: Facts) => readonly string[]
}

const listClaimed = ({ claims }: Facts, { id }: OrderFact): readonly string[] =>
  claims.filter(({ order }) => order === id).map(({ hash }) => hash)

/** What must hold at the end of every simulation, beside the rules of the rows. */
const INVARIANTS: readonly Invariant[] = [
  {
    name: 'every order ends',
    check: (_, { orders }) =>
      orders
        .filter(({ status, is_checked }) => status === PRE || status === IN_PROGRESS || is_checked)
        .map(({ id, status, is_checked }) =>
          is_checked ? `order ${id} is still checked` : `order ${id} has still the status ${status}`,
        ),
  },
  {
    name: 'an order that ended unpaid has no units',
    check: (_, { orders }) =>
      orders
        .filter(({ status }) => status !== SUCCESS && status !== UNRESOLVED)
        .filter(({ stock }) => stock === 'reserved' || stock === 'committed')
        .map(({ id, status, stock }) => `order ${id} has the status ${status}, and its units are ${stock}`),
  },
  {
    name: 'no success without a payment on the final chain',
    check: (world, { orders }) =>
      orders
        .filter((order) => order.status === SUCCESS && !isPayment(world, order, order.tx_id))
        .map(({ id, tx_id }) => `order ${id} is a success, and ${tx_id} did not pay it`),
  },
  {
    name: 'no success is taken back: its payment was final',
    check: (_, { orders }) =>
      orders
        .filter(({ events }) => events.some(({ event }) => event === 'reorganized'))
        .map(({ id }) => `the success of order ${id} was taken back`),
  },
  {
    name: 'each event of an order begins with the status in which the event before it ended',
    check: (_, { orders }) =>
      orders.flatMap(({ id, status, events }) => {
        const before = [PRE, ...events.map(({ to_status }) => to_status)]
        const broken = events.find(({ from_status }, index) => from_status !== before[index])
        if (broken !== undefined)
          return [`order ${id} was not in the status ${broken.from_status} when it was ${broken.event}`]
        const last = before.at(-1)
        return last === status ? [] : [`order ${id} has the status ${status}, and its events end in ${last}`]
      }),
  },
  {
    name: 'what the reader finds in final blocks is on the chain, and nothing is missed',
    check: ({ misreadings }) => misreadings,
  },
  {
    name: 'every reported payment counts, or an operator is alerted',
    check: (world, facts) =>
      facts.claims.flatMap(({ project, order: id, hash }) => {
        const order = facts.orders.find((each) => each.id === id)
        if (order === undefined || !isPayment(world, order, hash)) return []
        const counts = facts.consumed.some((each) => each.project === project && each.hash === hash)
        const isAlerted = facts.orders.some(
          (each) =>
            each.project === project && each.status === UNRESOLVED && listClaimed(facts, each).includes(hash),
        )
        return counts || isAlerted ? [] : [`${hash} paid order ${id}, which has the status ${order.status}`]
      }),
  },
  {
    name: 'a payment counts for an order that it pays, or that it paid in part and to excess',
    check: (world, { orders, consumed, claims }) =>
      consumed.flatMap(({ hash, order: id }) => {
        const order = orders.find((each) => each.id === id)
        const isExcess = claims.some((each) => each.order === id && each.hash === hash && each.refund !== '')
        const least = isExcess ? 1n : BigInt(order?.owed ?? 0)
        const isPaid = order !== undefined && computePaid(world, order, hash) >= least
        return isPaid ? [] : [`${hash} counts for order ${id}, and did not pay it`]
      }),
  },
  {
    name: 'an unresolved order has a transaction that concerns it',
    check: (_, facts) =>
      facts.orders
        .filter((order) => order.status === UNRESOLVED && listClaimed(facts, order).length === 0)
        .map(({ id, reason }) => `order ${id} is unresolved (${reason}) without a transaction`),
  },
  {
    name: 'a refund is due for exactly what was paid too much',
    check: (world, facts) =>
      facts.orders
        .filter(({ status }) => status === SUCCESS)
        .flatMap((order) => {
          const counted = facts.consumed.filter((each) => each.order === order.id)
          const paid = counted.reduce((sum, { hash }) => sum + computePaid(world, order, hash), 0n)
          const excess = paid - BigInt(order.owed)
          const due = facts.claims
            .filter((claim) => claim.order === order.id && claim.refund === 'due')
            .reduce((sum, claim) => sum + BigInt(claim.refund_amount), 0n)
          return due === excess
            ? []
            : [`order ${order.id} was paid ${excess} too much, and ${due} is to be refunded`]
        }),
  },
  {
    name: 'buyers have what they paid for, and nothing else',
    check: (_, { orders, assets }) =>
      [...new Set(orders.map(({ project }) => project))].flatMap((project) =>
        BUYERS.flatMap((buyer) => {
          const sold = orders
            .filter((order) => order.project === project && order.recipient === buyer)
            .filter(({ stock }) => stock === 'committed')
            .reduce((sum, { quantity }) => sum + quantity, 0)
          const owned = assets.find((asset) => asset.project === project && asset.owner === buyer)
          return Number(owned?.quantity ?? 0) === sold
            ? []
            : [`${buyer} has ${owned?.quantity ?? 0} units of project ${project}, and bought ${sold}`]
        }),
      ),
  },
]

/** Returns the violated invariants. */
export function checkInvariants(world: World, facts: Facts): string[] {
  const violations = INVARIANTS.flatMap(({ name, check }) =>
    check(world, facts).map((sentence) => `${name}: ${sentence}`),
  )
  return [...violations, ...world.surprises.map((sentence) => `no caller sees this: ${sentence}`)]
}
