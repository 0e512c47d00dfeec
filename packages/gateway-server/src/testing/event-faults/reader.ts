import type { Random } from '@mintmark/devkit/random'
import { events, type GatewayEvent } from '@mintmark/events'
import type { GatewayClient } from '@mintmark/operation'

/** A consumer of a project's feed that stops and resumes at random. */
export interface Reader {
  /** Reads one batch. Does nothing if the call fails. */
  step(client: GatewayClient): Promise<void>
  /** Reads everything that is in the feed. */
  finish(client: GatewayClient): Promise<void>
  /** Every event by its number. */
  readonly read: ReadonlyMap<number, GatewayEvent>
  /** One sentence for each contradiction. */
  readonly problems: string[]
}

export function createReader(name: string, random: Random): Reader {
  const read = new Map<number, GatewayEvent>()
  const problems: string[] = []
  let after = 0

  /** Compares a batch with its place in the feed and with what was read there before. */
  const process = (received: readonly GatewayEvent[]) => {
    for (const event of received) {
      if (event.sequence !== after + 1) problems.push(`${name}: ${event.id} follows number ${after}`)
      const earlier = read.get(event.sequence)
      if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(event))
        problems.push(`${name}: ${event.id} was ${earlier.id} ${earlier.type} before`)
      read.set(event.sequence, event)
      after = event.sequence
    }
  }
  return {
    read,
    problems,
    async step(client) {
      const batch = await events
        .list(client, { after, limit: 1 + random.integer(200) })
        .catch(() => undefined)
      if (batch === undefined) return
      // A consumer that ends has processed a part of what it received, and resumes there.
      process(
        random.chance(0.2) ? batch.events.slice(0, random.integer(batch.events.length + 1)) : batch.events,
      )
      // Another one begins at an earlier place.
      if (random.chance(0.05)) after = random.integer(after + 1)
    },
    async finish(client) {
      for (;;) {
        const batch = await events.list(client, { after, limit: 500 })
        process(batch.events)
        if (!batch.hasMore) return
      }
    },
  }
}
