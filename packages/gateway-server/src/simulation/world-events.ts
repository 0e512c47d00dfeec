import { encodeMove, type SimulatedTransaction } from '@mintmark/devkit/simulation/chain-state'
import { pickWeighted } from '@mintmark/devkit/simulation/faults'
import { toHash } from '@mintmark/devkit/simulation/simulated-chain'
import {
  dropTransaction,
  mineBlock,
  pauseBeyondLease,
  pauseProcess,
  reorganize,
  skewClock,
  startJob,
  submitForeign,
} from '@mintmark/devkit/simulation/world'
import { BUYERS, SELLER, STRANGER, TOKEN } from './catalog.ts'
import type { EventName } from './plan.ts'
import { type PlacedOrder, SETTINGS } from './simulated-gateway.ts'
import { addGateway, crashGateway, startCall, type World } from './world.ts'

/** Lets something happen, chosen by the weights of the plan. */
export async function runEvent(world: World): Promise<void> {
  const name = pickWeighted(world.simulation.random, world.plan.weights)
  if (name !== undefined) await EVENTS[name](world)
}

const EVENTS: Readonly<Record<EventName, (world: World) => void | Promise<void>>> = {
  order(world) {
    const { random } = world.simulation
    const [gateway, offer, buyer] = [
      random.pick(world.gateways),
      random.pick(world.offers),
      random.pick(BUYERS),
    ]
    const quantity = random.pick([1, 1, 1, 2])
    startCall(
      world,
      gateway,
      `an order of listing ${offer.listing}`,
      () => gateway.order(offer, buyer, quantity),
      (row) => {
        world.simulation.trace(`order ${row.id} is placed at block ${row.placed_at_block}`)
        world.placed.push({ project: offer.project, row })
      },
    )
  },
  transfer: pay,
  report(world) {
    const transfer = pickOrNone(world, world.transfers)
    if (transfer !== undefined) report(world, transfer.order, transfer.hash)
  },
  // Buyers who report what others paid, or what they paid for another order.
  reportOther(world) {
    const [transfer, order] = [pickOrNone(world, world.transfers), pickOrNone(world, world.placed)]
    if (transfer !== undefined && order !== undefined) report(world, order, transfer.hash)
  },
  rush,
  job(world) {
    const { random } = world.simulation
    startJob(world, random.pick(world.gateways), random.chance(0.9) ? 'verify' : 'close')
  },
  // Blocks take time, so that checks become due.
  mine(world) {
    world.simulation.advance(world.simulation.random.pick([0, 1000, 2000, 6000]))
    mineBlock(world)
  },
  mineEmpty: (world) => mineBlock(world, true),
  replace,
  moveMoney(world) {
    const from = world.simulation.random.pick(BUYERS)
    const amount = world.chain.head.state.tokens.get(from) ?? 0n
    submitForeign(world, 'a buyer moves its money', { from, to: TOKEN, data: encodeMove(STRANGER, amount) })
  },
  cancel(world) {
    const order = pickOrNone(world, world.placed)
    const gateway = world.simulation.random.pick(world.gateways)
    if (order === undefined) return
    startCall(world, gateway, `the cancellation of order ${order.row.id}`, () => gateway.cancel(order))
  },
  takeOff(world) {
    const gateway = world.simulation.random.pick(world.gateways)
    const offer = world.simulation.random.pick(world.offers)
    startCall(world, gateway, `the end of listing ${offer.listing}`, () => gateway.takeOff(offer))
  },
  reorganize,
  drop: dropTransaction,
  jump({ simulation }) {
    const seconds = simulation.random.pick([2, 10, 35, 61, 125])
    simulation.trace(`${seconds} seconds pass`)
    simulation.advance(seconds * 1000)
  },
  arrive: ({ simulation }) => simulation.arrive(),
  async crash(world) {
    await crashGateway(world, world.simulation.random.pick(world.gateways))
    if (world.gateways.length === 0 || world.simulation.random.chance(0.7)) addGateway(world)
  },
  overtake(world) {
    // A gateway that verifies, or the one that was overtaken.
    const candidates = world.gateways.filter(
      ({ process, running }) => process.isPaused || running.has('verify'),
    )
    const gateway = pickOrNone(world, candidates)
    if (gateway === undefined || !pauseBeyondLease(world, gateway.process)) return
    const other = world.gateways.find(({ process }) => !process.isPaused)
    if (other !== undefined) startJob(world, other, 'verify')
    else if (world.gateways.length === 1) startJob(world, addGateway(world), 'verify')
  },
  pause: (world) => pauseProcess(world, world.simulation.random.pick(world.gateways).process),
  skew: (world) => skewClock(world, world.simulation.random.pick(world.gateways).process),
}

