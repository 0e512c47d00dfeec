import { type FieldLimits, implementer } from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import type { MintChain } from './chain/mint-chain.ts'
import type { Outside } from './chain/outside.ts'
import type { PaymentChains } from './chain/payment-chains.ts'
import type { OrderSettings } from './order-settings.ts'
import { sharedLimits } from './http/field-limits.ts'
import type { Minters } from './keys/minters.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

/** What a gateway handler works with. */
export interface GatewayContext {
  /** Bound to the caller's project: no other project's rows can be seen or written through it. */
  db: Db
  project: number
  /** The wallet of the caller's key; '' for none. */
  wallet: string
  /** What the caller's key is called. */
  keyName: string
  /** Where callers reach this server, without a slash at its end. */
  publicUrl: string
  requestId: string
  /** Whose days count where a card is good once a day, and whose times cards' pages tell. */
  storeTimeZone: string
  /** What orders are paid on. Ask it through `outside`. */
  chains: PaymentChains
  outside: Outside
  orderSettings: OrderSettings
  /** What tokens are minted on. Ask it through `outside`. */
  mintChain: MintChain
  minters: Minters
}

/** Serves operations whose fields have the shared limits. */
export const implement = implementer<GatewayContext>(sharedLimits)

/** Serves operations with limits for fields of their own. */
export const implementWithLimits = (limits: FieldLimits) =>
  implementer<GatewayContext>({ ...sharedLimits, ...limits })
