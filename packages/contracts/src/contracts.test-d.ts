import {
  type Asset,
  assets,
  type Contract,
  contracts,
  type LazyNft,
  type LazyNftStatus,
  lazyMinting,
  type MintSignature,
  type Nft,
  type NftProperty,
  nfts,
  type SignLazyMintInput,
  type Transfer,
} from '@mintmark/contracts'
import type { ConflictError, Empty, NftType, NotFoundError } from '@mintmark/envelope'
import type { DataOf, ErrorsOf, InputOf } from '@mintmark/operation'
import { createFacilitator, createGateway, reroute } from '@mintmark/transport'
import { expectTypeOf } from 'vitest'

const gateway = createGateway({ baseUrl: '', credentials: { apiKey: '', secret: '' } })
const facilitator = createFacilitator({ baseUrl: '' })

/* A contract has the fields that the specification states, the caller's own reference, and no other. */
expectTypeOf<Omit<Contract, 'reference'>>().toEqualTypeOf<{
  adult: boolean
  chainId: string
  channel: string
  contractType: string
  createTime: string
  createTimeLong: number
  deleted: boolean
  description: string
  id: number
  imgUrl: string
  metadata: string
  name: string
  nftAddress: string
  nftType: NftType | (string & {})
  owner: string
  projectId: number
  symbol: string
  updateTime: string
}>()
expectTypeOf<Contract['reference']>().toEqualTypeOf<string | undefined>()
expectTypeOf<DataOf<typeof contracts.get>>().toEqualTypeOf<Contract>()

/* A contract's address and a token id, which is a text, identify a token. Ids of records are numbers. */
expectTypeOf<InputOf<typeof nfts.get>>().toEqualTypeOf<{ nftAddress: string; nftId: string }>()
expectTypeOf<InputOf<typeof assets.get>>().toEqualTypeOf<{ id: number }>()
expectTypeOf(nfts.get(gateway, { nftAddress: '0x', nftId: '7' })).resolves.toEqualTypeOf<Nft>()
expectTypeOf<Nft['properties']>().toEqualTypeOf<{ trait_type: string; value: string }[]>()
// @ts-expect-error a number, which cannot hold every token's id
nfts.get(gateway, { nftAddress: '0x', nftId: 7 })
// @ts-expect-error a text
assets.get(gateway, { id: '7' })

const print = { nftAddress: '0x', nftId: '7', name: 'Blue page', owner: '0x' }
nfts.add(gateway, { ...print, properties: [{ trait_type: 'paper', value: 'cotton' }], quantity: 3 })
// @ts-expect-error misspelled fields of a property
nfts.add(gateway, { ...print, properties: [{ traitType: 'paper', value: 'cotton' }] })
// @ts-expect-error a field that tokens do not have
nfts.add(gateway, { ...print, color: 'blue' })
expectTypeOf<DataOf<typeof nfts.remove>>().toEqualTypeOf<Empty>()
expectTypeOf<DataOf<typeof nfts.properties>>().toEqualTypeOf<NftProperty[]>()

/* Quantities from a chain are decimal texts. */
expectTypeOf<Pick<Asset, 'quantity' | 'reserved'>>().toEqualTypeOf<{ quantity: string; reserved: string }>()
for await (const asset of assets.list.items(gateway)) expectTypeOf(asset).toEqualTypeOf<Asset>()
for await (const transfer of assets.transfers.items(gateway, { address: '0x' }))
  expectTypeOf(transfer).toEqualTypeOf<Transfer>()
// @ts-expect-error a filter that the list does not have
assets.list(gateway, { nftId: '7' })

/* Lazy minting. */
expectTypeOf<DataOf<typeof lazyMinting.getNft>>().toEqualTypeOf<LazyNft>()
expectTypeOf<LazyNft['status']>().toEqualTypeOf<LazyNftStatus | (string & {})>()
expectTypeOf<SignLazyMintInput>().toEqualTypeOf<InputOf<typeof lazyMinting.mintSign>>()
expectTypeOf<DataOf<typeof lazyMinting.mintSign>>().toEqualTypeOf<MintSignature>()
// @ts-expect-error the recipient is required
lazyMinting.mintSign(gateway, { nftAddress: '0x' })

/* Operations declare their errors. */
expectTypeOf<ErrorsOf<typeof nfts.add>>().toEqualTypeOf<typeof ConflictError | typeof NotFoundError>()
expectTypeOf<ErrorsOf<typeof nfts.list>>().toEqualTypeOf<never>()

/* Operations accept only the gateway's client. */
// @ts-expect-error the facilitator's client
contracts.list.items(facilitator)
reroute(nfts.list, { path: '/api/v1/nft/list' })
// @ts-expect-error a method that does not exist
reroute(nfts.list, { method: 'LIST' })
