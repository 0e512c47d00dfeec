import { nfts } from '@mintmark/contracts'
import { ConflictError, NotFoundError } from '@mintmark/envelope'
import { readPageQuery, refusal, toPage } from '@mintmark/server-kit'
import { implementWithLimits } from '../../../http/context.ts'
import { ensureFound } from '../../../http/ensure-found.ts'
import { RESPONSE_ITEMS } from '../../../http/field-limits.ts'
import type { ContractPorts } from '../contract-ports.ts'
import * as contracts from '../contracts/contracts-store.ts'
import { findQuantityProblem, isTokenId, removeDuplicates } from './nft-rules.ts'
import * as store from './nfts-store.ts'

const NO_CONTRACT = 'No contract is registered for this address'
const NO_NFT = 'No NFT has this address and id'

export const nftRoutes = implementWithLimits<ContractPorts>({})(nfts, {
  async add(input, { tenant, caller, ownership, invalid }) {
    const { nftAddress, nftId, owner, properties = [] } = input
    return await tenant.transaction(async (trx) => {
      const contract = await contracts.findRow(trx, nftAddress)
      if (contract === undefined || !(await contracts.keep(trx, contract.id)))
        throw refusal(NotFoundError, NO_CONTRACT)
      if (contract.indexed && !isTokenId(nftId))
        invalid('nftId', 'Expected decimal digits: the contract is indexed')
      const columns = store.toNewColumns(input)
      const problem = findQuantityProblem(contract.nft_type, columns.quantity)
      if (problem !== undefined) invalid('quantity', problem)
      const nft = {
        ...columns,
        contract_id: contract.id,
        chain_id: contract.chain_id,
        nft_type: contract.nft_type,
        creator: contract.owner || caller.wallet || owner,
      }
      const row = await store.add(trx, nft, removeDuplicates(properties))
      if (row === undefined) throw refusal(ConflictError, 'This NFT already exists')
      if (!contract.indexed && !(await ownership.issue(trx, row)))
        throw refusal(ConflictError, 'A wallet already owns this token')
      return store.toNft(row, await store.findOwners(trx, [row.id]))
    })
  },

  async remove({ nftAddress, nftId }, { tenant, ownership }) {
    return await tenant.transaction(async (trx) => {
      const nft = await store.find(trx, nftAddress, nftId)
      if (nft === undefined || !(await store.remove(trx, nft.id))) throw refusal(NotFoundError, NO_NFT)
      if (!(await ownership.retire(trx, nft)))
        throw refusal(ConflictError, 'The NFT is on the shelf or reserved, or another wallet owns some of it')
      return {}
    })
  },

  async get({ nftAddress, nftId }, { tenant }) {
    const row = ensureFound(await store.find(tenant, nftAddress, nftId), NO_NFT)
    return store.toNft(row, await store.findOwners(tenant, [row.id]))
  },

  async properties({ nftAddress, nftId }, { tenant }) {
    if (nftId === undefined) {
      const contract = ensureFound(await contracts.findRow(tenant, nftAddress), NO_CONTRACT)
      return await store.listRarities(tenant, contract.id, undefined, RESPONSE_ITEMS.rarities)
    }
    const nft = ensureFound(await store.find(tenant, nftAddress, nftId), NO_NFT)
    return await store.listRarities(tenant, nft.contract_id, nft.id, RESPONSE_ITEMS.rarities)
  },

  async list(input, { tenant, invalid }) {
    const query = readPageQuery(input, store.NFT_ORDERS, invalid)
    const page = await store.list(tenant, input, query)
    const ids = page.rows.map(({ id }) => id)
    const owners = await store.findOwners(tenant, ids)
    return toPage(query, page, (row) => store.toNft(row, owners))
  },
})
