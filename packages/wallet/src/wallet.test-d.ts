import type { ConflictError, Empty, NotFoundError } from '@mintmark/envelope'
import type { DataOf, ErrorsOf, InputOf } from '@mintmark/operation'
import { createFacilitator, createGateway, reroute } from '@mintmark/transport'
import {
  type AddressBookEntry,
  type AddWordsInput,
  addressBook,
  type Fan,
  type Follow,
  fans,
  type follows,
  type IsFanResult,
  type Message,
  type ReadAllMessagesResult,
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
// @ts-expect-error the address is required
walletInfo.get(gateway)
// @ts-expect-error a field that a profile does not have
walletInfo.add(gateway, { address: '0x', nickname: 'Ada' })
walletInfo.edit(gateway, { address: '0x', name: undefined })

/* Ids are numbers, also in the path of an operation with a body. */
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
// @ts-expect-error the owner is required
addressBook.list.pages(gateway)
expectTypeOf<IsFanResult>().toEqualTypeOf<{ isFan: boolean }>()
expectTypeOf<ReadAllMessagesResult>().toEqualTypeOf<{ count: number }>()
expectTypeOf<AddWordsInput>().toEqualTypeOf<InputOf<typeof words.add>>()

/* Operations declare their errors. */
expectTypeOf<ErrorsOf<typeof walletInfo.get>>().toEqualTypeOf<typeof NotFoundError>()
expectTypeOf<ErrorsOf<typeof addressBook.update>>().toEqualTypeOf<
  typeof ConflictError | typeof NotFoundError
>()
expectTypeOf<ErrorsOf<typeof fans.add>>().toEqualTypeOf<never>()

/* Operations accept only the gateway's client. Operations that the specification defines cannot be rerouted. */
// @ts-expect-error the facilitator's client
walletInfo.get(facilitator, { address: '0x' })
reroute(fans.add, { path: '/api/v1/fans', method: 'PUT' })
// @ts-expect-error a stated operation
reroute(walletInfo.get, { path: '/api/v1/wallet' })
