import { contracts } from '@mintmark/contracts'
import { ConflictError, NotFoundError } from '@mintmark/envelope'
import { type FieldLimits, readPageQuery, refusal, toPage } from '@mintmark/server-kit'
import { toReferenceColumns, toReferenceFilter } from '../../../database/references.ts'
import { implementWithLimits } from '../../../http/context.ts'
import { ensureFound } from '../../../http/ensure-found.ts'
import { CHOICE, METADATA, NAME } from '../../../http/field-limits.ts'
import { CHAIN_ID_FORMAT } from '../../../http/formats.ts'
import { toColumns } from '../../../http/record-mapping.ts'
import type { ContractPorts } from '../contract-ports.ts'
import * as store from './contracts-store.ts'

const NO_CONTRACT = 'No contract is registered for this address'

const contractLimits: FieldLimits = {
  metadata: METADATA,
  symbol: NAME,
  'contracts.add/chainId': { characters: 18, format: CHAIN_ID_FORMAT },
  'contracts.add/nftType': { ...CHOICE, oneOf: ['ERC721', 'ERC1155'] },
}

export const contractRoutes = implementWithLimits<ContractPorts>(contractLimits)(contracts, {
  async get({ nftAddress }, context) {
    const row = ensureFound(await store.findRow(context.tenant, nftAddress), NO_CONTRACT)
    return store.toContract(row, context)
  },

  async add(input, context) {
    const { tenant, caller, chains, indexedContracts, invalid } = context
    const { allowUnknownChain = false, index, ...contract } = input
    const { chainId, reference } = contract
    if (!allowUnknownChain && chains.chainIds.length > 0 && !chains.serves(chainId)) {
      const chainIds = chains.chainIds.join(', ')
      invalid(
        'chainId',
        `Chain ${chainId} is not among the chains of this gateway: ${chainIds}. Set allowUnknownChain to register it anyway`,
      )
    }
    const columns = {
      ...toColumns(contract),
      ...toReferenceColumns(reference, caller.wallet),
      indexed: index,
    }
    const row = index
      ? await tenant.transaction(async (trx) => {
          const added = await store.add(trx, columns)
          // Counted after the insert, and under a lock, so that concurrent calls do not exceed the limit
          // together.
          if (added && (await store.countIndexed(trx)) > indexedContracts)
            invalid('index', `The project has ${indexedContracts} indexed contracts already`)
          return added
        })
      : await store.add(tenant, columns)
    if (row === undefined) throw refusal(ConflictError, 'This address is already registered on this chain')
    return store.toContract(row, context)
  },

  async update({ nftAddress, ...change }, context) {
    const { tenant, caller } = context
    const reference = toReferenceColumns(change.reference, caller.wallet)
    const row = ensureFound(
      await store.update(tenant, nftAddress, { ...toColumns(change), ...reference }),
      NO_CONTRACT,
    )
    return store.toContract(row, context)
  },

  async remove({ id }, { tenant, ownership }) {
    return await tenant.transaction(async (trx) => {
      if (!(await store.lock(trx, id))) throw refusal(NotFoundError, 'No contract has this id')
      const removed = await store.remove(trx, id)
      if (removed === undefined || !(await ownership.clear(trx, removed)))
        throw refusal(
          ConflictError,
          'The contract has NFTs, reserved tokens or open mints. Remove the NFTs, take the tokens off the shelf, and wait for open orders and mints first',
        )
      return {}
    })
  },

  async list({ reference, ...input }, context) {
    const { tenant, invalid } = context
    const query = readPageQuery(input, store.CONTRACT_ORDERS, invalid)
    const references = toReferenceFilter(reference, context)
    const page = await store.list(tenant, { ...input, references }, query)
    return toPage(query, page, (row) => store.toContract(row, context))
  },

  async extension({ nftAddress }, { tenant }) {
    const row = ensureFound(await store.findRow(tenant, nftAddress), NO_CONTRACT)
    return { nftAddress: row.nft_address, extension: row.extension }
  },

  async updateExtension({ nftAddress, extension }, { tenant }) {
    const change = { extension: JSON.stringify(extension) }
    const row = ensureFound(await store.update(tenant, nftAddress, change), NO_CONTRACT)
    return { nftAddress: row.nft_address, extension: row.extension }
  },
})
