import { encodeCancellation, encodeMove } from '@mintmark/devkit/simulation/chain-state'
import { pickWeighted } from '@mintmark/devkit/simulation/faults'
import { GWEI } from '@mintmark/devkit/simulation/simulated-chain'
import { encodeInvalidation, PERMIT2 } from '@mintmark/devkit/simulation/simulated-permit2'
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
import { executions } from '../schemes/registry.ts'
import type { EventName } from './plan.ts'
import {
  ACCOUNT_WALLETS,
  createSigner,
  SIGNER_INDICES,
  STRANGER,
  TOKEN,
  TREASURY,
  UNKNOWN_WALLET,
} from './wallets.ts'
import { addFacilitator, crashFacilitator, pickJob, startSettle, type World } from './world.ts'

/** Lets something happen, chosen by the weights of the plan. */
export async function runEvent(world: World): Promise<void> {
  const name = pickWeighted(world.simulation.random, world.plan.weights)
  if (name !== undefined) await EVENTS[name](world)
}

/** The most concurrent settles of a process. */
const MAX_SETTLES = 4

const EVENTS: Readonly<Record<EventName, (world: World) => void | Promise<void>>> = {
  settle(world) {
    const { random } = world.simulation
    const facilitator = random.pick(world.facilitators)
    if (facilitator.settles.size >= MAX_SETTLES) return
    const account = random.chance(0.85) ? world.accounts[0] : world.accounts[1]
    if (account === undefined) return
    const payment = random.pick(world.payments)
    const idempotencyKey = random.chance(0.2) ? { idempotencyKey: `key-${account.id}` } : {}
    startSettle(world, facilitator, { payment, account, ...idempotencyKey })
  },
  job: (world) => startJob(world, world.simulation.random.pick(world.facilitators), pickJob(world)),
  mine: (world) => mineBlock(world),
  mineEmpty: (world) => mineBlock(world, true),
  reorganize,
  drop: dropTransaction,
  frontRun(world) {
    const payment = world.simulation.random.pick(world.payments)
    const { recipient: to, data } = executions
      .find({ ...payment, scheme: payment.scheme.name })
      .encodeTransfer(payment, payment.signature, true)
    submitForeign(world, 'a stranger submits an authorization', { from: STRANGER, to, data })
  },
  cancel(world) {
    const { payer, nonce, scheme } = world.simulation.random.pick(world.payments)
    const call =
      scheme.domain === undefined
        ? { to: TOKEN, data: encodeCancellation(payer, nonce) }
        : { to: PERMIT2, data: encodeInvalidation(nonce) }
    submitForeign(world, 'a payer cancels an authorization', { from: payer, ...call })
  },
  moveMoney(world) {
    const { payer } = world.simulation.random.pick(world.payments)
    const amount = world.chain.head.state.tokens.get(payer) ?? 0n
    submitForeign(world, 'a payer moves its money', {
      from: payer,
      to: TOKEN,
      data: encodeMove(STRANGER, amount),
    })
  },
  deposit(world) {
    const from = world.simulation.random.pick([...ACCOUNT_WALLETS, UNKNOWN_WALLET])
    submitForeign(world, 'a deposit', { from, to: TREASURY, data: '0x', value: 10n ** 15n })
  },
  foreignTransaction(world) {
    const from = createSigner(world.simulation.random.pick(SIGNER_INDICES)).address
    world.hasForeignTransactions = true
    submitForeign(world, 'another program uses a signer', { from, to: STRANGER, data: '0x' })
  },
  feeSpike({ chain, simulation }) {
    chain.baseFeePerGas = chain.baseFeePerGas > GWEI ? GWEI : 4n * GWEI
    simulation.trace(`the base fee is ${chain.baseFeePerGas}`)
  },
  jump(world) {
    const { simulation, facilitators } = world
    const seconds = simulation.random.pick([2, 10, 35, 61])
    simulation.trace(`${seconds} seconds pass`)
    simulation.advance(seconds * 1000)
    // The job that notices that leases have ended.
    if (simulation.random.chance(0.5)) startJob(world, simulation.random.pick(facilitators), 'reconcile')
  },
  arrive: ({ simulation }) => simulation.arrive(),
  async crash(world) {
    await crashFacilitator(world, world.simulation.random.pick(world.facilitators))
    if (world.facilitators.length === 0 || world.simulation.random.chance(0.7)) addFacilitator(world)
  },
  overtake(world) {
    const { random } = world.simulation
    const facilitator = random.pick(world.facilitators)
    if (!pauseBeyondLease(world, facilitator.process)) return
    const other = world.facilitators.find(({ process }) => !process.isPaused)
    if (other !== undefined) startJob(world, other, 'reconcile')
    else if (world.facilitators.length === 1) startJob(world, addFacilitator(world), 'reconcile')
  },
  pause: (world) => pauseProcess(world, world.simulation.random.pick(world.facilitators).process),
  skew: (world) => skewClock(world, world.simulation.random.pick(world.facilitators).process),
}
