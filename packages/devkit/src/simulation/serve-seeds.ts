import type { SeedResult, SeedRunner } from './seed-runner.ts'

/** What the parent wants. */
export type WorkerOrder = { readonly seed: number; readonly isCalm: boolean; readonly log: boolean }

/** A message to the parent. */
export type WorkerMessage =
  | { readonly ready: true }
  | { readonly result: SeedResult }
  | { readonly line: string }

const send = (message: WorkerMessage): void => void process.send?.(message)

/**
 * Runs the seeds that the parent of this operating system process sends. Each concurrent one has a runner,
 * and thereby a database, of its own.
 */
export function serveSeeds(createRunner: () => Promise<SeedRunner>): void {
  const runners: SeedRunner[] = []
  const idle: SeedRunner[] = []

  async function run({ seed, isCalm, log }: WorkerOrder): Promise<void> {
    const runner = idle.pop() ?? (await createRunner())
    if (!runners.includes(runner)) runners.push(runner)
    const options = { isCalm, ...(log && { log: (line: string) => send({ line }) }) }
    const result = await runner.run(seed, options)
    idle.push(runner)
    send({ result })
  }

  process.on('message', (order: WorkerOrder) => {
    run(order).catch((error: unknown) => {
      console.error(error)
      process.exit(1)
    })
  })
  process.once('disconnect', () => {
    Promise.all(runners.map((runner) => runner.close())).then(
      () => process.exit(0),
      () => process.exit(1),
    )
  })
  send({ ready: true })
}
