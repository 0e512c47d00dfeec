import type { AnvilClient } from '@mintmark/devkit'
import type { Stops } from './stops.ts'

/**
 * What happens to transactions of the chain. `slow-chain`: a block comes every twelve seconds, as on Ethereum.
 * `late-block`: no block comes before `chain.mine`, or the end of the fault.
 */
export type ChainFault = 'slow-chain' | 'late-block'

const SECONDS: Readonly<Record<ChainFault, number>> = {
  'slow-chain': 12,
  // anvil mines no blocks by itself.
  'late-block': 0,
}
const BLOCK_MS = 1000

export interface ChainFaults {
  /** @throws TypeError for another fault. */
  begin(fault: ChainFault): Promise<void>
  end(): Promise<void>
}

/** Changes when anvil mines blocks. */
export function createChainFaults(
  client: AnvilClient,
  { stops, log }: { readonly stops: Stops; readonly log: (line: string) => void },
): ChainFaults {
  let isSlow = false
  let timer: NodeJS.Timeout | undefined
  stops.defer(async () => clearInterval(timer))
  const mine = () => client.mine({ blocks: 1 })
  return {
    async begin(fault) {
      const interval = SECONDS[fault]
      if (interval === undefined)
        throw new TypeError(`There is no fault ${String(fault)}. Choose ${Object.keys(SECONDS).join(', ')}`)
      clearInterval(timer)
      isSlow = true
      await client.setIntervalMining({ interval })
    },
    async end() {
      if (!isSlow) return
      isSlow = false
      await client.setAutomine(true)
      await mine()
      // anvil mines at once and in intervals only if it is started so.
      timer = setInterval(() => {
        mine().catch((error) => log(`No block could be mined: ${String(error)}`))
      }, BLOCK_MS)
    },
  }
}
