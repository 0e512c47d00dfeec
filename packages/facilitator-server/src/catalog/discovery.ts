import type { Kysely } from 'kysely'
import type { Tables } from '../database/tables.ts'
import type { EngineLog } from '../engine/settings/engine-options.ts'
import type { ParsedListing, ResourceListing } from '../payment/listing.ts'
import type { Payment } from '../payment/payment.ts'
import { BAZAAR, parseListing } from './parse-listing.ts'
import { createListingStore, type ListedPayment, type ListingStatus, type ListingStore } from './stage.ts'

/**
 * What a facilitator reports of an extension to the seller, as the x402 specification defines it for
 * `bazaar`.
 */
export interface ExtensionResponse {
  readonly status: 'success' | 'processing' | 'rejected'
  /** The wrong field and the reason. */
  readonly rejectedReason?: string
}

/** The extension responses of a settle, by extension. */
export interface ExtensionResponses {
  readonly [extension: string]: ExtensionResponse
}

/** The listing of the payment of one settle. */
export interface SettleListing {
  /** Stages the listing. Never throws, because a settle does not fail for its catalog. */
  stage(settlementId: number): Promise<void>
  /** Returns the responses for a payment that settled. Undefined if the payment has no extension. */
  readResponses(): Promise<ExtensionResponses | undefined>
}

export interface Discovery {
  /**
   * Opens the listing of a payment that an account settles. It is read once the price of the payment is held,
   * because a payment that is refused costs nothing.
   */
  open(payment: Payment, accountId: number): SettleListing
}

export interface DiscoveryOptions {
  readonly db: Kysely<Tables>
  /** For development: also catalogs http URLs, local names and IP addresses. */
  readonly allowPrivate: boolean
  /** The most entries of an account. */
  readonly maxEntries?: number
  readonly log: EngineLog
}

const NO_LISTING: SettleListing = { stage: async () => {}, readResponses: async () => undefined }

/** Creates the part that catalogs what settles. */
export function createDiscovery({ db, allowPrivate, maxEntries, log }: DiscoveryOptions): Discovery {
  const store = createListingStore(db, maxEntries)
  function read(payment: Payment, accountId: number): SettleListing {
    const parsed = parseListing(payment, { allowPrivate })
    if (parsed.kind === 'none') return NO_LISTING
    if (parsed.kind === 'rejected') {
      const responses = { [BAZAAR]: toRejection(parsed) }
      return { ...NO_LISTING, readResponses: async () => responses }
    }
    const { payTo, network, asset, scheme } = payment
    const listed = { payTo, network, asset, scheme: scheme.name }
    return createSettleListing({ store, log, payment: listed, accountId, listing: parsed.listing })
  }
  return {
    open(payment, accountId) {
      let listing: SettleListing | undefined
      const getListing = () => (listing ??= read(payment, accountId))
      return {
        stage: (settlementId) => getListing().stage(settlementId),
        readResponses: () => getListing().readResponses(),
      }
    },
  }
}

interface SettleListingParts {
  readonly store: ListingStore
  readonly log: EngineLog
  readonly payment: ListedPayment['payment']
  readonly accountId: number
  readonly listing: ResourceListing
}

function createSettleListing({ store, log, payment, accountId, listing }: SettleListingParts): SettleListing {
  let staged: Promise<ExtensionResponse> | undefined
  const respond = async (read: () => Promise<ListingStatus>): Promise<ExtensionResponse> => {
    try {
      return toResponse(await read())
    } catch (error) {
      log.error({ err: error, accountId }, 'The listing of a payment could not be stored')
      return UNAVAILABLE
    }
  }
  return {
    async stage(settlementId) {
      staged = respond(() => store.stage({ settlementId, accountId, payment, listing }))
      await staged
    },
    async readResponses() {
      // An earlier call has staged the listing of a payment that this call only delivers.
      const response = staged ?? respond(() => store.readStatus({ accountId, payment, listing }))
      return { [BAZAAR]: await response }
    },
  }
}

const UNAVAILABLE: ExtensionResponse = {
  status: 'rejected',
  rejectedReason: 'The catalog is not available. The next payment of the resource adds it',
}

function toResponse(status: ListingStatus): ExtensionResponse {
  switch (status) {
    case 'cataloged':
      return { status: 'success' }
    case 'pending':
      return { status: 'processing' }
    case 'full':
      return { status: 'rejected', rejectedReason: 'The account has as many catalog entries as it may have' }
  }
}

const toRejection = ({ field, problem }: ParsedListing & { kind: 'rejected' }): ExtensionResponse => ({
  status: 'rejected',
  rejectedReason: `${field} ${problem}`,
})

/** Encodes responses for the header EXTENSION-RESPONSES. */
export const encodeResponses = (responses: ExtensionResponses): string =>
  Buffer.from(JSON.stringify(responses)).toString('base64')
