import type { SimulatedChain } from '@mintmark/devkit/simulation/simulated-chain'
import {
  type DecodeTransaction,
  type NodeRequest,
  type NodeView,
  respond,
} from '@mintmark/devkit/simulation/simulated-node'
import type { Call, Simulation, Step } from '@mintmark/devkit/simulation/simulation'
import type { Faults } from './faults.ts'

/** The nodes of one chain. Each request chooses how far its node is behind. */
export function connectNodes(
  simulation: Simulation,
  chain: SimulatedChain,
  faults: Faults,
  decode: DecodeTransaction,
): void {
  simulation.onFetch = (_, body) => {
    const request: NodeRequest | NodeRequest[] = JSON.parse(body)
    return createCall(request, () => run(request))
  }

  function run(request: NodeRequest | NodeRequest[]): Step<Response> {
    const { random } = simulation
    const { rates } = faults
    const isLost = rates !== undefined && random.chance(rates.lostRequest)
    if (isLost && random.chance(0.5)) return LOST
    const view = chooseView()
    const respondTo = (each: NodeRequest) => respond(chain, view, each, decode)
    const responses = Array.isArray(request) ? request.map(respondTo) : respondTo(request)
    if (isLost) return LOST
    const step = { kind: 'return', value: toResponse(responses) } as const
    const isLate = rates !== undefined && random.chance(rates.lateResponse)
    return isLate ? { kind: 'respond-later', response: step } : step
  }

  function chooseView(): NodeView {
    const { random } = simulation
    const { rates } = faults
    const isBehind = rates !== undefined && random.chance(rates.lag)
    const replaced = isBehind && random.chance(0.3) ? chain.viewReplaced() : undefined
    const lag = isBehind ? 1 + random.integer(4) : 0
    const lies = rates !== undefined && random.chance(rates.lie)
    const lacksReceipts = lies && random.chance(0.5)
    return { ...(replaced ?? chain.viewBehind(lag)), lacksReceipts, missesLogs: lies && !lacksReceipts }
  }
}

/** As undici reports a connection that was closed. */
const LOST: Step<Response> = {
  kind: 'throw',
  error: new TypeError('fetch failed', {
    cause: Object.assign(new Error('other side closed'), { code: 'ECONNRESET' }),
  }),
}

function createCall(request: NodeRequest | NodeRequest[], run: () => Step<Response>): Call<Response> {
  const methods = [request].flat().map(({ method, params = [] }) => describeParameters(method, params))
  return { label: `rpc ${methods.join(', ')}`, run }
}

/** The short parameters tell requests of one method apart. */
function describeParameters(method: string, params: readonly unknown[]): string {
  const short = params.filter((each) => typeof each === 'string' && each.length <= 66)
  return [method, ...short.map((each) => String(each).slice(0, 12))].join(' ')
}

const HEADERS = new Headers({ 'content-type': 'application/json' })

/** Returns the part of a response that viem reads. A real one would be slower. */
function toResponse(body: object): Response {
  const response = {
    ok: true,
    status: 200,
    headers: HEADERS,
    body: null,
    text: async () => JSON.stringify(body),
  }
  return response as unknown as Response
}
