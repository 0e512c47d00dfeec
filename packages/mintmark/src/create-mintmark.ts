import * as admin from '@mintmark/admin'
import * as cards from '@mintmark/cards'
import * as contracts from '@mintmark/contracts'
import * as feed from '@mintmark/events'
import * as facilitatorDomain from '@mintmark/facilitator'
import * as market from '@mintmark/market'
import type { Service } from '@mintmark/operation'
import * as orders from '@mintmark/orders'
import {
  createFacilitator,
  createGateway,
  type FacilitatorClient,
  type FacilitatorOptions,
  type GatewayClient,
  type GatewayOptions,
} from '@mintmark/transport'
import * as wallet from '@mintmark/wallet'
import { type BoundGroups, bindGroups, listGroups } from './bind.ts'

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

/** The groups of the gateway, such as `promoCodeCards` and `orders`. */
export interface GatewayGroups extends BoundGroups<Domains, 'gateway'> {}

/** The groups of the facilitator, such as `payments` and `webhooks`. */
export interface FacilitatorGroups extends BoundGroups<Domains, 'facilitator'> {}

/** The groups of both services. */
export interface Mintmark extends GatewayGroups, FacilitatorGroups {}

/** The options of the gateway's client, or a client, such as one of `testClient` from `mintmark/testing`. */
export type GatewaySource = GatewayOptions | GatewayClient

/** The options of the facilitator's client, or a client. */
export type FacilitatorSource = FacilitatorOptions | FacilitatorClient

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
 * @example
 * const mintmark = createMintmark({
 *   gateway: { baseUrl: 'http://127.0.0.1:4000', credentials: { apiKey, secret } },
 *   facilitator: { baseUrl: 'http://127.0.0.1:4001', credentials: { token } },
 * })
 * const card = await mintmark.promoCodeCards.get({ id: 7 })
 * for await (const order of mintmark.micropaymentOrders.list.items()) console.log(order)
 */
export function createMintmark(options: { gateway: GatewaySource; facilitator: FacilitatorSource }): Mintmark
export function createMintmark(options: { gateway: GatewaySource; facilitator?: undefined }): GatewayGroups
export function createMintmark(options: {
  gateway?: undefined
  facilitator: FacilitatorSource
}): FacilitatorGroups
export function createMintmark({ gateway, facilitator }: MintmarkOptions): object {
  if (gateway === undefined && facilitator === undefined) {
    throw new TypeError('createMintmark has no service. Pass gateway, facilitator or both')
  }
  if (gateway !== undefined) refuseIncomplete('gateway', gateway)
  if (facilitator !== undefined) refuseIncomplete('facilitator', facilitator)
  const gatewayClient = gateway && ('call' in gateway ? gateway : createGateway(gateway))
  const facilitatorClient =
    facilitator && ('call' in facilitator ? facilitator : createFacilitator(facilitator))
  const groups = {
    ...(gatewayClient && bindGroups(domains, gatewayClient)),
    ...(facilitatorClient && bindGroups(domains, facilitatorClient)),
  }
  if (gatewayClient === undefined) explainMissingGroups(groups, 'gateway')
  if (facilitatorClient === undefined) explainMissingGroups(groups, 'facilitator')
  return groups
}

/** What each service is passed as. */
const OPTIONS_OF: Readonly<Record<Service, string>> = {
  gateway: 'gateway: { baseUrl, credentials: { apiKey, secret } }',
  facilitator: 'facilitator: { baseUrl, credentials: { token } }',
}

/**
 * Refuses options that do not compile: programs in JavaScript have no compiler. The facilitator has
 * operations without credentials.
 */
function refuseIncomplete(service: Service, source: object): void {
  if ('call' in source) return
  const values: Partial<Record<string, unknown>> = { ...source }
  const { baseUrl } = values
  if ('baseUrl' in values && !baseUrl) {
    throw new TypeError(`${service}.baseUrl is not set. Is the environment variable set?`)
  }
  const required = service === 'gateway' ? ['baseUrl', 'credentials'] : ['baseUrl']
  const missing = required.filter((name) => values[name] === undefined)
  if (missing.length > 0) {
    throw new TypeError(`${service} has no ${missing.join(' and no ')}. Pass ${OPTIONS_OF[service]}`)
  }
  // The text is not in the error: it may be a secret in the wrong place.
  if (!/^https?:/i.test(String(baseUrl))) {
    throw new TypeError(`${service}.baseUrl does not begin with http:// or https://`)
  }
}

/**
 * Makes an access to a group of a service that was left out fail with what to do. The groups are not
 * enumerable.
 */
function explainMissingGroups(groups: object, service: Service): void {
  for (const name of listGroups(domains, service)) {
    if (name in groups) continue
    Object.defineProperty(groups, name, {
      get() {
        throw new TypeError(
          `${name} is a group of the ${service}, which createMintmark was called without. Pass ${OPTIONS_OF[service]}`,
        )
      },
    })
  }
}
