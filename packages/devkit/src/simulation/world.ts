import type { SimulatedTransaction } from './chain-state.ts'
import type { Faults } from './faults.ts'
import { GWEI, type SimulatedChain, toHash } from './simulated-chain.ts'
import type { SimulatedProcess, Simulation } from './simulation.ts'

/** What the simulations of all servers have: servers with pending calls, and a chain. */
export interface SimulatedWorld {
  readonly simulation: Simulation
  readonly chain: SimulatedChain
  /** Errors that no caller may see. */
  readonly surprises: string[]
  /** Calls and jobs whose callers wait. */
  pending: number
  /** Whether all calls that met a fault have ended, so that every job succeeds. */
  isQuiet: boolean
}

/** A server in a simulated process. */
export interface SimulatedServerProcess<Job extends string> {
  readonly process: SimulatedProcess
  /** The jobs that run now. */
  readonly running: Set<Job>
  run(job: Job): Promise<unknown>
}

export const USUAL_FEE = 3n * GWEI

/** Returns the first line of an error. */
export const describeError = (error: unknown): string =>
  error instanceof Error ? (error.message.split('\n')[0] ?? error.name) : String(error)

/** Records an error, unless the caller repeats the call: the connection to the database was lost. */
export function addSurprise({ simulation, surprises }: SimulatedWorld, where: string, error: unknown): void {
  simulation.trace(`error of ${where}: ${describeError(error)}`)
  if (/Connection terminated|lost during COMMIT/.test(describeError(error))) return
  surprises.push(`${where}: ${describeError(error)}`)
}

/** Starts a job unless it runs. */
export function startJob<Job extends string>(
  world: SimulatedWorld,
  server: SimulatedServerProcess<Job>,
  job: Job,
): void {
  const { running, process } = server
  if (running.has(job)) return
  running.add(job)
  world.pending += 1
  const end = () => {
    running.delete(job)
    world.pending -= 1
  }
  world.simulation.trace(`${process.name} starts ${job}`)
  server.run(job).then(end, (error: unknown) => {
    end()
    world.simulation.trace(`${process.name} ${job} failed: ${describeError(error)}`)
    if (world.isQuiet) addSurprise(world, job, error)
  })
}

/**
 * Ends a server as SIGKILL does.
 *
 * @param countCalls Returns the number of calls whose callers still wait for it.
 */
export async function crashServer<Job extends string>(
  world: SimulatedWorld,
  database: { release(process: SimulatedProcess): Promise<void> },
  { process, running }: SimulatedServerProcess<Job>,
  countCalls: () => number,
): Promise<void> {
  const { simulation } = world
  await simulation.settle()
  simulation.trace(`${process.name} crashes`)
  await simulation.crash(process)
  await database.release(process)
  world.pending -= running.size + countCalls()
}

/** Time that passes without an event. */
const MAX_IDLE_MS = 3_000

/**
 * Lets the steps of a plan happen: an event by its chance, otherwise a call or a timer. Without anything to
 * do, an event happens.
 */
export async function runSteps(
  { simulation }: SimulatedWorld,
  { steps, eventChance }: { readonly steps: number; readonly eventChance: number },
  runEvent: () => Promise<void>,
): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    await simulation.settle()
    if (simulation.random.chance(eventChance) || !(await simulation.step(MAX_IDLE_MS))) await runEvent()
  }
}

/**
 * Ends all faults. In half of the simulations the servers crash too; in the others, memory that the faults
 * left behind is used further.
 */
export async function endFaults<Server extends SimulatedServerProcess<string>>(
  { simulation }: SimulatedWorld,
  faults: Faults,
  servers: readonly Server[],
  crash: (server: Server) => Promise<void>,
): Promise<void> {
  simulation.trace('all faults end')
  faults.rates = undefined
  simulation.arriveAll()
  for (const { process } of servers) {
    process.isPaused = false
    process.skewMs = 0
  }
  if (!simulation.random.chance(0.5)) return
  for (const server of servers) await crash(server)
}

