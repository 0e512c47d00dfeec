import { chooseStatementFault, type Faults } from '@mintmark/devkit/simulation/faults'
import { SimulatedChain } from '@mintmark/devkit/simulation/simulated-chain'
import type { SimulatedDatabase } from '@mintmark/devkit/simulation/simulated-database'
import { connectNodes } from '@mintmark/devkit/simulation/simulated-network'
import { SIMULATION_START_MS, Simulation } from '@mintmark/devkit/simulation/simulation'
import {
  addSurprise,
  crashServer,
  describeError,
  mineBlock,
  type SimulatedWorld,
} from '@mintmark/devkit/simulation/world'
import { HttpError } from '@mintmark/server-kit'
import { ChainUnavailableError } from '../chain/payment-chains.ts'
import type { Tables } from '../database/tables.ts'
import { BUYERS, CHAIN_ID, type Offer, STRANGER, TOKEN, TREASURY } from './catalog.ts'
import type { Plan } from './plan.ts'
import { type PlacedOrder, type SimulatedGateway, startGateway } from './simulated-gateway.ts'

/** A transaction that a buyer made for an order. */
export interface Transfer {
  readonly hash: string
  readonly order: PlacedOrder
}

/** Gateways, their chain and their database in one simulation. */
export interface World extends SimulatedWorld {
  readonly plan: Plan
  readonly database: SimulatedDatabase<Tables>
  readonly faults: Faults
  /** What buyers order from. */
  readonly offers: readonly Offer[]
  /** The orders that buyers know. */
  readonly placed: PlacedOrder[]
  readonly transfers: Transfer[]
  /** What the reader of payments said of final blocks, although the chain shows something else. */
  readonly misreadings: string[]
  /** The gateways that work. */
  gateways: SimulatedGateway[]
  /** The number of gateways that were started. */
  started: number
}

/** What all worlds of a worker share. */
export interface WorldParts {
  readonly database: SimulatedDatabase<Tables>
  readonly offers: readonly Offer[]
  readonly log?: (line: string) => void
}

const NATIVE_BALANCE = 10n ** 20n
/** Enough for some of a buyer's orders. */
const TOKEN_BALANCE = 6000n

export function createWorld(plan: Plan, { database, offers, log }: WorldParts): World {
  const simulation = new Simulation(plan.seed, log)
  database.simulation = simulation
  const chain = new SimulatedChain({
    id: CHAIN_ID,
    contracts: { token: TOKEN, treasury: TREASURY },
    time: SIMULATION_START_MS / 1000,
    finalityDepth: plan.finalityDepth,
    hasReasons: true,
  })
  chain.prepare(({ balances, tokens }) => {
    for (const wallet of [...BUYERS, STRANGER]) {
      balances.set(wallet, NATIVE_BALANCE)
      tokens.set(wallet, TOKEN_BALANCE)
    }
  })
  const faults: Faults = { rates: plan.rates, lies: 0 }
  database.chooseFault = () => chooseStatementFault(simulation, faults)
  connectNodes(simulation, chain, faults, () => {
    throw new Error('Gateways send no transactions')
  })
  const world: World = {
    plan,
    simulation,
    database,
    chain,
    faults,
    offers: offers.filter((_, index) => plan.listings.includes(index)),
    placed: [],
    transfers: [],
    misreadings: [],
    surprises: [],
    gateways: [],
    started: 0,
    pending: 0,
    isQuiet: false,
  }
  for (let count = 0; count < plan.processes; count += 1) addGateway(world)
  mineBlock(world)
  return world
}

/** Starts another gateway on the same database. */
export function addGateway(world: World): SimulatedGateway {
  const { simulation, plan } = world
  world.started += 1
  const process = simulation.createProcess(`gateway-${world.started}`)
  const finality = plan.finality === 'depth' ? { depth: plan.finalityDepth } : ({ tag: 'finalized' } as const)
  const gateway = startGateway(process, world, finality)
  world.gateways.push(gateway)
  return gateway
}

/** Ends a gateway as SIGKILL does. */
export async function crashGateway(world: World, gateway: SimulatedGateway): Promise<void> {
  await crashServer(world, world.database, gateway, () => gateway.calls)
  world.gateways = world.gateways.filter((each) => each !== gateway)
}

/** The most concurrent calls of a gateway. */
const MAX_CALLS = 4

/** Sends a call, unless the gateway is busy. What it returns is recorded when it arrives. */
export function startCall<Result>(
  world: World,
  gateway: SimulatedGateway,
  what: string,
  call: () => Promise<Result>,
  onResult: (result: Result) => void = () => {},
): void {
  const { simulation } = world
  const { process } = gateway
  if (gateway.calls >= MAX_CALLS) return
  simulation.trace(`${process.name} receives ${what}`)
  gateway.calls += 1
  world.pending += 1
  const end = () => {
    gateway.calls -= 1
    world.pending -= 1
  }
  call().then(
    (result) => {
      end()
      onResult(result)
    },
    (error: unknown) => {
      end()
      if (error instanceof HttpError || error instanceof ChainUnavailableError)
        simulation.trace(`${process.name} refuses ${what}: ${describeError(error)}`)
      else addSurprise(world, what, error)
    },
  )
}
