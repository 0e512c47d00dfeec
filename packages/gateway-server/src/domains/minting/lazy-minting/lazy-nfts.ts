import type { lazyMinting } from '@mintmark/contracts'
import { ConflictError, NotFoundError } from '@mintmark/envelope'
import { type Handler, readPageQuery, toPage, transaction } from '@mintmark/server-kit'
import type { GatewayContext } from '../../../context.ts'
import * as contracts from '../../contracts/contracts/contracts-store.ts'
import { findCollection, NO_CONTRACT } from '../collections/collection-handlers.ts'
import * as store from '../nfts/lazy-nfts-store.ts'
import { releaseExpired } from '../reservations/release.ts'
import { drawAndReserve } from '../signatures/mint-handlers.ts'

const NO_NFT = 'No NFT has this id'

type Operations = Pick<
  typeof lazyMinting,
  'addNft' | 'updateNft' | 'removeNft' | 'getNft' | 'listNfts' | 'randomNft'
>
type Handlers = { [Name in keyof Operations]: Handler<Operations[Name], GatewayContext> }
type Changing = Pick<Parameters<Handlers['removeNft']>[1], 'db' | 'project' | 'refuse'>

/** Changes an NFT that is not reserved or minted. Releases its collection's expired reservations first where they prevent it. */
async function change(
  { db, project, refuse }: Changing,
  id: number,
  values: Parameters<typeof store.update>[3],
): Promise<void> {
  await transaction(db, async (trx) => {
    if (await store.update(trx, project, id, values)) return
    const nft = (await store.find(trx, project, id)) ?? refuse(NotFoundError, NO_NFT)
    const collection = await store.findCollectionId(trx, project, nft.contract_id)
    if (collection !== undefined) await releaseExpired(trx, project, { program: 'lazy', id: collection })
    if (!(await store.update(trx, project, id, values)))
      refuse(ConflictError, 'The NFT is reserved or minted')
  })
}

export const lazyNftHandlers: Handlers = {
  async addNft(input, context) {
    const { db, project, refuse } = context
    const { contract } = await findCollection(context, 'lazy', input.nftAddress)
    const id = await transaction(db, async (trx) => {
      // A contract that is removed concurrently would have an unreachable NFT.
      if (!(await contracts.keep(trx, project, contract.id))) refuse(NotFoundError, NO_CONTRACT)
      return await store.add(trx, {
        ...store.toNewColumns(input),
        project_id: project,
        contract_id: contract.id,
      })
    })
    const nft = (await store.find(db, project, id)) ?? refuse(NotFoundError, NO_NFT)
    return store.toLazyNft(nft)
  },

  async updateNft({ id, ...input }, context) {
    const { db, project, refuse } = context
    await change(context, id, store.toChangedColumns(input))
    const nft = (await store.find(db, project, id)) ?? refuse(NotFoundError, NO_NFT)
    return store.toLazyNft(nft)
  },

  async removeNft({ id }, context) {
    await change(context, id, { deleted: true })
    return {}
  },

  async getNft({ id }, { db, project, refuse }) {
    const nft = (await store.find(db, project, id)) ?? refuse(NotFoundError, NO_NFT)
    return store.toLazyNft(nft)
  },

  async listNfts(input, { db, project, invalid }) {
    const query = readPageQuery(input, store.LAZY_NFT_ORDERS, invalid)
    const { status, nftAddress } = input
    // A contract that is not registered has no NFTs.
    const contract = await contracts.findRow(db, project, nftAddress)
    const page = await store.list(db, project, contract?.id ?? 0, status, query)
    return toPage(query, page, store.toLazyNft)
  },

  async randomNft(input, context) {
    const { db, project, refuse } = context
    const id = await drawAndReserve(input, context)
    const nft = (await store.find(db, project, id)) ?? refuse(NotFoundError, NO_NFT)
    return store.toLazyNft(nft)
  },
}
