import { nfts } from '@mintmark/contracts'
import { ConflictError, NotFoundError } from '@mintmark/envelope'
import { pageOf, readPageQuery, transaction } from '@mintmark/server-kit'
import { implement } from '../../context.ts'
import { storedAddress } from '../address-rules.ts'
import { ANSWER_ITEMS } from '../field-limits.ts'
import * as contracts from './contracts-store.ts'
import { distinct, isTokenId, MAX_ROYALTY_PERCENTAGE, quantityProblem } from './nft-rules.ts'
import { rarities } from './nft-traits-store.ts'
import * as store from './nfts-store.ts'
import * as transfers from './transfers-store.ts'

const NO_CONTRACT = 'No contract is registered for this address'
const NO_NFT = 'There is no NFT with this address and id'

export const nftRoutes = implement(nfts, {
  async add(input, { db, project, wallet, refuse, invalid }) {
    const {
      nftId,
      name,
      quantity = 1,
      royaltyPercentage = 0,
      properties = [],
      nftAddress,
      owner,
      ...texts
    } = input
    const address = storedAddress('nftAddress', nftAddress, invalid)
    const firstOwner = storedAddress('owner', owner, invalid)
    if (!(royaltyPercentage >= 0 && royaltyPercentage <= MAX_ROYALTY_PERCENTAGE))
      invalid('royaltyPercentage', `Expected a number from 0 to ${MAX_ROYALTY_PERCENTAGE}`)
    return await transaction(db, async (trx) => {
      const contract = await contracts.findRow(trx, project, address)
      if (contract === undefined || !(await contracts.keep(trx, project, contract.id)))
        return refuse(NotFoundError, NO_CONTRACT)
      if (contract.indexed && !isTokenId(nftId))
        invalid('nftId', 'Expected decimal digits: the token of a contract that is indexed')
      const problem = quantityProblem(contract.nft_type, quantity)
      if (problem !== undefined) invalid('quantity', problem)
      const nft = {
        project_id: project,
        contract_id: contract.id,
        chain_id: contract.chain_id,
        nft_address: address,
        nft_id: nftId,
        nft_type: contract.nft_type,
        name,
        creator: contract.owner || wallet || firstOwner,
        first_owner: firstOwner,
        quantity,
        description: texts.description ?? '',
        img_url: texts.imgUrl ?? '',
        media_file_type: texts.mediaFileType ?? '',
        media_file_url: texts.mediaFileUrl ?? '',
        properties: JSON.stringify(properties),
        royalty_percentage: royaltyPercentage,
        token_uri: texts.tokenUri ?? '',
      }
      const row = await store.add(trx, nft, distinct(properties))
      if (row === undefined) return refuse(ConflictError, 'This NFT is there already')
      if (!contract.indexed) {
        if (!(await store.give(trx, row))) refuse(ConflictError, 'Somebody owns this token already')
        await transfers.add(trx, {
          ...transfers.tokenOf(row),
          from_address: transfers.ZERO_ADDRESS,
          to_address: firstOwner,
          quantity: String(quantity),
        })
      }
      return store.nftOf(row, await store.ownersOf(trx, project, [row.id]))
    })
  },

  async remove({ nftAddress, nftId }, { db, project, refuse }) {
    return await transaction(db, async (trx) => {
      const nft = await store.find(trx, project, nftAddress.toLowerCase(), nftId)
      if (nft === undefined || !(await store.remove(trx, project, nft.id)))
        return refuse(NotFoundError, NO_NFT)
      const taken = await store.takeBack(trx, nft)
      if (taken === undefined)
        return refuse(
          ConflictError,
          'It is on the shelf or promised otherwise, or another wallet owns some of it',
        )
      if (taken !== '0')
        await transfers.add(trx, {
          ...transfers.tokenOf(nft),
          from_address: nft.first_owner,
          to_address: transfers.ZERO_ADDRESS,
          quantity: taken,
        })
      return {}
    })
  },

  async get({ nftAddress, nftId }, { db, project, refuse }) {
    const row = await store.find(db, project, nftAddress.toLowerCase(), nftId)
    return row ? store.nftOf(row, await store.ownersOf(db, project, [row.id])) : refuse(NotFoundError, NO_NFT)
  },

  async properties({ nftAddress, nftId }, { db, project, refuse }) {
    const address = nftAddress.toLowerCase()
    if (nftId === undefined) {
      const contract = await contracts.findRow(db, project, address)
      if (contract === undefined) return refuse(NotFoundError, NO_CONTRACT)
      return [...(await rarities(db, project, contract.id, undefined, ANSWER_ITEMS.rarities))]
    }
    const nft = await store.find(db, project, address, nftId)
    if (nft === undefined) return refuse(NotFoundError, NO_NFT)
    return [...(await rarities(db, project, nft.contract_id, nft.id, ANSWER_ITEMS.rarities))]
  },

  async list(input, { db, project, invalid }) {
    const query = readPageQuery(input, store.NFT_ORDERS, invalid)
    const filter = {
      ...input,
      nftAddress: input.nftAddress?.toLowerCase(),
      owner: input.owner?.toLowerCase(),
      creator: input.creator?.toLowerCase(),
    }
    const found = await store.page(db, project, filter, query)
    const owners = await store.ownersOf(
      db,
      project,
      found.rows.map(({ id }) => id),
    )
    return pageOf(query, found, (row) => store.nftOf(row, owners))
  },
})
