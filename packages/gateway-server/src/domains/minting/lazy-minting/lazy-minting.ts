import { type LazyCollection, lazyMinting } from '@mintmark/contracts'
import { transaction } from '@mintmark/server-kit'
import { implement } from '../../../context.ts'
import { EVM_ADDRESS, isEvmAddress, storedAddress } from '../../../http/address-rules.ts'
import { findMinter } from '../../../keys/minters.ts'
import { extensionProblem } from '../../contracts/contracts/contract-rules.ts'
import { MAX_ROYALTY_PERCENTAGE } from '../../contracts/nfts/nft-rules.ts'
import {
  findCollection,
  presaleHandlers,
  previewHandlers,
  readPresale,
} from '../collections/collection-handlers.ts'
import { type Collection, write } from '../collections/collections-store.ts'
import { countsOf, previewsOf } from '../collections/minting-records.ts'
import { mintSignHandler } from '../signatures/mint-handlers.ts'
import { whitelistHandlers } from '../whitelist/whitelist-handlers.ts'
import { lazyNftHandlers } from './lazy-nfts.ts'

const previews = previewHandlers('lazy')

type Invalid = (field: string, message: string) => never

function collectionOf({ contract, kept }: Collection, minter: string): LazyCollection {
  return {
    bannerUrl: kept?.banner_url ?? '',
    chainId: contract.chain_id,
    description: kept?.description || contract.description,
    imgUrl: kept?.img_url || contract.img_url,
    minter,
    name: kept?.name || contract.name,
    nftAddress: contract.nft_address,
    nftType: contract.nft_type,
    owner: contract.owner,
    primarySaleRecipient: kept?.primary_sale_recipient ?? '',
    projectId: contract.project_id,
    royaltyPercentage: Number(kept?.royalty_percentage ?? 0),
    royaltyRecipient: kept?.royalty_recipient ?? '',
    symbol: contract.symbol,
    tokenUri: kept?.token_uri ?? '',
    updateTime: (kept ?? contract).updated_at.toISOString(),
  }
}

/** Reads an address that a contract accepts, or '' for none. */
function readRecipient(field: string, address: string | undefined, invalid: Invalid): string | undefined {
  if (address === undefined || address === '') return address
  const recipient = storedAddress(field, address, invalid)
  return isEvmAddress(recipient) ? recipient : invalid(field, EVM_ADDRESS)
}

export const lazyMintingRoutes = implement(lazyMinting, {
  ...lazyNftHandlers,
  ...presaleHandlers('lazy'),
  ...whitelistHandlers('lazy'),
  previews: previews.read,
  updatePreviews: previews.replace,
  mintSign: mintSignHandler('lazy'),

  async collection({ nftAddress }, context) {
    const found = await findCollection(context, 'lazy', nftAddress)
    return collectionOf(found, await findMinter(context.db, context.project))
  },

  async updateCollection({ nftAddress, ...input }, context) {
    const { db, project, minters, invalid } = context
    const { royaltyPercentage, royaltyRecipient, primarySaleRecipient, ...texts } = input
    if (
      royaltyPercentage !== undefined &&
      !(royaltyPercentage >= 0 && royaltyPercentage <= MAX_ROYALTY_PERCENTAGE)
    )
      invalid('royaltyPercentage', `Expected a number from 0 to ${MAX_ROYALTY_PERCENTAGE}`)
    const change = {
      banner_url: texts.bannerUrl,
      description: texts.description,
      img_url: texts.imgUrl,
      name: texts.name,
      token_uri: texts.tokenUri,
      royalty_percentage: royaltyPercentage,
      royalty_recipient: readRecipient('royaltyRecipient', royaltyRecipient, invalid),
      primary_sale_recipient: readRecipient('primarySaleRecipient', primarySaleRecipient, invalid),
    }
    const { contract } = await findCollection(context, 'lazy', nftAddress)
    return await transaction(db, async (trx) => {
      const kept = await write(trx, contract, 'lazy', change)
      return collectionOf({ contract, kept }, await minters.address(trx, project))
    })
  },

  async extension({ nftAddress }, context) {
    const { contract, kept } = await findCollection(context, 'lazy', nftAddress)
    return { nftAddress: contract.nft_address, extension: kept?.extension ?? {} }
  },

  async updateExtension({ nftAddress, extension }, context) {
    const problem = extensionProblem(extension)
    if (problem !== undefined) context.invalid('extension', problem)
    const { contract } = await findCollection(context, 'lazy', nftAddress)
    const change = { extension: JSON.stringify(extension) }
    const kept = await transaction(context.db, (trx) => write(trx, contract, 'lazy', change))
    return { nftAddress: contract.nft_address, extension: kept.extension }
  },

  async product({ nftAddress }, context) {
    const { db, project } = context
    const found = await findCollection(context, 'lazy', nftAddress)
    return {
      collection: collectionOf(found, await findMinter(db, project)),
      counts: await countsOf(db, project, 'lazy', found),
      presale: await readPresale(context, found),
      previews: previewsOf(found),
    }
  },
})
