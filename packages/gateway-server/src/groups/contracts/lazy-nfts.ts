import type { lazyMinting } from '@mintmark/contracts'
import { ConflictError, NotFoundError } from '@mintmark/envelope'
import { type Handler, pageOf, readPageQuery, transaction } from '@mintmark/server-kit'
import type { GatewayContext } from '../../context.ts'
import { releaseExpired } from '../minting/make-room.ts'
import { drawAndReserve } from '../minting/mint-handlers.ts'
import { readPayToken } from '../minting/phase-rules.ts'
import { findCollection, NO_CONTRACT } from '../minting/presale-handlers.ts'
import * as contracts from './contracts-store.ts'
import * as store from './lazy-nfts-store.ts'
import { MAX_ROYALTY_PERCENTAGE, type Property } from './nft-rules.ts'

/** The states a caller may give an NFT; RESERVED and MINTED come of minting. */
const CALLER_STATUSES: ReadonlySet<string> = new Set(['DISPLAY', 'HIDDEN'])
const STATUSES: ReadonlySet<string> = new Set([...CALLER_STATUSES, 'RESERVED', 'MINTED'])
const NO_NFT = 'There is no NFT with this id'

type Invalid = (field: string, message: string) => never

/** The details that `addNft` and `updateNft` take, as columns. */
function detailsOf(
  input: {
    name?: string | undefined
    tokenUri?: string | undefined
    description?: string | undefined
    imgUrl?: string | undefined
    mediaFileUrl?: string | undefined
    properties?: readonly Property[] | undefined
    royaltyPercentage?: number | undefined
    price?: string | undefined
    payTokenAddress?: string | undefined
    status?: string | undefined
  },
  invalid: Invalid,
) {
  const { properties, royaltyPercentage, price, payTokenAddress, status, ...texts } = input
  if (
    royaltyPercentage !== undefined &&
    !(royaltyPercentage >= 0 && royaltyPercentage <= MAX_ROYALTY_PERCENTAGE)
  )
    invalid('royaltyPercentage', `Expected a number from 0 to ${MAX_ROYALTY_PERCENTAGE}`)
  if (status !== undefined && !CALLER_STATUSES.has(status))
    invalid('status', `Expected ${[...CALLER_STATUSES].join(' or ')}`)
  return {
    name: texts.name,
    token_uri: texts.tokenUri,
    description: texts.description,
    img_url: texts.imgUrl,
    media_file_url: texts.mediaFileUrl,
    properties: properties && JSON.stringify(properties),
    royalty_percentage: royaltyPercentage,
    price,
    pay_token_address:
      payTokenAddress === undefined ? undefined : readPayToken('payTokenAddress', payTokenAddress, invalid),
    status,
  }
}

type Operations = Pick<
  typeof lazyMinting,
  'addNft' | 'updateNft' | 'removeNft' | 'getNft' | 'listNfts' | 'randomNft'
>
type Handlers = { [Name in keyof Operations]: Handler<Operations[Name], GatewayContext> }
type Changing = Pick<Parameters<Handlers['removeNft']>[1], 'db' | 'project' | 'refuse'>

/** Changes an NFT that is not reserved or minted; a draw that is past its time does not stand in the way. */
async function change(
  { db, project, refuse }: Changing,
  id: number,
  values: Parameters<typeof store.update>[3],
): Promise<void> {
  await transaction(db, async (trx) => {
    if (await store.update(trx, project, id, values)) return
    const nft = (await store.find(trx, project, id)) ?? refuse(NotFoundError, NO_NFT)
    const collection = await store.collectionOf(trx, project, nft.contract_id)
    if (collection !== undefined) await releaseExpired(trx, project, { program: 'lazy', id: collection })
    if (!(await store.update(trx, project, id, values)))
      refuse(ConflictError, 'The NFT is reserved or minted')
  })
}

export const lazyNftHandlers: Handlers = {
  async addNft({ nftAddress, name, tokenUri, ...details }, context) {
    const { db, project, invalid, refuse } = context
    const columns = detailsOf({ ...details, name, tokenUri }, invalid)
    const { contract } = await findCollection(context, 'lazy', nftAddress)
    const id = await transaction(db, async (trx) => {
      // Removed meanwhile, it would have an NFT that nobody can reach.
      if (!(await contracts.keep(trx, project, contract.id))) refuse(NotFoundError, NO_CONTRACT)
      return await store.add(trx, {
        ...columns,
        project_id: project,
        contract_id: contract.id,
        nft_address: contract.nft_address,
        name,
        token_uri: tokenUri,
        properties: columns.properties ?? '[]',
      })
    })
    const nft = (await store.find(db, project, id)) ?? refuse(NotFoundError, NO_NFT)
    return store.lazyNftOf(nft)
  },

  async updateNft({ id, ...input }, context) {
    const { db, project, invalid, refuse } = context
    await change(context, id, detailsOf(input, invalid))
    const nft = (await store.find(db, project, id)) ?? refuse(NotFoundError, NO_NFT)
    return store.lazyNftOf(nft)
  },

  async removeNft({ id }, context) {
    await change(context, id, { deleted: true })
    return {}
  },

  async getNft({ id }, { db, project, refuse }) {
    const nft = (await store.find(db, project, id)) ?? refuse(NotFoundError, NO_NFT)
    return store.lazyNftOf(nft)
  },

  async listNfts(input, { db, project, invalid }) {
    const query = readPageQuery(input, store.LAZY_NFT_ORDERS, invalid)
    const { status, nftAddress } = input
    if (status !== undefined && !STATUSES.has(status))
      invalid('status', `Expected one of ${[...STATUSES].join(', ')}`)
    // A contract that is not registered has none.
    const contract = await contracts.findRow(db, project, nftAddress.toLowerCase())
    const found = await store.page(db, project, contract?.id ?? 0, status, query)
    return pageOf(query, found, store.lazyNftOf)
  },

  async randomNft(input, context) {
    const { db, project, refuse } = context
    const id = await drawAndReserve(input, context)
    const nft = (await store.find(db, project, id)) ?? refuse(NotFoundError, NO_NFT)
    return store.lazyNftOf(nft)
  },
}
