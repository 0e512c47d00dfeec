import { chooseStatementFault, type Faults } from '@mintmark/devkit/simulation/faults'
import { SimulatedChain } from '@mintmark/devkit/simulation/simulated-chain'
import type { SimulatedDatabase } from '@mintmark/devkit/simulation/simulated-database'
import { connectNodes } from '@mintmark/devkit/simulation/simulated-network'
import { SIMULATION_START_MS, Simulation } from '@mintmark/devkit/simulation/simulation'
import { addSurprise, crashServer, mineBlock, type SimulatedWorld } from '@mintmark/devkit/simulation/world'
import type { Tables } from '../database/tables.ts'
import type { SettleOutcome } from '../engine/settle/outcome.ts'
import type { Deposit } from '../ledger/deposits/deposits.ts'
import type { PayingAccount } from '../ledger/settlements/reserve.ts'
import type { Payment } from '../payment/payment.ts'
import { findForeignChange } from './ownership.ts'
import type { Plan } from './plan.ts'
import {
  type Job,
  type SimulatedFacilitator,
  startFacilitator,
  TREASURY_SURPLUS,
} from './simulated-facilitator.ts'
import {
  ACCOUNT_WALLETS,
  CHAIN_ID,
  createSigner,
  decodeTransaction,
  PAYERS,
  SIGNER_INDICES,
  signPayment,
  TOKEN,
  TREASURY,
  UNKNOWN_WALLET,
} from './wallets.ts'

/** The outcome that a caller of a settle received. */
export interface ReceivedOutcome {
  readonly payment: Payment
  readonly account: PayingAccount
  readonly outcome: SettleOutcome
}

/** Facilitators, their chain and their database in one simulation. */
export interface World extends SimulatedWorld {
  readonly plan: Plan
  readonly database: SimulatedDatabase<Tables>
  readonly faults: Faults
  readonly accounts: readonly PayingAccount[]
  readonly payments: readonly Payment[]
  readonly outcomes: ReceivedOutcome[]
  /** Changes of settlements by calls and reconcilers that did not own them any more. */
  readonly foreignChanges: readonly string[]
  /** The facilitators that work. */
  facilitators: SimulatedFacilitator[]
  /** The number of facilitators that were started. */
  started: number
  /** Whether another program used a signer's key. */
  hasForeignTransactions: boolean
}

/** What all worlds of a worker share. */
export interface WorldParts {
  readonly database: SimulatedDatabase<Tables>
  readonly accounts: readonly PayingAccount[]
  readonly log?: (line: string) => void
}

const NATIVE_BALANCE = 10n ** 20n

export async function createWorld(plan: Plan, { database, accounts, log }: WorldParts): Promise<World> {
  const simulation = new Simulation(plan.seed, log)
  database.simulation = simulation
  const chain = new SimulatedChain({
    id: CHAIN_ID,
    contracts: { token: TOKEN, treasury: TREASURY },
    time: SIMULATION_START_MS / 1000,
    finalityDepth: plan.finalityDepth,
    hasReasons: plan.hasReasons,
  })
  chain.prepare(({ balances, tokens }) => {
    const signers = SIGNER_INDICES.map((index) => createSigner(index).address)
    for (const wallet of [...signers, ...ACCOUNT_WALLETS, UNKNOWN_WALLET])
      balances.set(wallet, NATIVE_BALANCE)
    balances.set(TREASURY, TREASURY_SURPLUS)
    tokens.set(PAYERS[0], 24_000n)
    tokens.set(PAYERS[1], 10_000n)
  })
  const faults: Faults = { rates: plan.rates, lies: 0 }
  database.chooseFault = () => chooseStatementFault(simulation, faults)
  const foreignChanges: string[] = []
  database.onExecuted = async (executed) => {
    const found = await findForeignChange(database.owner, executed)
    if (found !== undefined) foreignChanges.push(found)
  }
  connectNodes(simulation, chain, faults, decodeTransaction)
  const world: World = {
    plan,
    simulation,
    database,
    chain,
    faults,
    accounts,
    payments: await Promise.all(plan.payments.map(signPayment)),
    outcomes: [],
    foreignChanges,
    surprises: [],
    facilitators: [],
    started: 0,
    pending: 0,
    hasForeignTransactions: false,
    isQuiet: false,
  }
  for (let count = 0; count < plan.processes; count += 1) addFacilitator(world)
  // So that the first payments are searched for from a block that the chain had.
  mineBlock(world)
  return world
}

/** Starts another facilitator on the same database. */
export function addFacilitator(world: World): SimulatedFacilitator {
  const { simulation, database, plan } = world
  world.started += 1
  const process = simulation.createProcess(`facilitator-${world.started}`)
  const finality = plan.finality === 'depth' ? String(plan.finalityDepth) : 'finalized'
  const { chargeOn, signers } = plan
  const onCredit = ({ hash, blockNumber, blockHash }: Deposit) => {
    const { blocks, finalized } = world.chain.viewBehind(0)
    const isFinal = blockNumber <= finalized && blocks[Number(blockNumber)]?.hash === blockHash
    if (!isFinal) world.surprises.push(`the deposit ${hash} was credited, and its block is not final`)
  }
  const settings = { finality, chargeOn, signers, onCredit }
  const facilitator = startFacilitator(process, database.connect(process), settings)
  world.facilitators.push(facilitator)
  return facilitator
}

/** Ends a facilitator as SIGKILL does. */
export async function crashFacilitator(world: World, facilitator: SimulatedFacilitator): Promise<void> {
  await crashServer(world, world.database, facilitator, () => facilitator.settles.size)
  world.facilitators = world.facilitators.filter((each) => each !== facilitator)
}

/** One settle of a caller. */
export interface SettleOrder {
  readonly payment: Payment
  readonly account: PayingAccount
  readonly idempotencyKey?: string
}

/** Sends a settle. Its outcome is recorded when it arrives. */
export function startSettle(world: World, facilitator: SimulatedFacilitator, order: SettleOrder): void {
  const { simulation } = world
  const { process, settles } = facilitator
  const { payment, account, idempotencyKey } = order
  const place = `${world.payments.indexOf(payment)} for account ${account.id}`
  simulation.trace(`${process.name} settles payment ${place}`)
  settles.add(order)
  world.pending += 1
  const end = () => {
    settles.delete(order)
    world.pending -= 1
  }
  const call = { account, api: 'x402', ...(idempotencyKey !== undefined && { idempotencyKey }) } as const
  facilitator.settle(payment, call).then(
    (outcome) => {
      end()
      world.outcomes.push({ payment, account, outcome })
      const reason = 'reason' in outcome ? ` (${outcome.reason})` : ''
      simulation.trace(`${process.name} responds for payment ${place}: ${outcome.kind}${reason}`)
    },
    (error: unknown) => {
      end()
      addSurprise(world, `a settle of payment ${place}`, error)
    },
  )
}

export const pickJob = ({ simulation, plan }: World): Job => simulation.random.pick(plan.jobs)
