import type { Logger } from 'pino'
import { removeAddress } from '../chain/rpc-error.ts'

/** A job that runs repeatedly in this process. It must tolerate that other processes run it concurrently. */
export interface Job {
  name: string
  everyMs: number
  run(): Promise<unknown>
}

/** Runs jobs until they are stopped. A failed run is logged. Runs of the same job never overlap. */
export function startJobs(jobs: readonly Job[], log: Logger): { stop(): Promise<void> } {
  let stopping = false
  const running = jobs.map((job) => {
    let wake = () => {}
    const loop = async () => {
      while (!stopping) {
        try {
          await job.run()
        } catch (error) {
          if (!stopping) log.error({ err: removeAddress(error), job: job.name }, 'job failed')
        }
        if (stopping) return
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, job.everyMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
    }
    return { done: loop(), wake: () => wake() }
  })
  return {
    async stop() {
      stopping = true
      for (const { wake } of running) wake()
      await Promise.all(running.map(({ done }) => done))
    },
  }
}
