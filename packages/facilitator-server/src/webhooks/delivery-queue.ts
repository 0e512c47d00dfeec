import type { Logger } from '@mintmark/server-kit'
import type { Job, PgBoss } from 'pg-boss'
import type { AttemptJob, Lane } from './jobs.ts'

export interface LaneOptions {
  readonly boss: PgBoss
  readonly lane: Lane
  /** Makes one attempt and ends its job; where it throws, the job comes again later. */
  perform(job: Job<AttemptJob>, queue: string): Promise<void>
  /** How often the queue is asked for due attempts while there are none, in milliseconds. */
  readonly pollMs: number
  readonly log: Pick<Logger, 'error'>
}

/** A lane at work. */
export interface WorkingLane {
  /** Begins no more attempts and waits for those under way. */
  stop(): Promise<void>
}

/** Works a queue off: due attempts are begun as places come free, and none waits for another one's end. */
export function workLane({ boss, lane, perform, pollMs, log }: LaneOptions): WorkingLane {
  const underWay = new Set<Promise<void>>()
  let stopping = false
  let wake = () => {}

  async function run(job: Job<AttemptJob>): Promise<void> {
    try {
      await perform(job, lane.queue)
    } catch (error) {
      log.error({ err: error, delivery: job.data.delivery }, 'a webhook attempt could not be made or noted')
      await boss.fail(lane.queue, job).catch((failure: unknown) => {
        // The queue's supervisor brings it back when it has expired.
        log.error({ err: failure, delivery: job.data.delivery }, 'a webhook attempt could not be given back')
      })
    }
  }

  async function begin(): Promise<number> {
    const free = lane.places - underWay.size
    if (free <= 0) return 0
    const jobs = await boss.fetch<AttemptJob>(lane.queue, {
      batchSize: free,
      groupConcurrency: lane.placesEach,
    })
    for (const job of jobs) {
      const running = run(job).finally(() => {
        underWay.delete(running)
        wake()
      })
      underWay.add(running)
    }
    return jobs.length
  }

  async function loop(): Promise<void> {
    while (!stopping) {
      // Set before asking, so that what ends meanwhile is not missed.
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      let begun = 0
      try {
        begun = await begin()
      } catch (error) {
        log.error({ err: error }, 'due webhook attempts could not be read')
      }
      // One webhook's attempts may have hidden another one's: asked again until there are none.
      if (begun === 0 && !stopping) await either(woken, pollMs)
    }
  }

  const looping = loop()
  return {
    async stop() {
      stopping = true
      wake()
      await looping
      await Promise.all(underWay)
    },
  }
}

async function either(woken: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([woken, passed])
  clearTimeout(timer)
}
