import { setTimeout as pause } from 'node:timers/promises'
import { cacheLookup } from '@mintmark/server-kit'
import type { Chain } from './chains.ts'
import { findNewestState, readNodeStates } from './node-states.ts'

/** Whether a chain can be read now. */
export interface ChainStatus {
  /** CAIP-2. */
  readonly network: string
  readonly isReadable: boolean
  /** Seconds since the timestamp of the newest block. Undefined if the chain cannot be read. */
  readonly headAgeSeconds: number | undefined
  /** The nodes that do not respond: their places in `CHAINS`, from 1. */
  readonly unresponsiveNodes: readonly number[]
}

/** Lists the places, from 1, of the nodes that have a problem. */
export const listUnresponsive = (nodes: readonly { readonly problem: string }[]): number[] =>
  nodes.flatMap(({ problem }, index) => (problem === '' ? [] : [index + 1]))

/** How long a readiness check waits for nodes. Balancers give it up after some seconds. */
const MAX_READY_WAIT_MS = 1_000

/**
 * Creates the function that reads the chains for a readiness check. It never waits for a node that hangs, but
 * returns what was read last. Nodes are named by their places in `CHAINS`, because addresses contain keys.
 */
export function createReadyChainsReader(read: () => Promise<readonly ChainStatus[]>) {
  let latest: readonly ChainStatus[] = []
  return async () => {
    const reading = read().then((chains) => {
      latest = chains
    })
    await Promise.race([reading, pause(MAX_READY_WAIT_MS, undefined, { ref: false })])
    return {
      readable: latest.filter(({ isReadable }) => isReadable).map(({ network }) => network),
      unreadable: latest.filter(({ isReadable }) => !isReadable).map(({ network }) => network),
      unresponsiveNodes: latest.flatMap(({ network, unresponsiveNodes }) =>
        unresponsiveNodes.map((node) => ({ network, node })),
      ),
    }
  }
}

/** Callers of the readiness check need no key, so that many of them share one request to a node. */
const STATUS_TTL_MS = 5_000

/**
 * Creates the function that reads the status of all chains, at most once per five seconds. It never throws.
 */
export function createChainStatusReader(chains: readonly Chain[]): () => Promise<readonly ChainStatus[]> {
  const read = cacheLookup<readonly ChainStatus[]>(() => Promise.all(chains.map(readChainStatus)), {
    ttlMs: STATUS_TTL_MS,
  })
  return async () => (await read('all')) ?? []
}

async function readChainStatus(chain: Chain): Promise<ChainStatus> {
  const nodes = await readNodeStates(chain)
  const headTime = findNewestState(nodes)?.headTime
  return {
    network: chain.network,
    isReadable: headTime !== undefined,
    headAgeSeconds: headTime === undefined ? undefined : getAgeSeconds(headTime),
    unresponsiveNodes: listUnresponsive(nodes),
  }
}

/** Returns the seconds since a time in Unix seconds. */
export const getAgeSeconds = (time: number): number => Math.max(0, Math.round(Date.now() / 1000) - time)
