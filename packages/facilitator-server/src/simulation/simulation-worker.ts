// Runs seeds in a process of its own, because it replaces clocks, timers and `fetch` before the facilitator is loaded.
import { simulatePlatform } from '@mintmark/devkit/simulation/simulated-platform'
import type { SeedResult } from './run-seed.ts'

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
const runner = await createSeedRunner()

process.on('message', ({ seed, isCalm, log }: WorkerOrder) => {
  const options = { isCalm, ...(log && { log: (line: string) => send({ line }) }) }
  runner.run(seed, options).then(
    (result) => send({ result }),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.once('disconnect', () => {
  runner.close().then(
    () => process.exit(0),
    () => process.exit(1),
  )
})
send({ ready: true })
