import { contracts } from '@mintmark/contracts'
import { ConflictError, NotFoundError } from '@mintmark/envelope'
import { pageOf, readPageQuery, transaction } from '@mintmark/server-kit'
import { implementWithLimits } from '../../context.ts'
import { storedAddress } from '../address-rules.ts'
import { METADATA, NAME } from '../field-limits.ts'
import { extensionProblem, isChainId, NFT_TYPES } from './contract-rules.ts'
import * as store from './contracts-store.ts'

const NONE = 'No contract is registered for this address'

/** The details that `add` and `update` take, as columns. */
function detailsOf(
  input: {
    adult?: boolean | undefined
    contractType?: string | undefined
    description?: string | undefined
    imgUrl?: string | undefined
    metadata?: string | undefined
    name?: string | undefined
    owner?: string | undefined
    symbol?: string | undefined
  },
  invalid: (field: string, message: string) => never,
) {
  const { contractType, imgUrl, metadata, owner, adult, ...texts } = input
  return {
    ...texts,
    adult,
    contract_type: contractType,
    img_url: imgUrl,
    metadata,
    owner: owner === undefined ? undefined : storedAddress('owner', owner, invalid),
  }
}

export const contractRoutes = implementWithLimits({ metadata: METADATA, symbol: NAME })(contracts, {
  async get({ nftAddress }, { db, project, refuse }) {
    return (await store.find(db, project, nftAddress.toLowerCase())) ?? refuse(NotFoundError, NONE)
  },

  async add({ nftAddress, nftType, chainId, allowUnknownChain, index = false, name, ...details }, context) {
    const { db, project, chains, refuse, invalid } = context
    const address = storedAddress('nftAddress', nftAddress, invalid)
    if (!NFT_TYPES.has(nftType)) invalid('nftType', `Expected ${[...NFT_TYPES].join(' or ')}`)
    if (!isChainId(chainId)) invalid('chainId', "Expected a chain's id: decimal digits")
    if (!allowUnknownChain && chains.chainIds.length > 0 && !chains.serves(chainId)) {
      const known = chains.chainIds.join(', ')
      invalid(
        'chainId',
        `Chain ${chainId} is not among the chains of this gateway: ${known}. Set allowUnknownChain to register it anyway`,
      )
    }
    const row = await store.add(db, {
      ...detailsOf({ ...details, name }, invalid),
      project_id: project,
      chain_id: chainId,
      nft_address: address,
      nft_type: nftType,
      name,
      indexed: index,
    })
    return row
      ? store.contractOf(row)
      : refuse(ConflictError, 'This address is registered on this chain already')
  },

  async update({ nftAddress, ...input }, { db, project, refuse, invalid }) {
    const row = await store.update(db, project, nftAddress.toLowerCase(), detailsOf(input, invalid))
    return row ? store.contractOf(row) : refuse(NotFoundError, NONE)
  },

  async remove({ id }, { db, project, refuse }) {
    return await transaction(db, async (trx) => {
      if (!(await store.lock(trx, project, id)))
        return refuse(NotFoundError, 'There is no contract with this id')
      if (!(await store.remove(trx, project, id)))
        return refuse(
          ConflictError,
          'The contract has NFTs, somebody owns its tokens, or a mint of it is open: remove the NFTs, take the tokens off the shelf, and wait for the mints first',
        )
      return {}
    })
  },

  async list({ owner, ...input }, { db, project, invalid }) {
    const query = readPageQuery({ ...input, owner }, store.CONTRACT_ORDERS, invalid)
    const found = await store.page(db, project, { ...input, owner: owner?.toLowerCase() }, query)
    return pageOf(query, found, store.contractOf)
  },

  async extension({ nftAddress }, { db, project, refuse }) {
    const row = await store.findRow(db, project, nftAddress.toLowerCase())
    return row ? { nftAddress: row.nft_address, extension: row.extension } : refuse(NotFoundError, NONE)
  },

  async updateExtension({ nftAddress, extension }, { db, project, refuse, invalid }) {
    const problem = extensionProblem(extension)
    if (problem !== undefined) invalid('extension', problem)
    const change = { extension: JSON.stringify(extension) }
    const row = await store.update(db, project, nftAddress.toLowerCase(), change)
    return row ? { nftAddress: row.nft_address, extension: row.extension } : refuse(NotFoundError, NONE)
  },
})
