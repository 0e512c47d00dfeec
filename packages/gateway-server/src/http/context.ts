import { createImplement, type FieldLimits } from '@mintmark/server-kit'
import type { MintChain } from '../chain/mint-chain.ts'
import type { PaymentChains } from '../chain/payment-chains.ts'
import type { Tenant } from '../database/tenant.ts'
import type { Ownership } from '../domains/contracts/ownership.ts'
import type { EventStreams, StreamCall } from '../domains/events/stream/event-streams.ts'
import type { FindInventory } from '../domains/inventory/order-inventory.ts'
import type { OrderPort } from '../domains/inventory/order-port.ts'
import type { OrderSettings } from '../domains/inventory/order-settings.ts'
import type { PeoplePort } from '../domains/people/people-port.ts'
import type { WebhookPort } from '../domains/webhooks/webhook-port.ts'
import type { Minters } from '../keys/minters.ts'
import type { OperatorPort } from '../operator/operator-port.ts'
import type { CallingPerson } from './authentication.ts'
import { sharedLimits } from './field-limits.ts'

/** The context of a gateway handler. */
export interface GatewayContext {
  /**
   * The caller's project, with its connection or transaction: queries neither see nor write rows of other
   * projects.
   */
  tenant: Tenant
  /** The wallet of the caller's key, or of the person in the project, or ''. */
  wallet: string
  /** The name of the caller's key, or of the person. */
  keyName: string
  /** Who calls: `key:mk_…`, `person:…` or `publishable-key:pk_…`. */
  actor: string
  /** Whether the call has a publishable key: anybody may be the caller. */
  isPublic: boolean
  /** The person whose session makes the call. Undefined for keys. */
  person: CallingPerson | undefined
  /** Whether the caller holds a scope: what it may see, and give to a new key. */
  holdsScope(scope: string): boolean
  /** Every scope of this server's operations that a key can have. */
  knownScopes: ReadonlySet<string>
  /** Every scope of this server's operations that a publishable key can have. */
  publishableScopes: ReadonlySet<string>
  /** What the operations of people and keys write. */
  people: PeoplePort
  /** What operators see and decide, in all projects. */
  operator: OperatorPort
  /** This server's public URL, without a trailing slash. */
  publicUrl: string
  requestId: string
  /** Whether the caller can still receive the response. */
  isConnected(): boolean
  /** The time zone of daily limits and of the times on card pages. */
  storeTimeZone: string
  /** The chains that orders are paid on. Read them with `readChain`. */
  chains: PaymentChains
  orderSettings: OrderSettings
  /** How many contracts of a project may be indexed. */
  indexedContracts: number
  /** What sales do with orders. */
  orders: OrderPort
  /** Finds what an order sells. */
  findInventory: FindInventory
  /** What contracts and NFTs change of who owns what. */
  ownership: Ownership
  /** The chains that tokens are minted on. Read them with `readChain`. */
  mintChain: MintChain
  minters: Minters
  /** The webhooks and their deliveries. */
  webhooks: WebhookPort
  /** The open streams of events of this process. */
  eventStreams: EventStreams
  /** The call, for a response without an end. */
  stream: StreamCall
}

/** Serves operations whose fields have the shared limits. */
export const implement = createImplement<GatewayContext>(sharedLimits)

/** Serves operations with limits for fields of their own. */
export const implementWithLimits = (limits: FieldLimits) =>
  createImplement<GatewayContext>({ ...sharedLimits, ...limits })
