import { record, type Schema, Timestamp } from '@mintmark/envelope'
import { defineEvents, type EventDataOf } from '@mintmark/operation'
import * as v from 'valibot'
import { AddressBookEntry } from './address-book.ts'
import { Follow } from './follows.ts'
import { WalletInfo } from './wallet-info.ts'
import { Message } from './words.ts'

const fanship = record({
  /** The wallet that is followed. */
  address: v.string(),
  /** When the fan began to follow the wallet. */
  createTime: Timestamp,
  /** The wallet that follows. */
  fan: v.string(),
})
/** That a wallet follows another wallet. */
export interface Fanship extends v.InferOutput<typeof fanship> {}
export const Fanship: Schema<Fanship> = fanship

/**
 * The events about wallets. Subjects: `wallet/` and the wallet's address, `address_book_entry/`, `fan/`,
 * `follow/` or `message/` and the id.
 */
export const walletEvents = defineEvents({
  'address_book_entry.created': {
    description: 'An address was added to an address book.',
    data: AddressBookEntry,
  },
  'address_book_entry.updated': {
    description: 'An entry of an address book changed.',
    data: AddressBookEntry,
  },
  'address_book_entry.removed': {
    description: 'An address was removed from an address book.',
    data: AddressBookEntry,
  },
  'fan.created': { description: 'A wallet follows another wallet.', data: Fanship },
  'fan.removed': { description: 'A wallet no longer follows another wallet.', data: Fanship },
  'follow.created': { description: 'A wallet follows a collection or an NFT.', data: Follow },
  'follow.removed': { description: 'A wallet no longer follows a collection or an NFT.', data: Follow },
  'message.sent': { description: 'A message was sent to a wallet or a group.', data: Message },
  'message.removed': { description: 'A message was removed.', data: Message },
  'wallet.created': { description: 'The profile of a wallet was added.', data: WalletInfo },
  'wallet.updated': { description: 'The profile of a wallet changed.', data: WalletInfo },
})
export type WalletEvents = EventDataOf<typeof walletEvents>
