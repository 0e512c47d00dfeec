import type { lazyMinting } from '@mintmark/contracts'
import { Conflict, NotFound } from '@mintmark/envelope'
import { type Handler, pageOf, readPageQuery, transaction } from '@mintmark/server-kit'
import type { GatewayContext } from '../../../context.ts'
import * as contracts from '../../contracts/contracts/contracts-store.ts'
import { MAX_ROYALTY_PERCENTAGE, type Property } from '../../contracts/nfts/nft-rules.ts'
import { findCollection, NO_CONTRACT } from '../collections/collection-handlers.ts'
import * as store from '../nfts/lazy-nfts-store.ts'
import { readPayToken } from '../phases/phase-rules.ts'
import { releaseExpired } from '../reservations/release.ts'
import { drawAndReserve } from '../signatures/mint-handlers.ts'

/** The statuses that a caller may set. Minting sets RESERVED and MINTED. */
const CALLER_STATUSES: ReadonlySet<string> = new Set(['DISPLAY', 'HIDDEN'])
const STATUSES: ReadonlySet<string> = new Set([...CALLER_STATUSES, 'RESERVED', 'MINTED'])
const NO_NFT = 'There is no NFT with this id'

type Invalid = (field: string, message: string) => never

/** Converts the details of `addNft` and `updateNft` to columns. */
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

/** Changes an NFT that is neither reserved nor minted. An expired draw is released first. */
async function change(
  { db, project, refuse }: Changing,
  id: number,
  values: Parameters<typeof store.update>[3],
): Promise<void> {
  await transaction(db, async (trx) => {
    if (await store.update(trx, project, id, values)) return
    const nft = (await store.find(trx, project, id)) ?? refuse(NotFound, NO_NFT)
    const collection = await store.collectionOf(trx, project, nft.contract_id)
    if (collection !== undefined) await releaseExpired(trx, project, { program: 'lazy', id: collection })
    if (!(await store.update(trx, project, id, values))) refuse(Conflict, 'The NFT is reserved or minted')
  })
}

export const lazyNftHandlers: Handlers = {
  async addNft({ nftAddress, name, tokenUri, ...details }, context) {
    const { db, project, invalid, refuse } = context
    const columns = detailsOf({ ...details, name, tokenUri }, invalid)
    const { contract } = await findCollection(context, 'lazy', nftAddress)
    const id = await transaction(db, async (trx) => {
      // A contract that is removed meanwhile would have an NFT that nobody can reach.
      if (!(await contracts.keep(trx, project, contract.id))) refuse(NotFound, NO_CONTRACT)
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
    const nft = (await store.find(db, project, id)) ?? refuse(NotFound, NO_NFT)
    return store.lazyNftOf(nft)
  },

  async updateNft({ id, ...input }, context) {
    const { db, project, invalid, refuse } = context
    await change(context, id, detailsOf(input, invalid))
    const nft = (await store.find(db, project, id)) ?? refuse(NotFound, NO_NFT)
    return store.lazyNftOf(nft)
  },

  async removeNft({ id }, context) {
    await change(context, id, { deleted: true })
    return {}
  },

  async getNft({ id }, { db, project, refuse }) {
    const nft = (await store.find(db, project, id)) ?? refuse(NotFound, NO_NFT)
    return store.lazyNftOf(nft)
  },

  async listNfts(input, { db, project, invalid }) {
    const query = readPageQuery(input, store.LAZY_NFT_ORDERS, invalid)
    const { status, nftAddress } = input
    if (status !== undefined && !STATUSES.has(status))
      invalid('status', `Expected one of ${[...STATUSES].join(', ')}`)
    // An unregistered contract has no NFTs.
    const contract = await contracts.findRow(db, project, nftAddress.toLowerCase())
    const found = await store.page(db, project, contract?.id ?? 0, status, query)
    return pageOf(query, found, store.lazyNftOf)
  },

  async randomNft(input, context) {
    const { db, project, refuse } = context
    const id = await drawAndReserve(input, context)
    const nft = (await store.find(db, project, id)) ?? refuse(NotFound, NO_NFT)
    return store.lazyNftOf(nft)
  },
}
