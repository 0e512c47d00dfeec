import type { AnvilClient, DevChain } from '@mintmark/devkit'
import { readBalances, restoreBalances } from './balances.ts'
import type { SandboxFaults } from './faults.ts'
import type { RowSnapshots } from './snapshot-database.ts'
import type { WebhookReceiver } from './webhook-receiver.ts'

/** What both servers and the accounts had at a moment. */
export interface SandboxSnapshot {
  /** Returns to it, as `reset` returns to the start. A snapshot can be restored any number of times. */
  restore(): Promise<void>
}

interface SnapshotParts {
  readonly rows: RowSnapshots
  readonly chain: DevChain
  readonly chainClient: AnvilClient
  readonly receiver: WebhookReceiver
  readonly faults: SandboxFaults
}

export function createSnapshots({ rows, chain, chainClient, receiver, faults }: SnapshotParts) {
  return {
    async save(): Promise<SandboxSnapshot> {
      const [saved, balances] = await Promise.all([rows.save(), readBalances(chainClient, chain)])
      return {
        async restore() {
          await faults.clear()
          const [removed] = await Promise.all([saved.restore(), restoreBalances(chain, balances)])
          receiver.forget(removed)
        },
      }
    },
  }
}
