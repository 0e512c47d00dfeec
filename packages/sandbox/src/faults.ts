import type { ChainFault, ChainFaults } from './chain-faults.ts'
import type { FacilitatorFault, FacilitatorFaults } from './facilitator-proxy.ts'

/** Faults that the sandbox's servers and their callers observe. */
export interface SandboxFaults {
  /** Makes every call of the facilitator fail, until `clear`. @throws TypeError for another fault. */
  facilitator(fault: FacilitatorFault): void
  /**
   * Delays the blocks of the chain, until `clear`: settlements are pending meanwhile, and whoever waits for a
   * transaction waits. @throws TypeError for another fault.
   */
  chain(fault: ChainFault): Promise<void>
  /** Ends all faults. Calls that wait for a response are disconnected; transactions that wait are mined. */
  clear(): Promise<void>
}

export const createFaults = (facilitator: FacilitatorFaults, chain: ChainFaults): SandboxFaults => ({
  facilitator: (fault) => facilitator.facilitator(fault),
  chain: (fault) => chain.begin(fault),
  async clear() {
    facilitator.clear()
    await chain.end()
  },
})
