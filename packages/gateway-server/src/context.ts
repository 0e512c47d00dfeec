import { type FieldLimits, implementer } from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import type { BeforeTransaction } from './chain/before-transaction.ts'
import type { MintChain } from './chain/mint-chain.ts'
import type { PaymentChains } from './chain/payment-chains.ts'
import type { OrderSettings } from './order-settings.ts'
import { sharedLimits } from './http/field-limits.ts'
import type { Minters } from './keys/minters.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

/** The context of a gateway handler. */
export interface GatewayContext {
  /** Bound to the caller's project: queries neither see nor write rows of other projects. */
  db: Db
  project: number
  /** The wallet of the caller's key, or ''. */
  wallet: string
  /** The name of the caller's key. */
  keyName: string
  /** This server's public URL, without a trailing slash. */
  publicUrl: string
  requestId: string
  /** The time zone of daily limits and of the times on card pages. */
  storeTimeZone: string
  /** The chains that orders are paid on. Read them with `readChain`. */
  chains: PaymentChains
  beforeTransaction: BeforeTransaction
  orderSettings: OrderSettings
  /** The chains that tokens are minted on. Read them with `readChain`. */
  mintChain: MintChain
  minters: Minters
}

/** Serves operations whose fields have the shared limits. */
export const implement = implementer<GatewayContext>(sharedLimits)

/** Serves operations with limits for fields of their own. */
export const implementWithLimits = (limits: FieldLimits) =>
  implementer<GatewayContext>({ ...sharedLimits, ...limits })
