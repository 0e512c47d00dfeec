// A facilitator in a process of its own that ends itself by SIGKILL at a step its parent names: nothing is
// closed, flushed or rolled back by it. It loads, reports that, and serves when it receives its orders.
import { runOrders } from '@mintmark/devkit/served-process'
import { createLog, readEnvironment } from '@mintmark/server-kit'
import type { FaultPoint } from '../engine/settings/fault-points.ts'
import { type RunningFacilitator, startFacilitator } from '../server.ts'
import { testConfiguration } from '../testing-configuration.ts'

/**
 * Steps outside of the engine: around the broadcast of a signed transaction, and around the call of a remote
 * upstream.
 */
export type WirePoint =
  | 'before-broadcast'
  | 'after-broadcast'
  | 'before-upstream-call'
  | 'after-upstream-call'

/** Where the process ends: when it gets to this step for this many times. */
export interface End {
  readonly at: FaultPoint | WirePoint
  readonly time: number
}

/** How to serve. */
export interface Orders {
  readonly env: Readonly<Record<string, string>>
  readonly end: End | undefined
}

/** About how long a statement of a settle takes on a busy machine. */
const LONGEST_STATEMENT_MS = 20

function serve({ env, end }: Orders): Promise<RunningFacilitator> {
  let reached = 0
  const reach = (point: End['at']) => {
    if (point !== end?.at) return
    reached += 1
    if (reached !== end.time) return
    // The statement is sent in a later turn of the event loop. The process dies before, during or after it.
    const delay = point.endsWith('-in-flight') ? Math.random() * LONGEST_STATEMENT_MS : 0
    if (delay === 0) process.kill(process.pid, 'SIGKILL')
    else setTimeout(() => process.kill(process.pid, 'SIGKILL'), delay)
  }
  interceptFetch(reach, env.UPSTREAM_FACILITATOR_URL)
  const log = createLog('facilitator', process.env.MINTMARK_FAULTS_LOG || 'silent')
  return startFacilitator(readEnvironment(env), log, {
    configuration: testConfiguration,
    faultPoint: reach,
  })
}

const BROADCAST = /"(eth_sendRawTransaction|sendTransaction)"/

/**
 * All calls of chains and upstreams use `fetch`, so the process can be killed between two of their responses.
 */
function interceptFetch(reach: (point: WirePoint) => void, upstream: string | undefined): void {
  const original = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const body = typeof init?.body === 'string' ? init.body : ''
    const url = input instanceof Request ? input.url : String(input)
    const isBroadcast = BROADCAST.test(body)
    const isUpstreamCall = upstream !== undefined && url.startsWith(upstream)
    if (!isBroadcast && !isUpstreamCall) return original(input, init)
    const step = isBroadcast ? 'broadcast' : 'upstream-call'
    reach(`before-${step}`)
    const response = await original(input, init)
    reach(`after-${step}`)
    return response
  }
}

runOrders(serve)
