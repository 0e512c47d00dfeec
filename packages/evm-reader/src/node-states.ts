import { RpcRequestError } from 'viem'
import type { Chain } from './chains.ts'
import { parseHeader, toHeaderCall } from './header-parsing.ts'
import { describeChainError } from './rpc-error.ts'

/** What one node of a chain returned. */
export interface NodeState {
  /** The node's newest block. Undefined if the node did not return it. */
  readonly newestBlock: number | undefined
  /** Unix seconds of the newest block. */
  readonly headTime: number | undefined
  /** How long the node took to respond, in milliseconds. */
  readonly responseMs: number
  /** Why the node did not return its newest block, without its address; `''` if it did. */
  readonly problem: string
}

/** Nobody waits longer for the state of a node, although its request continues. */
const MAX_WAIT_MS = 5_000

/** Reads the newest block of each node, in the order of preference. It never throws. */
export const readNodeStates = ({ nodes }: Pick<Chain, 'nodes'>): Promise<readonly NodeState[]> =>
  Promise.all(
    nodes.map(async (node) => {
      const started = performance.now()
      const state = await orProblem(async () => {
        const [outcome] = await node([toHeaderCall('latest')])
        if (outcome === undefined) throw new Error('The node returned no result')
        if ('error' in outcome) throw new RpcRequestError({ body: {}, error: outcome.error, url: '' })
        const header = parseHeader(outcome.result)
        if (header === undefined) throw new Error('The node has no block')
        return { newestBlock: header.number, headTime: header.time }
      })
      const responseMs = Math.round(performance.now() - started)
      return { newestBlock: undefined, headTime: undefined, ...state, responseMs }
    }),
  )

/** Returns the state with the newest block. Undefined if no node returned one. */
export const findNewestState = (states: readonly NodeState[]): NodeState | undefined =>
  states
    .filter(({ problem }) => problem === '')
    .toSorted((one, other) => (other.newestBlock ?? 0) - (one.newestBlock ?? 0))[0]

/** Describes the nodes of a chain to operators: by the node with the newest block, and each by itself. */
export function toNodesHealth(states: readonly NodeState[]) {
  const newest = findNewestState(states)
  const { responseMs = 0, problem = '' } = newest ?? states[0] ?? {}
  const toHealth = ({
    newestBlock,
    ...state
  }: Pick<NodeState, 'newestBlock' | 'responseMs' | 'problem'>) => ({
    ...state,
    ...(newestBlock !== undefined && { newestBlock }),
  })
  return {
    ...toHealth({ newestBlock: newest?.newestBlock, responseMs, problem }),
    nodes: states.map(({ headTime: _, ...state }) => toHealth(state)),
  }
}

/**
 * Reads a part of the state of a chain within five seconds. A failure becomes its `problem`, without the
 * address of a node.
 */
export async function orProblem<State extends object>(
  read: () => Promise<State>,
): Promise<Partial<State> & { problem: string }> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    const message = `No response within ${MAX_WAIT_MS / 1000} seconds`
    timer = setTimeout(() => reject(new Error(message)), MAX_WAIT_MS)
  })
  try {
    return { ...(await Promise.race([read(), timeout])), problem: '' }
  } catch (error) {
    return { problem: describeChainError(error) } as Partial<State> & { problem: string }
  } finally {
    clearTimeout(timer)
  }
}
