import * as admin from '@mintmark/admin'
import * as cards from '@mintmark/cards'
import * as contracts from '@mintmark/contracts'
import * as feed from '@mintmark/events'
import * as facilitatorDomain from '@mintmark/facilitator'
import * as market from '@mintmark/market'
import type { CallOptions, CallResult, Client, Service } from '@mintmark/operation'
import * as orders from '@mintmark/orders'
import {
  callPath,
  createFacilitator,
  createGateway,
  type FacilitatorClient,
  type FacilitatorOptions,
  type GatewayClient,
  type GatewayOptions,
  MissingCredentialsError,
  type PathRequest,
} from '@mintmark/transport'
import * as wallet from '@mintmark/wallet'
import { type BoundGroups, bindGroups, listGroups } from './bind.ts'
import { completeOptions, isConfigured, OPTIONS_OF } from './complete-options.ts'

/** The modules of all domains. No two of them export a group with the same name. */
const domains = [wallet, cards, contracts, market, orders, feed, admin, facilitatorDomain]
type Domains = typeof wallet &
  typeof cards &
  typeof contracts &
  typeof market &
  typeof orders &
  typeof feed &
  typeof admin &
  typeof facilitatorDomain

/** Calls paths of one server that no operation declares. */
export interface BoundClient {
  /** Calls a path, signed and retried like an operation. See `callPath`. */
  request<Data = unknown>(request: PathRequest<Data>, options?: CallOptions): Promise<CallResult<Data>>
}

/** The groups of the gateway, such as `promoCodeCards` and `orders`. */
export interface GatewayGroups extends BoundGroups<Domains, 'gateway'> {
  /** The gateway, for paths that no operation declares. */
  readonly gateway: BoundClient
}

/** The groups of the facilitator, such as `payments` and `webhooks`. */
export interface FacilitatorGroups extends BoundGroups<Domains, 'facilitator'> {
  /** The facilitator, for paths that no operation declares. */
  readonly facilitator: BoundClient
}

/** The groups of both services. */
export interface Mintmark extends GatewayGroups, FacilitatorGroups {}

/** Options of a client. The address and the credentials are those of the environment if they are left out. */
type Defaulted<Options extends { baseUrl: unknown; credentials?: unknown }> = Omit<
  Options,
  'baseUrl' | 'credentials'
> &
  Partial<Pick<Options, 'baseUrl' | 'credentials'>>

/** The options of the gateway's client, or a client, such as one of `testClient` from `mintmark/testing`. */
export type GatewaySource = Defaulted<GatewayOptions> | GatewayClient

/** The options of the facilitator's client, or a client. */
export type FacilitatorSource = Defaulted<FacilitatorOptions> | FacilitatorClient

export interface MintmarkOptions {
  /** The gateway: options of its client, or a client. */
  gateway?: GatewaySource | undefined
  /** The facilitator: options of its client, or a client. */
  facilitator?: FacilitatorSource | undefined
}

/**
 * Creates an object with every operation of the given services, each bound to its client. The groups of a
 * service that is left out are not in its type, and using one throws a `TypeError` that says what to pass.
 * The object holds no connection and no timer; create it once and keep it.
 *
 * Addresses and credentials that are left out are those of the environment: `MINTMARK_GATEWAY_URL`,
 * `MINTMARK_API_KEY` and `MINTMARK_SECRET`; `MINTMARK_FACILITATOR_URL` and the optional
 * `MINTMARK_FACILITATOR_TOKEN`. Credentials of the environment are sent only to the server whose address it has.
 * Without options, the services are those that the environment names. MissingCredentialsError if there are none.
 *
 * @example
 * const mintmark = createMintmark({
 *   gateway: { baseUrl: 'http://127.0.0.1:4000', credentials: { apiKey, secret } },
 *   facilitator: { baseUrl: 'http://127.0.0.1:4001', credentials: { token } },
 * })
 * const card = await mintmark.promoCodeCards.get({ id: 7 })
 * for await (const order of mintmark.micropaymentOrders.list.items()) console.log(order)
 */
export function createMintmark(): Mintmark
export function createMintmark(options: { gateway: GatewaySource; facilitator: FacilitatorSource }): Mintmark
export function createMintmark(options: { gateway: GatewaySource; facilitator?: undefined }): GatewayGroups
export function createMintmark(options: {
  gateway?: undefined
  facilitator: FacilitatorSource
}): FacilitatorGroups
export function createMintmark(options?: MintmarkOptions): object {
  const { gateway, facilitator } = options ?? readServices()
  if (gateway === undefined && facilitator === undefined) {
    throw new TypeError('createMintmark has no service. Pass gateway, facilitator or both')
  }
  const groups = {}
  if (gateway === undefined) explainMissingGroups(groups, 'gateway')
  else bind(groups, 'call' in gateway ? gateway : createGateway(completeOptions('gateway', gateway)))
  if (facilitator === undefined) explainMissingGroups(groups, 'facilitator')
  else
    bind(
      groups,
      'call' in facilitator ? facilitator : createFacilitator(completeOptions('facilitator', facilitator)),
    )
  return groups
}

/** Returns the services that the environment names. */
function readServices(): MintmarkOptions {
  const gateway = isConfigured('gateway') ? {} : undefined
  const facilitator = isConfigured('facilitator') ? {} : undefined
  if (gateway !== undefined || facilitator !== undefined) return { gateway, facilitator }
  throw new MissingCredentialsError(
    'createMintmark has no service. Pass gateway, facilitator or both, or set MINTMARK_GATEWAY_URL or MINTMARK_FACILITATOR_URL',
    ['MINTMARK_GATEWAY_URL', 'MINTMARK_FACILITATOR_URL'],
  )
}

/** Adds the operations of a client's service. The client itself is not enumerable. */
function bind(groups: object, client: Client<Service>): void {
  Object.assign(groups, bindGroups(domains, client))
  const bound: BoundClient = { request: (request, options) => callPath(client, request, options) }
  Object.defineProperty(groups, client.kind, { value: bound })
}

/**
 * Makes an access to a group of a service that was left out fail with what to do. The groups are not
 * enumerable.
 */
function explainMissingGroups(groups: object, service: Service): void {
  for (const name of [service, ...listGroups(domains, service)]) {
    Object.defineProperty(groups, name, {
      get() {
        throw new TypeError(
          `${name} is a group of the ${service}, which createMintmark was called without. Pass ${OPTIONS_OF[service]}`,
        )
      },
    })
  }
}