/** Mines a block at the simulation's time. */
export function mineBlock({ chain, simulation }: SimulatedWorld, isEmpty = false): void {
  const seconds = Math.floor(simulation.now / 1000)
  const { number, transactions } = chain.mine(seconds, isEmpty ? () => false : undefined)
  const mined = transactions.map(({ transaction: { hash }, execution }) =>
    execution.succeeded ? hash.slice(0, 10) : `${hash.slice(0, 10)} reverted`,
  )
  simulation.trace(`block ${number}${mined.length > 0 ? `: ${mined.join(', ')}` : ''}`)
}

/** Mines until everything that was mined before is final. */
export function mineFinal(world: SimulatedWorld): void {
  for (let count = 0; count <= world.chain.options.finalityDepth; count += 1) {
    mineBlock(world)
    world.simulation.advance(2000)
  }
}

/** Replaces some of the newest blocks. Some of their transactions are lost, or mined later. */
export function reorganize(world: SimulatedWorld): void {
  const { simulation, chain } = world
  const { random } = simulation
  const dropChance = random.pick([0, 0, 0.5])
  const removed = chain.reorganize(1 + random.integer(3), () => random.chance(dropChance))
  if (removed === 0) return
  simulation.trace(`reorganization of ${removed} blocks`)
  const isLater = random.chance(0.4)
  // Sometimes the other branch is final before all nodes have noticed it.
  const further = random.pick([1, 1, 1 + chain.options.finalityDepth])
  for (let count = 0; count < removed + further; count += 1) mineBlock(world, isLater)
}

/** Removes a transaction from the pools of all nodes. */
export function dropTransaction({ simulation, chain }: SimulatedWorld): void {
  if (chain.pool.length === 0) return
  const transaction = simulation.random.pick(chain.pool)
  simulation.trace(`the pools drop ${transaction.hash.slice(0, 10)}`)
  chain.drop(transaction)
}

/** Pauses a process, or lets it continue. */
export function pauseProcess(
  { simulation }: Pick<SimulatedWorld, 'simulation'>,
  process: SimulatedProcess,
): void {
  process.isPaused = !process.isPaused
  simulation.trace(`${process.name} ${process.isPaused ? 'is paused' : 'continues'}`)
}

/**
 * Pauses a process while it works, until its leases end, or lets one that was paused continue. Returns
 * whether it was paused: another process takes its work over then.
 */
export function pauseBeyondLease({ simulation }: SimulatedWorld, process: SimulatedProcess): boolean {
  pauseProcess({ simulation }, process)
  if (process.isPaused) simulation.advance(LEASE_MS)
  return process.isPaused
}

/** Longer than the leases of orders and settlements. */
const LEASE_MS = 36_000

/** Sets the clock of a process. */
export function skewClock({ simulation }: SimulatedWorld, process: SimulatedProcess): void {
  process.skewMs = simulation.random.pick([-40_000, -3_000, 0, 3_000, 40_000])
  simulation.trace(`the clock of ${process.name} is ahead by ${process.skewMs} ms`)
}

/** A transaction that no server of the simulation signed. */
export interface ForeignCall {
  readonly from: string
  readonly to: string
  readonly data: string
  readonly value?: bigint
}

/** Sends a transaction that no server of the simulation signed. */
export function submitForeign(
  { chain, simulation }: SimulatedWorld,
  what: string,
  { from, to, data, value = 0n }: ForeignCall,
): SimulatedTransaction {
  const nonce = chain.getPendingNonce(from)
  const hash = toHash(`foreign ${simulation.seed} ${simulation.digest}`)
  simulation.trace(`${what}: ${hash.slice(0, 10)}`)
  const transaction = { hash, from, nonce, to, data, value, maxFeePerGas: USUAL_FEE * 4n }
  chain.submit(transaction)
  return transaction
}

/** The most steps in which the calls of one phase end. */
const MAX_STEPS = 20_000
const STEPS_PER_BLOCK = 40

/** Lets calls continue until all callers have their outcome. Returns whether they have. */
export async function drain(world: SimulatedWorld): Promise<boolean> {
  for (let step = 1; step <= MAX_STEPS; step += 1) {
    await world.simulation.settle()
    if (world.pending === 0 && world.simulation.waiting === 0) return true
    if (step % STEPS_PER_BLOCK === 0) mineBlock(world)
    await world.simulation.step()
  }
  return false
}
