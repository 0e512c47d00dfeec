import { Integer, record, type Schema, Text, Timestamp } from '@mintmark/envelope'
import { gatewayOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'

/** What a found record is. */
export type FoundKind = 'ORDER' | 'CARD' | 'WALLET'
// A newer server may return further values, so the types of the record are open.
const foundKind: Schema<FoundKind | (string & {})> = v.string()

/** What a record was found by. */
export type FoundBy = 'ID' | 'CODE' | 'HASH' | 'WALLET' | 'NAME' | 'REFERENCE'
const foundBy: Schema<FoundBy | (string & {})> = v.string()

const foundRecord = record({
  /** `ORDER`, `CARD` or `WALLET`. */
  kind: foundKind,
  /** The number of the order, the id of the card, or the address of the wallet. */
  id: v.string(),
  /** The program of a card, such as `promoCodeCards`. */
  program: v.optional(v.string()),
  /** What the order sells, the name of the card, or the name of the wallet's profile. */
  name: v.string(),
  /** The buyer of the order, the creator of the card, or the wallet itself. */
  wallet: v.string(),
  /** The status of an order, as in `orders.get`. */
  orderStatus: v.optional(Integer),
  /** What the text is of the record: `ID`, `CODE`, `HASH`, `WALLET`, `NAME` or `REFERENCE`. */
  foundBy,
  /** When the record was created. */
  createTime: Timestamp,
})
/** A record that a search of a project found. */
export interface FoundRecord extends v.InferOutput<typeof foundRecord> {}
export const FoundRecord: Schema<FoundRecord> = foundRecord

/**
 * Finds what a customer says: orders by their number, the hash of their payment, the buyer's wallet, the name
 * of its profile, or your reference; cards by their id, their code or the address of their page, a part of
 * their name, their holder, or your reference; wallets by their address or the beginning of their name.
 *
 * Returns at most 10 records of each kind, newest first. Cards need the scope `cards:read`, and wallets
 * `wallet:read`: the records of scopes that the caller lacks are left out.
 *
 * @example
 * for (const { kind, id, name } of await projectSearch.find(gateway, { text: '0x8f3a…' })) console.log(kind, id, name)
 */
export const find = gatewayOperation({
  id: 'projectSearch.find',
  method: 'GET',
  path: '/admin/v1/search',
  source: 'own',
  scope: 'orders:read',
  query: {
    /** What to look for. Case does not matter, except in codes and references. */
    text: Text,
  },
  data: v.array(FoundRecord),
})
export type FindInProjectInput = InputOf<typeof find>
