import type { Store } from '../../../database/store.ts'
import type { AllowedFactories } from '../settings/allowed-assets.ts'
import type { Recovery } from '../signatures/recovery.ts'

/** What the settles of a built-in upstream share: its options with defaults applied. */
export interface BuiltInParts {
  readonly db: Store
  readonly walletFactories: AllowedFactories
  readonly respondAfter: 'receipt' | 'broadcast'
  readonly recovery: Recovery
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly report: (error: unknown) => void
}
