import { nfts } from '@mintmark/contracts'
import { ConflictError, NotFoundError } from '@mintmark/envelope'
import { readPageQuery, toPage, transaction } from '@mintmark/server-kit'
import { implement } from '../../../context.ts'
import { RESPONSE_ITEMS } from '../../../http/field-limits.ts'
import * as contracts from '../contracts/contracts-store.ts'
import { findQuantityProblem, isTokenId, removeDuplicates } from './nft-rules.ts'
import * as store from './nfts-store.ts'

const NO_CONTRACT = 'No contract is registered for this address'
const NO_NFT = 'No NFT has this address and id'

export const nftRoutes = implement(nfts, {
  async add(input, { db, project, wallet, ownership, refuse, invalid }) {
    const { nftAddress, nftId, owner, properties = [] } = input
    return await transaction(db, async (trx) => {
      const contract = await contracts.findRow(trx, project, nftAddress)
      if (contract === undefined || !(await contracts.keep(trx, project, contract.id)))
        return refuse(NotFoundError, NO_CONTRACT)
      if (contract.indexed && !isTokenId(nftId))
        invalid('nftId', 'Expected decimal digits: the contract is indexed')
      const columns = store.toNewColumns(input)
      const problem = findQuantityProblem(contract.nft_type, columns.quantity)
      if (problem !== undefined) invalid('quantity', problem)
      const nft = {
        ...columns,
        project_id: project,
        contract_id: contract.id,
        chain_id: contract.chain_id,
        nft_type: contract.nft_type,
        creator: contract.owner || wallet || owner,
      }
      const row = await store.add(trx, nft, removeDuplicates(properties))
      if (row === undefined) return refuse(ConflictError, 'This NFT already exists')
      if (!contract.indexed && !(await ownership.issue(trx, row)))
        refuse(ConflictError, 'A wallet already owns this token')
      return store.toNft(row, await store.findOwners(trx, project, [row.id]))
    })
  },

  async remove({ nftAddress, nftId }, { db, project, ownership, refuse }) {
    return await transaction(db, async (trx) => {
      const nft = await store.find(trx, project, nftAddress, nftId)
      if (nft === undefined || !(await store.remove(trx, project, nft.id)))
        return refuse(NotFoundError, NO_NFT)
      if (!(await ownership.retire(trx, nft)))
        return refuse(ConflictError, 'The NFT is on the shelf or reserved, or another wallet owns some of it')
      return {}
    })
  },

  async get({ nftAddress, nftId }, { db, project, refuse }) {
    const row = await store.find(db, project, nftAddress, nftId)
    return row
      ? store.toNft(row, await store.findOwners(db, project, [row.id]))
      : refuse(NotFoundError, NO_NFT)
  },

  async properties({ nftAddress, nftId }, { db, project, refuse }) {
    if (nftId === undefined) {
      const contract = await contracts.findRow(db, project, nftAddress)
      if (contract === undefined) return refuse(NotFoundError, NO_CONTRACT)
      return await store.listRarities(db, project, contract.id, undefined, RESPONSE_ITEMS.rarities)
    }
    const nft = await store.find(db, project, nftAddress, nftId)
    if (nft === undefined) return refuse(NotFoundError, NO_NFT)
    return await store.listRarities(db, project, nft.contract_id, nft.id, RESPONSE_ITEMS.rarities)
  },

  async list(input, { db, project, invalid }) {
    const query = readPageQuery(input, store.NFT_ORDERS, invalid)
    const page = await store.list(db, project, input, query)
    const ids = page.rows.map(({ id }) => id)
    const owners = await store.findOwners(db, project, ids)
    return toPage(query, page, (row) => store.toNft(row, owners))
  },
})
