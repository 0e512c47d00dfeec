import type { FaultRates, Faults } from './faults.ts'
import type { SimulatedChain } from './simulated-chain.ts'
import { type DecodeTransaction, type NodeRequest, type NodeView, respond } from './simulated-node.ts'
import type { Call, Simulation, Step } from './simulation.ts'

/** A node of a chain. */
interface SimulatedNode {
  /** How many blocks it is behind. */
  readonly lag: number
  /** Whether it has not noticed the latest reorganization. */
  readonly isReplaced: boolean
  readonly forgetsPool: boolean
}

const UP_TO_DATE: SimulatedNode = { lag: 0, isReplaced: false, forgetsPool: false }

/** The nodes of one chain. Each request chooses its node, or reaches the node of the request before. */
export function connectNodes(
  simulation: Simulation,
  chain: SimulatedChain,
  faults: Faults,
  decode: DecodeTransaction,
): void {
  let node = UP_TO_DATE
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

  function chooseNode({ lag, replaced, forget, sameNode }: FaultRates): SimulatedNode {
    const { random } = simulation
    if (random.chance(sameNode)) return node
    if (!random.chance(lag)) return UP_TO_DATE
    return {
      lag: 1 + random.integer(random.pick([4, 4, 12])),
      isReplaced: random.chance(replaced),
      forgetsPool: random.chance(forget),
    }
  }

  function chooseView(): NodeView {
    const { random } = simulation
    const { rates } = faults
    node = rates === undefined ? UP_TO_DATE : chooseNode(rates)
    const replaced = node.isReplaced ? chain.viewReplaced() : undefined
    const lies = rates !== undefined && random.chance(rates.lie)
    const lacksReceipts = lies && random.chance(0.5)
    if (lies) faults.lies += 1
    const { forgetsPool } = node
    const view = replaced ?? chain.viewBehind(node.lag)
    return { ...view, forgetsPool, lacksReceipts, missesLogs: lies && !lacksReceipts }
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
