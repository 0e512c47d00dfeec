import type { Purchase } from './purchase.ts'

/** A purchase as a store keeps it. */
export interface StoredPurchase {
  /** Identifies the signed payment. Unique. */
  readonly payment: string
  /** Identifies what is bought and by whom. Unique. Undefined once the payer may buy the same thing again. */
  readonly key: string | undefined
  /** The attempt that may change the purchase. */
  readonly token: string
  readonly purchase: Purchase
}

/** What finds a purchase: its payment, or its key. */
export type PurchaseId = { readonly payment: string } | { readonly key: string }

/**
 * Keeps purchases for all processes of a seller. Each call is atomic. A purchase does not exist any more when its time (`ttlMs`) is over, by the
 * clock of the store.
 */
export interface PurchaseStore {
  /**
   * Stores a purchase unless one with the same payment or the same key exists. Returns the existing one, or undefined if
   * the purchase was stored.
   */
  claim(entry: StoredPurchase, ttlMs: number): Promise<StoredPurchase | undefined>
  /** Finds a purchase. */
  find(id: PurchaseId): Promise<StoredPurchase | undefined>
  /** Replaces a purchase if its token is `token`, and returns whether it was. The entry may have another token, and may drop the key. */
  replace(token: string, entry: StoredPurchase, ttlMs: number): Promise<boolean>
  /** Removes a purchase if its token is `token`. Returns whether it was removed. */
  remove(payment: string, token: string): Promise<boolean>
}
