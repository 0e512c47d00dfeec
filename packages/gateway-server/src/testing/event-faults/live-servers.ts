import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '@mintmark/devkit/random'
import { createGatewayPool, FAULT_POINTS, type Orders } from '../gateway-pool.ts'

/** Servers that serve at the same time. */
const SLOTS = 3
/**
 * The calls that a server completes in its life. Most lives are short. The others are long enough to take
 * over the work of dead servers: they do not end before any server has numbered events meanwhile.
 */
const LIVES = {
  short: { rate: 0.8, least: 0, most: 6 },
  long: { least: 10, most: 80 },
}
const NUMBERED_EVERY_MS = 50
/** A kill comes this much later at most, in the middle of other calls. */
const MAX_DELAY_MS = 20

interface Server {
  readonly url: string
  callsInProgress: number
  /** The calls that it completes before it is killed. */
  callsLeft: number
  endLife(): void
}

/** Gateways in processes of their own, which are killed again and again. */
export interface LiveServers {
  /** Calls any server that serves. Fails when the server is killed meanwhile. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Kills by the state of the server: with calls in progress, at a point of a job, or idle. */
  readonly kills: { working: number; atPoint: number; idle: number }
  /** Kills all servers and starts no others. */
  stop(): Promise<void>
}

/**
 * Starts servers on a database, which are killed at random times. `stops` stops them.
 *
 * @param countEvents Counts the events that servers have numbered.
 */
export async function startLiveServers(
  env: Readonly<Record<string, string>>,
  random: Random,
  stops: AsyncDisposableStack,
  countEvents: () => Promise<number>,
): Promise<LiveServers> {
  // Of its own, because `stops` first does what was deferred last: no server starts while the processes are
  // ended.
  const processes = stops.use(new AsyncDisposableStack())
  const pool = await createGatewayPool({ spare: SLOTS, warmUp: { env } }, processes)
  const servers = new Set<Server>()
  const kills = { working: 0, atPoint: 0, idle: 0 }
  let isStopping = false

  const runOne = async () => {
    const started = await pool.start(chooseOrders(env, random))
    if (!('url' in started)) {
      kills.atPoint += 1
      return
    }
    const life = Promise.withResolvers<void>()
    const { least, most } = random.chance(LIVES.short.rate) ? LIVES.short : LIVES.long
    const server: Server = {
      url: started.url,
      callsInProgress: 0,
      callsLeft: least + random.integer(most - least),
      endLife: life.resolve,
    }
    servers.add(server)
    if (isStopping) server.endLife()
    const delay = random.integer(MAX_DELAY_MS)
    const numbered = await countEvents()
    const waitForLife = async () => {
      await life.promise
      while (least > 0 && !isStopping && (await countEvents()) === numbered) await pause(NUMBERED_EVERY_MS)
      return await pause(delay, 'calls')
    }
    const first = await Promise.race([waitForLife(), started.ended.then(() => 'point')])
    servers.delete(server)
    if (first === 'point') kills.atPoint += 1
    else if (server.callsInProgress > 0) kills.working += 1
    else kills.idle += 1
    started.kill('SIGKILL')
    await started.ended
  }
  const slots = Array.from({ length: SLOTS }, async () => {
    while (!isStopping) await runOne()
  })

  const stop = async () => {
    isStopping = true
    for (const each of servers) each.endLife()
    await Promise.all(slots)
  }
  stops.defer(stop)

  return {
    kills,
    stop,
    async fetch(request) {
      while (servers.size === 0) {
        if (isStopping) throw new Error('No server runs any more')
        await pause(20)
      }
      const server = random.pick([...servers])
      server.callsInProgress += 1
      try {
        const { pathname, search } = new URL(request.url)
        const response = await fetch(new Request(`${server.url}${pathname}${search}`, request))
        // The body, too, is received before the call has ended.
        const body = await response.arrayBuffer()
        return new Response(response.status === 204 ? null : body, response)
      } finally {
        server.callsInProgress -= 1
        server.callsLeft -= 1
        if (server.callsLeft <= 0) server.endLife()
      }
    },
  }
}

function chooseOrders(env: Readonly<Record<string, string>>, random: Random): Orders {
  if (random.chance(0.7)) return { env }
  return { env, end: { at: random.pick(FAULT_POINTS), passes: random.integer(4) } }
}
