import { type AddressBookEntry, walletInfo } from '@mintmark/wallet'
import { type EventSource, eventSource } from '../../database/event-source.ts'
import { toRecord } from '../../http/record-mapping.ts'
import { toAddressBookEntry } from './address-book-store.ts'
import { toFollow } from './follows-store.ts'
import { toMessage } from './messages/messages-store.ts'

type Verb = 'created' | 'updated' | 'removed'

const entryEvent = (verb: Verb, data: AddressBookEntry) =>
  ({ type: `address_book_entry.${verb}`, subject: `address_book_entry/${data.id}`, data }) as const

/** The events about wallets: profiles, address books, fans, follows and messages. */
export const walletEventSources: readonly EventSource[] = [
  eventSource('gateway.wallet_info', ({ before, after }) => {
    if (after === undefined) return []
    const type = before === undefined ? 'wallet.created' : 'wallet.updated'
    return [{ type, subject: `wallet/${after.address}`, data: toRecord(walletInfo.WalletInfo, after) }]
  }),
  eventSource('gateway.address_book', ({ before, after }) => {
    if (after === undefined) return [entryEvent('removed', toAddressBookEntry(before))]
    return [entryEvent(before === undefined ? 'created' : 'updated', toAddressBookEntry(after))]
  }),
  eventSource('gateway.fans', ({ before, after }) => {
    const row = after ?? before
    if (before !== undefined && after !== undefined) return []
    const data = { address: row.address, createTime: row.created_at.toISOString(), fan: row.fan }
    return [{ type: after === undefined ? 'fan.removed' : 'fan.created', subject: `fan/${row.id}`, data }]
  }),
  eventSource('gateway.follows', ({ before, after }) => {
    if (after === undefined || after.following === (before?.following ?? false)) return []
    const type = after.following ? 'follow.created' : 'follow.removed'
    return [{ type, subject: `follow/${after.id}`, data: toFollow(after) }]
  }),
  eventSource('gateway.messages', ({ before, after }) => {
    if (after === undefined || after.removed === before?.removed) return []
    const type = after.removed ? 'message.removed' : 'message.sent'
    return [{ type, subject: `message/${after.id}`, data: toMessage({ ...after, read: false }) }]
  }),
]
