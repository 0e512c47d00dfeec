import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Address } from 'viem'
import { AnvilError, type AnvilProcess, type ProcessEnd, startAnvil } from './anvil.ts'
import {
  type AnvilClient,
  anvilClient,
  devChainId,
  multicallAddress,
  tokenAddress,
  treasuryAddress,
} from './chain.ts'
import { createMissedTransactionCheck } from './missed-transactions.ts'
import { plantContracts } from './plant.ts'
import {
  findStarter,
  occupy,
  openStateFolder,
  type StateFolder,
  setAsideState,
  vacate,
} from './state-folder.ts'

export interface DevChainOptions {
  /** The port on 127.0.0.1; 0 selects any free one. */
  port: number
  /**
   * The chain is stored in `<dataDir>/chain` and continued by the next start. By default it is kept in memory
   * only.
   */
  dataDir?: string
  /**
   * Seconds between empty blocks, 1 by default. A transaction is always mined immediately. With 0 there are
   * no empty blocks, and the chain's clock advances only with transactions.
   */
  blockTime?: number
  /**
   * Receives a message for each change at the start and for each error that anvil prints. None by default.
   */
  log?: (message: string) => void
}

/** A running dev chain. */
export interface DevChain {
  readonly rpcUrl: string
  readonly chainId: number
  /** anvil's process id. */
  readonly pid: number
  /** The EIP-3009 token's address. */
  readonly token: Address
  /** The address of the treasury that takes deposits. */
  readonly treasury: Address
  /** Multicall3's address. */
  readonly multicall: Address
  /** Resolves when anvil has ended, by `stop` or by itself. Never rejects. */
  readonly exited: Promise<ProcessEnd>
  /** Saves the state and ends the chain. Idempotent. */
  stop(): Promise<void>
}

/** A crash loses at most this much of the chain. Each save writes the whole state. */
const SAVE_INTERVAL_S = 5

/** How long a transaction that anvil has missed waits, at least. */
const MISSED_CHECK_INTERVAL_MS = 1_000

/**
 * The states of this many of the latest blocks can be read. anvil's default uses gigabytes of disk and memory
 * per hour.
 */
const STATES_KEPT = 128

/**
 * The time of the first block of every stored chain. anvil creates a first block at each start and then
 * stores all of them, so that a later start may return any one as the parent of the second block. With the
 * same time they are the same block.
 */
const GENESIS_TIME_S = 1_700_000_000

/**
 * Starts the dev chain: anvil with chain id 84532, the token, the treasury and Multicall3 at their addresses,
 * and anvil's ten accounts holding the native token and the ERC-20. A later start on the same `dataDir`
 * continues the chain.
 *
 * @throws AnvilError when anvil does not start; its `reason` distinguishes a port in use from other causes.
 * @throws Error when a dev chain already runs on `dataDir`.
 */
export async function startDevChain(options: DevChainOptions): Promise<DevChain> {
  const { port, dataDir, blockTime = 1, log = () => {} } = options
  const folder = dataDir === undefined ? undefined : await openStateFolder(join(resolve(dataDir), 'chain'))
  const anvil = await startReadable(port, blockTime, folder, log)
  const ended = new AbortController()
  void anvil.exited.then(() => ended.abort())
  const stop = async () => {
    ended.abort()
    const { signal } = await anvil.stop()
    if (signal === 'SIGKILL')
      log('The dev chain did not end in time and was killed. Its last seconds may be lost')
    if (folder) await vacate(folder)
  }
  try {
    if (folder) await occupy(folder, anvil.pid)
    const rpcUrl = `http://127.0.0.1:${anvil.port}`
    const client = anvilClient(rpcUrl)
    if (folder) await setPresentTime(client)
    await plantContracts(client, log)
    // With empty blocks, none waits for longer than until the next one.
    if (blockTime === 0) void mineMissed(rpcUrl, log, ended.signal)
    return {
      rpcUrl,
      chainId: devChainId,
      pid: anvil.pid,
      token: tokenAddress,
      treasury: treasuryAddress,
      multicall: multicallAddress,
      exited: anvil.exited,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Returns the id of the process whose dev chain is stored in `dataDir`. Returns undefined if none runs. */
export function findDevChainStarter(dataDir: string): Promise<number | undefined> {
  return findStarter(join(resolve(dataDir), 'chain'))
}

/** Mines the transactions that anvil misses, until the signal. */
async function mineMissed(
  rpcUrl: string,
  log: (message: string) => void,
  signal: AbortSignal,
): Promise<void> {
  // No request goes on after the chain has ended.
  const client = anvilClient(rpcUrl, { retryCount: 0, fetchOptions: { signal } })
  const check = createMissedTransactionCheck(client)
  while (!signal.aborted) {
    await pause(MISSED_CHECK_INTERVAL_MS, undefined, { ref: false, signal }).catch(() => {})
    if (signal.aborted) return
    await check().catch((error: unknown) => {
      // The chain ends while its pool is read.
      if (!signal.aborted) log(`The pool of the dev chain could not be read: ${String(error)}`)
    })
  }
}

/** Sets the clock of a chain to the present. A chain whose clock was moved ahead stays there. */
async function setPresentTime(client: AnvilClient): Promise<void> {
  const { timestamp } = await client.getBlock()
  const seconds = Math.max(Math.floor(Date.now() / 1000), Number(timestamp))
  await client.request({
    // viem does not list this method of anvil.
    method: 'evm_setTime' as never,
    params: [seconds] as never,
  })
}

/** Starts anvil. A state file that it cannot read is renamed, and a new chain begins. */
async function startReadable(
  port: number,
  blockTime: number,
  folder: StateFolder | undefined,
  log: (message: string) => void,
): Promise<AnvilProcess> {
  const options = anvilOptions(blockTime, folder)
  try {
    return await startAnvil(port, options, log)
  } catch (error) {
    if (!folder || !(error instanceof AnvilError) || error.reason !== 'state-unreadable') throw error
    const aside = await setAsideState(folder)
    if (aside === undefined) throw error
    log(
      `WARNING: ${error.message}\nIt was moved to ${aside}. A new chain starts without the earlier transactions.`,
    )
    return startAnvil(port, options, log)
  }
}

function anvilOptions(blockTime: number, folder: StateFolder | undefined): string[] {
  const options = ['--chain-id', String(devChainId)]
  // With interval mining alone, a transaction would wait for the next block.
  if (blockTime > 0) options.push('--block-time', String(blockTime), '--mixed-mining')
  if (folder) {
    options.push('--timestamp', String(GENESIS_TIME_S))
    options.push('--state', folder.state, '--state-interval', String(SAVE_INTERVAL_S))
    options.push('--cache-path', folder.history, '--max-persisted-states', String(STATES_KEPT))
  } else {
    options.push('--max-persisted-states', '0')
  }
  return options
}
