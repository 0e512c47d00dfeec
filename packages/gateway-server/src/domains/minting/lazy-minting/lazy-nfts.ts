import type { lazyMinting } from '@mintmark/contracts'
import { ConflictError, NotFoundError } from '@mintmark/envelope'
import { type Handler, parseTimeRange, readPageQuery, refusal, toPage } from '@mintmark/server-kit'
import type { GatewayContext } from '../../../http/context.ts'
import { ensureFound } from '../../../http/ensure-found.ts'
import * as contracts from '../../contracts/contracts/contracts-store.ts'
import { findCollection, NO_CONTRACT } from '../collections/collection-handlers.ts'
import type { MintPorts } from '../mint-ports.ts'
import * as store from '../nfts/lazy-nfts-store.ts'
import { toNftColumns } from '../nfts/nft-columns.ts'
import { releaseExpired } from '../reservations/release.ts'
import { drawAndReserve } from '../signatures/mint-handlers.ts'

const NO_NFT = 'No NFT has this id'

type Operations = Pick<
  typeof lazyMinting,
  'addNft' | 'updateNft' | 'removeNft' | 'getNft' | 'listNfts' | 'randomNft'
>
type Handlers = { [Name in keyof Operations]: Handler<Operations[Name], GatewayContext & MintPorts> }
type Changing = Pick<Parameters<Handlers['removeNft']>[1], 'tenant'>

/**
 * Changes an NFT that is not reserved or minted. Releases its collection's expired reservations first where
 * they prevent it.
 */
async function change(
  { tenant }: Changing,
  id: number,
  values: Parameters<typeof store.update>[2],
): Promise<void> {
  await tenant.transaction(async (trx) => {
    if (await store.update(trx, id, values)) return
    const nft = ensureFound(await store.find(trx, id), NO_NFT)
    const collection = await store.findCollection(trx, nft.contract_id)
    if (collection !== undefined) await releaseExpired(trx, collection.id)
    if (!(await store.update(trx, id, values))) throw refusal(ConflictError, 'The NFT is reserved or minted')
  })
}

export const lazyNftHandlers: Handlers = {
  async addNft(input, context) {
    const { tenant } = context
    const { contract } = await findCollection(context, 'lazy', input.nftAddress)
    const id = await tenant.transaction(async (trx) => {
      // A contract that is removed concurrently would have an unreachable NFT.
      if (!(await contracts.keep(trx, contract.id))) throw refusal(NotFoundError, NO_CONTRACT)
      return await store.add(trx, { ...toNftColumns(input), contract_id: contract.id })
    })
    return store.toLazyNft(ensureFound(await store.find(tenant, id), NO_NFT))
  },

  async updateNft({ id, ...input }, context) {
    const { tenant } = context
    await change(context, id, toNftColumns(input))
    return store.toLazyNft(ensureFound(await store.find(tenant, id), NO_NFT))
  },

  async removeNft({ id }, context) {
    await change(context, id, { deleted: true })
    return {}
  },

  async getNft({ id }, { tenant, caller }) {
    const nft = await store.find(tenant, id)
    if (nft === undefined || (caller.isPublic && nft.status === 'HIDDEN'))
      throw refusal(NotFoundError, NO_NFT)
    return store.toLazyNft(nft)
  },

  async listNfts(input, { tenant, caller: { isPublic }, invalid }) {
    const query = readPageQuery(input, store.LAZY_NFT_ORDERS, invalid)
    // A contract that is not registered has no NFTs.
    const contract = await contracts.findRow(tenant, input.nftAddress)
    // A caller with a publishable key sees no hidden NFT. No contract has the id 0.
    const isHidden = isPublic && input.status === 'HIDDEN'
    const filter = {
      contract: isHidden ? 0 : (contract?.id ?? 0),
      status: input.status ?? (isPublic ? 'SHOWN' : undefined),
      ...parseTimeRange(input),
    }
    const page = await store.list(tenant, filter, query)
    return toPage(query, page, store.toLazyNft)
  },

  async randomNft(input, context) {
    const { tenant } = context
    const id = await drawAndReserve(input, context)
    return store.toLazyNft(ensureFound(await store.find(tenant, id), NO_NFT))
  },
}
