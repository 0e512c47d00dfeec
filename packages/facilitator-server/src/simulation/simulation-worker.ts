// Runs seeds in a process of its own, because it replaces clocks, timers and `fetch` before the facilitator is loaded.
import { simulatePlatform } from '@mintmark/devkit/simulation/simulated-platform'
import type { SeedResult, SeedRunner } from './run-seed.ts'

/** What the parent wants. */
export type WorkerOrder = { readonly seed: number; readonly isCalm: boolean; readonly log: boolean }

/** A message to the parent. */
export type WorkerMessage =
  | { readonly ready: true }
  | { readonly result: SeedResult }
  | { readonly line: string }

const send = (message: WorkerMessage): void => void process.send?.(message)

simulatePlatform()
const { createSeedRunner } = await import('./run-seed.ts')
/** One for each concurrent order. */
const runners: SeedRunner[] = []
const idle: SeedRunner[] = []

async function run({ seed, isCalm, log }: WorkerOrder): Promise<void> {
  const runner = idle.pop() ?? (await createSeedRunner())
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
