import { orProblem } from '@mintmark/evm-reader'
import { cacheLookup } from '@mintmark/server-kit'
import { type CallNode, callAny, type SvmChain } from './svm-nodes.ts'

/** A fee payer's balance. */
export interface FeePayerBalance {
  /** Base58. */
  readonly address: string
  /** Undefined if no node returned it. */
  readonly lamports: bigint | undefined
}

/** Whether a network of Solana can be read now, and what pays its fees. */
export interface SvmStatus {
  /** CAIP-2. */
  readonly network: string
  /** The newest confirmed slot of any node. Undefined if no node can be used. */
  readonly newestSlot: number | undefined
  /** Seconds since the block of the newest slot. Undefined if no node returned its time. */
  readonly headAgeSeconds: number | undefined
  /** In the order of CHAINS. */
  readonly nodes: readonly SvmNodeState[]
  readonly feePayers: readonly FeePayerBalance[]
  /** Why no node can be used, without addresses of nodes; `''` if one can. */
  readonly problem: string
}

/** What one node returned. */
export interface SvmNodeState {
  /** The newest confirmed slot. Undefined if the node cannot be used. */
  readonly newestSlot: number | undefined
  /** How long the node took to respond, in milliseconds. */
  readonly responseMs: number
  /** Why the node cannot be used; `''` if it can. */
  readonly problem: string
  /** Whether the node is of another network. */
  readonly isForeign: boolean
}

/**
 * A fee payer with fewer lamports is reported: 0.05 SOL, which pay for more than 800 transactions of the
 * highest fee that is accepted.
 */
export const LOW_FEE_PAYER_LAMPORTS = 50_000_000n

/**
 * A fee payer with fewer lamports cannot settle: the highest fee that is accepted, and what an account must
 * keep.
 */
export const MIN_FEE_PAYER_LAMPORTS = 60_000n + 890_880n

const isOfNetwork = (network: string, genesisHash: string): boolean =>
  network === `solana:${genesisHash.slice(0, 32)}`

/** Reads whether a node responds and is of the network. It never throws. */
async function readSvmNode(network: string, call: CallNode): Promise<SvmNodeState> {
  const started = performance.now()
  const state = await readSlot(network, call)
  return { ...state, responseMs: Math.round(performance.now() - started) }
}

async function readSlot(network: string, call: CallNode): Promise<Omit<SvmNodeState, 'responseMs'>> {
  const state = await orProblem(async () => {
    const genesisHash = await call<string>('getGenesisHash')
    const isForeign = !isOfNetwork(network, genesisHash)
    return isForeign
      ? { genesisHash, newestSlot: undefined, isForeign }
      : { genesisHash, newestSlot: await call<number>('getSlot', [{ commitment: 'confirmed' }]), isForeign }
  })
  const { genesisHash, newestSlot, isForeign = false } = state
  const problem = isForeign
    ? `the node is of another network: its genesis hash is ${genesisHash}`
    : state.problem
  return { newestSlot, problem, isForeign }
}

/** Reads how old the block of a slot is. Undefined if no node has its time, as for a slot without a block. */
async function readAge(chain: SvmChain, slot: number): Promise<number | undefined> {
  const time = await callAny<number | null>(chain, 'getBlockTime', [slot]).catch(() => undefined)
  return typeof time === 'number' ? Math.max(0, Math.round(Date.now() / 1000) - time) : undefined
}

/** Reads the balance of an account in lamports. @throws The error of the last node. */
async function readLamports(chain: SvmChain, address: string): Promise<bigint> {
  const { value } = await callAny<{ value: number }>(chain, 'getBalance', [
    address,
    { commitment: 'confirmed' },
  ])
  return BigInt(value)
}

async function readStatus(chain: SvmChain, feePayers: readonly string[]): Promise<SvmStatus> {
  const { network } = chain
  const states = await Promise.all(chain.nodes.map((call) => readSvmNode(network, call)))
  const usable = { network, nodes: chain.nodes.filter((_, index) => states[index]?.problem === '') }
  const balances = feePayers.map(async (address): Promise<FeePayerBalance> => {
    // The callers see that the balance is missing. A node of another network has other balances.
    const lamports = await readLamports(usable, address).catch(() => undefined)
    return { address, lamports }
  })
  const slots = states.flatMap(({ newestSlot }) => (newestSlot === undefined ? [] : [newestSlot]))
  const newestSlot = slots.length === 0 ? undefined : Math.max(...slots)
  const [headAgeSeconds, readBalances] = await Promise.all([
    newestSlot === undefined ? undefined : readAge(usable, newestSlot),
    Promise.all(balances),
  ])
  return {
    network,
    newestSlot,
    headAgeSeconds,
    nodes: states,
    feePayers: readBalances,
    problem: slots.length > 0 ? '' : (states.find(({ problem }) => problem !== '')?.problem ?? ''),
  }
}

const STATUS_TTL_MS = 5_000

/**
 * Creates the function that reads the status of all networks, at most once per five seconds. It never throws.
 */
export function createSvmStatusReader(
  chains: readonly SvmChain[],
  feePayers: readonly string[],
): () => Promise<readonly SvmStatus[]> {
  const read = cacheLookup<readonly SvmStatus[]>(
    () => Promise.all(chains.map((chain) => readStatus(chain, feePayers))),
    { ttlMs: STATUS_TTL_MS },
  )
  return async () => (await read('all')) ?? []
}
