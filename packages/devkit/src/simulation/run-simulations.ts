import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { MUTATION_VARIABLE } from './mutations.ts'
import type { SeedResult } from './seed-runner.ts'
import type { WorkerMessage, WorkerOrder } from './serve-seeds.ts'

export interface SimulationRun {
  /** The module of the processes that run the seeds. It calls `serveSeeds`. */
  readonly worker: URL
  readonly seeds: Iterable<number>
  /** The number of processes. */
  readonly workers: number
  /**
   * The simulations of one process at a time, each with a database of its own. While one waits for
   * PostgreSQL, others run. Default 1.
   */
  readonly concurrency?: number
  /** Without faults and rare events. */
  readonly isCalm?: boolean
  /** The name of the mistake that the product makes. */
  readonly mutation?: string | undefined
  /** Receives the trace of every simulation. */
  readonly log?: ((line: string) => void) | undefined
  readonly onResult?: (result: SeedResult) => void
}

/** Runs the simulations of seeds. */
export async function runSimulations({
  worker: module,
  seeds,
  workers,
  concurrency = 1,
  isCalm = false,
  mutation,
  log,
  onResult,
}: SimulationRun): Promise<void> {
  // All workers take their seeds from the same iterator.
  const queue = seeds[Symbol.iterator]()
  await Promise.all(Array.from({ length: workers }, runWorker))

  async function runWorker(): Promise<void> {
    const worker = startWorker(module, { mutation, log })
    try {
      await worker.ready
      await Promise.all(Array.from({ length: concurrency }, () => runSeeds(worker)))
    } finally {
      await worker.close()
    }
  }

  async function runSeeds(worker: Worker): Promise<void> {
    for (let next = queue.next(); !next.done; next = queue.next())
      onResult?.(await worker.run({ seed: next.value, isCalm, log: log !== undefined }))
  }
}

/** Runs simulations in one process, for tests. */
export async function simulateSeeds(
  worker: URL,
  seeds: Iterable<number>,
  options: { readonly isCalm?: boolean } = {},
): Promise<SeedResult[]> {
  const results: SeedResult[] = []
  const onResult = (result: SeedResult) => void results.push(result)
  await runSimulations({ worker, seeds, workers: 1, concurrency: 3, ...options, onResult })
  return results
}

/**
 * Runs simulations of a product with a mistake until one of them finds it.
 *
 * @returns The seed that finds it. Undefined if none of the seeds does.
 */
export async function findMutation(
  worker: URL,
  mutation: string,
  seeds: Iterable<number>,
): Promise<number | undefined> {
  let found: number | undefined
  function* untilFound() {
    for (const seed of seeds) {
      if (found !== undefined) return
      yield seed
    }
  }
  const onResult = ({ seed, problems }: SeedResult) => {
    if (problems.length > 0) found ??= seed
  }
  await runSimulations({ worker, seeds: untilFound(), workers: 1, concurrency: 3, mutation, onResult })
  return found
}

/** Lists the problems of all seeds. */
export const listProblems = (results: readonly SeedResult[]): string[] =>
  results.flatMap(({ seed, problems }) => problems.map((problem) => `seed ${seed}: ${problem}`))

/** Returns how often something happened in all seeds. */
export const sumCounts = (results: readonly SeedResult[], name: string): number =>
  results.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0)

interface Worker {
  readonly ready: Promise<void>
  run(order: WorkerOrder): Promise<SeedResult>
  close(): Promise<void>
}

function startWorker(module: URL, { mutation, log }: Pick<SimulationRun, 'mutation' | 'log'>): Worker {
  const child = fork(module, {
    ...(mutation !== undefined && { env: { ...process.env, [MUTATION_VARIABLE]: mutation } }),
    execArgv: ['--conditions=@mintmark/source'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  const failed = exited.then(([code]) => {
    throw new Error(`A worker of the simulation ended with ${code}`)
  })
  // It is awaited only while the worker works.
  failed.catch(() => {})
  child.setMaxListeners(0)
  if (log !== undefined)
    child.on('message', (message: WorkerMessage) => 'line' in message && log(message.line))
  const receive = <Value>(read: (message: WorkerMessage) => Value | undefined): Promise<Value> =>
    Promise.race([receiveMessage(child, read), failed])
  return {
    ready: receive((message) => ('ready' in message ? true : undefined)).then(() => {}),
    async run(order) {
      const result = receive((message) =>
        'result' in message && message.result.seed === order.seed ? message.result : undefined,
      )
      child.send(order)
      return await result
    },
    async close() {
      if (child.connected) child.disconnect()
      await exited
    },
  }
}

/** Waits for the message of which `read` returns a value. */
function receiveMessage<Value>(
  child: ChildProcess,
  read: (message: WorkerMessage) => Value | undefined,
): Promise<Value> {
  return new Promise((resolve) => {
    const listen = (message: WorkerMessage) => {
      const value = read(message)
      if (value === undefined) return
      child.off('message', listen)
      resolve(value)
    }
    child.on('message', listen)
  })
}
