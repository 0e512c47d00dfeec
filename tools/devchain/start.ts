import { join, resolve } from 'node:path'
import type { Address } from 'viem'
import { AnvilError, type AnvilProcess, type ProcessEnd, startAnvil } from './anvil.ts'
import { anvilClient, devChainId, multicallAddress, tokenAddress, treasuryAddress } from './chain.ts'
import { plantContracts } from './plant.ts'
import { occupy, openStateFolder, type StateFolder, setAsideState, vacate } from './state-folder.ts'

export interface DevChainOptions {
  /** The port on 127.0.0.1; 0 takes any free one. */
  port: number
  /** The chain is kept in `<dataDir>/chain` and found again by the next start. Without it, it lives in memory only. */
  dataDir?: string
  /**
   * Seconds between blocks when nothing happens; a transaction gets its block immediately in any case. With 0 there are no
   * empty blocks and the chain's clock moves with transactions only. Default 1.
   */
  blockTime?: number
  /** Receives a sentence for each step of the start and each error of anvil. Default: none. */
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
  /** Resolves when anvil has exited, for whatever reason. Never rejects. */
  readonly exited: Promise<ProcessEnd>
  /** Saves the state and ends the chain; resolves when it is gone. A second call waits for the same end. */
  stop(): Promise<void>
}

/** What a crash can lose of the chain, in seconds. Every save writes the whole state, so not each second. */
const saveEvery = 5

/** How many of the latest blocks' states can be read. anvil's default fills disk and memory by gigabytes an hour. */
const statesKept = 128

/**
 * Starts the dev chain: anvil with chain id 84532, the token, the treasury and Multicall3 at their addresses, and
 * anvil's ten accounts holding the native token and the ERC-20. A later start on the same `dataDir` continues the chain.
 *
 * @throws AnvilError when anvil does not start; its `reason` distinguishes a port in use from other causes.
 * @throws Error when a dev chain already runs on `dataDir`.
 */
export async function startDevChain(options: DevChainOptions): Promise<DevChain> {
  const { port, dataDir, blockTime = 1, log = () => {} } = options
  const folder = dataDir === undefined ? undefined : await openStateFolder(join(resolve(dataDir), 'chain'))
  const anvil = await startReadable(port, blockTime, folder, log)
  const stop = async () => {
    const { signal } = await anvil.stop()
    if (signal === 'SIGKILL')
      log('The dev chain did not end in time and was killed: its last seconds may be lost')
    if (folder) await vacate(folder)
  }
  try {
    if (folder) await occupy(folder, anvil.pid)
    const rpcUrl = `http://127.0.0.1:${anvil.port}`
    await plantContracts(anvilClient(rpcUrl), log)
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

/** A development chain that refuses to start over a torn file helps nobody: the file is kept and a new chain begun. */
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
      `WARNING: ${error.message}\nIt was moved to ${aside} and a new chain begins: earlier transactions are gone.`,
    )
    return startAnvil(port, options, log)
  }
}

function anvilOptions(blockTime: number, folder: StateFolder | undefined): string[] {
  const options = ['--chain-id', String(devChainId)]
  // Interval mining alone would let a transaction wait for the next tick.
  if (blockTime > 0) options.push('--block-time', String(blockTime), '--mixed-mining')
  if (folder) {
    options.push('--state', folder.state, '--state-interval', String(saveEvery))
    options.push('--cache-path', folder.history, '--max-persisted-states', String(statesKept))
  } else {
    options.push('--max-persisted-states', '0')
  }
  return options
}
