import type { Recovery } from '../../../payments/verify/recovery.ts'
import type { AllowedFactories } from '../allowed-assets.ts'
import type { Store } from './store.ts'

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