const pickOrNone = <Value>({ simulation }: World, values: readonly Value[]): Value | undefined =>
  values.length === 0 ? undefined : simulation.random.pick(values)

/**
 * A buyer's programs report and cancel an order at the same time, while gateways verify it, perhaps when it
 * has just expired.
 */
function rush(world: World): void {
  const { simulation, placed, transfers } = world
  const { random } = simulation
  // The newest orders, because older ones have ended.
  const order = pickOrNone(world, placed.slice(-3))
  if (order === undefined) return
  if (random.chance(0.3)) simulation.advance(SETTINGS.expirySeconds * 1000)
  const own = transfers.filter((each) => each.order === order)
  for (let count = 2 + random.integer(3); count > 0; count -= 1) {
    const gateway = random.pick(world.gateways)
    const transfer = pickOrNone(world, own)
    const choice = random.integer(3)
    if (choice === 0) startJob(world, gateway, 'verify')
    else if (choice === 1 && transfer !== undefined) report(world, order, transfer.hash)
    else startCall(world, gateway, `the cancellation of order ${order.row.id}`, () => gateway.cancel(order))
  }
}

function report(world: World, order: PlacedOrder, hash: string): void {
  const gateway = world.simulation.random.pick(world.gateways)
  const what = `the report of ${hash.slice(0, 10)} for order ${order.row.id}`
  startCall(
    world,
    gateway,
    what,
    () => gateway.report(order, hash),
    (result) => {
      const reason = result.kind === 'refused' ? ` (${result.error.reason})` : ''
      world.simulation.trace(`${what} is ${result.kind}${reason}`)
    },
  )
}

/** What a buyer does with the payment of an order. */
type PaymentKind = 'exact' | 'too-little' | 'too-much' | 'other-wallet' | 'other-token'

const KINDS: readonly PaymentKind[] = [
  ...Array.from({ length: 7 }, () => 'exact' as const),
  'too-little',
  'too-much',
  'other-wallet',
  'other-token',
]

/** A transaction that is meant to pay an order. */
function pay(world: World): void {
  const order = pickOrNone(world, world.placed)
  if (order === undefined) return
  const kind = world.simulation.random.pick(KINDS)
  const { recipient, pay_amount: owed, pay_token_address: token, id } = order.row
  const amount = BigInt(owed) + (kind === 'too-little' ? -1n : kind === 'too-much' ? 500n : 0n)
  const from = kind === 'other-wallet' ? STRANGER : recipient
  const isToken = (token !== '') !== (kind === 'other-token')
  const call = isToken
    ? { from, to: TOKEN, data: encodeMove(SELLER, amount) }
    : { from, to: SELLER, data: '0x', value: amount }
  const { hash } = submitForeign(world, `a payment (${kind}) of order ${id}`, call)
  world.transfers.push({ hash, order })
}

/** A wallet that speeds up a transaction sends it again with a higher fee. One of both is mined. */
function replace(world: World): void {
  const { chain, simulation, transfers } = world
  const waiting = transfers.flatMap((transfer) => {
    const transaction = chain.pool.find(({ hash }) => hash === transfer.hash)
    return transaction === undefined ? [] : [{ transfer, transaction }]
  })
  const chosen = pickOrNone(world, waiting)
  if (chosen === undefined) return
  const { transfer, transaction } = chosen
  const hash = toHash(`replacement ${simulation.seed} ${simulation.digest}`)
  const faster: SimulatedTransaction = {
    ...transaction,
    hash,
    maxFeePerGas: transaction.maxFeePerGas * 2n,
  }
  simulation.trace(`${transaction.hash.slice(0, 10)} is replaced by ${hash.slice(0, 10)}`)
  chain.submit(faster)
  transfers.push({ hash, order: transfer.order })
}
