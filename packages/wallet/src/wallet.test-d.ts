import type { ConflictError, Empty, NotFoundError } from '@mintmark/envelope'
import type { DataOf, ErrorsOf, InputOf } from '@mintmark/operation'
import { createFacilitator, createGateway, reroute } from '@mintmark/transport'
import {
  type AddressBookEntry,
  addressBook,
  type Fan,
  type Follow,
  fans,
  type follows,
  type Message,
  type WalletInfo,
  walletInfo,
  type words,
} from '@mintmark/wallet'
import { expectTypeOf } from 'vitest'

const gateway = createGateway({ baseUrl: '', credentials: { apiKey: '', secret: '' } })
const facilitator = createFacilitator({ baseUrl: '' })

/* Wallet info has the fields that the specification states, and no other. */
expectTypeOf<WalletInfo>().toEqualTypeOf<{
  address: string
  background: string
  description: string
  email: string
  name: string
  profilePhoto: string
  showcaseBackground: string
}>()
expectTypeOf(walletInfo.get(gateway, { address: '0x' })).resolves.toEqualTypeOf<WalletInfo>()
// @ts-expect-error whose?
walletInfo.get(gateway)
// @ts-expect-error a field that a profile does not have
walletInfo.add(gateway, { address: '0x', nickname: 'Ada' })
walletInfo.edit(gateway, { address: '0x', name: undefined })

/* Ids are numbers, also those that stand in a path beside a body. */
expectTypeOf<InputOf<typeof addressBook.update>>().toEqualTypeOf<{
  id: number
  address?: string | undefined
  name?: string | undefined
  remark?: string | undefined
}>()
expectTypeOf<AddressBookEntry['id']>().toEqualTypeOf<number>()
addressBook.update(gateway, { id: 7, remark: 'gallery' })
// @ts-expect-error a text
addressBook.remove(gateway, { id: '7' })
expectTypeOf<DataOf<typeof addressBook.remove>>().toEqualTypeOf<Empty>()
expectTypeOf<DataOf<typeof addressBook.importFollowing>>().toEqualTypeOf<AddressBookEntry[]>()

/* Lists yield their item's record. */
for await (const entry of addressBook.list.items(gateway, { owner: '0x' }))
  expectTypeOf(entry).toEqualTypeOf<AddressBookEntry>()
for await (const fan of fans.list.items(gateway, { address: '0x' })) expectTypeOf(fan).toEqualTypeOf<Fan>()
expectTypeOf<ReturnType<typeof follows.list.items>>().toEqualTypeOf<AsyncGenerator<Follow, void, undefined>>()
expectTypeOf<ReturnType<typeof words.records.items>>().toEqualTypeOf<
  AsyncGenerator<Message, void, undefined>
>()
// @ts-expect-error whose?
addressBook.list.pages(gateway)
expectTypeOf<DataOf<typeof fans.isFan>>().toEqualTypeOf<{ isFan: boolean }>()

/* Errors are declared. */
expectTypeOf<ErrorsOf<typeof walletInfo.get>>().toEqualTypeOf<typeof NotFoundError>()
expectTypeOf<ErrorsOf<typeof addressBook.update>>().toEqualTypeOf<
  typeof ConflictError | typeof NotFoundError
>()
expectTypeOf<ErrorsOf<typeof fans.add>>().toEqualTypeOf<never>()

/* The gateway's client, and no other; the stated operation stays where it is. */
// @ts-expect-error the facilitator's client
walletInfo.get(facilitator, { address: '0x' })
reroute(fans.add, { path: '/api/v1/fans', method: 'PUT' })
// @ts-expect-error a stated operation
reroute(walletInfo.get, { path: '/api/v1/wallet' })
