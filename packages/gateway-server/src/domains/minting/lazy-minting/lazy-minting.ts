import { type LazyCollection, lazyMinting } from '@mintmark/contracts'
import type { FieldLimits } from '@mintmark/server-kit'
import { implementWithLimits } from '../../../http/context.ts'
import { CHOICE } from '../../../http/field-limits.ts'
import { toColumns, toRecord } from '../../../http/record-mapping.ts'
import { findMinter } from '../../../keys/minters.ts'
import { findCollection, previewHandlers, toPreviews } from '../collections/collection-handlers.ts'
import { type Collection, write } from '../collections/collections-store.ts'
import type { MintPorts } from '../mint-ports.ts'
import { presaleHandlers, readPresale } from '../phases/presale-handlers.ts'
import { presaleLimits } from '../phases/presale-limits.ts'
import { countMints } from '../reservations/mint-records.ts'
import { mintSignHandler } from '../signatures/mint-handlers.ts'
import { whitelistHandlers } from '../whitelist/whitelist-handlers.ts'
import { lazyNftHandlers } from './lazy-nfts.ts'

const previews = previewHandlers('lazy')

/** The states that a caller can set. Minting sets the others. */
const CALLER_STATUSES = ['DISPLAY', 'HIDDEN']

const lazyMintingLimits: FieldLimits = {
  ...presaleLimits,
  'lazyMinting.addNft/status': { ...CHOICE, oneOf: CALLER_STATUSES },
  'lazyMinting.updateNft/status': { ...CHOICE, oneOf: CALLER_STATUSES },
  'lazyMinting.listNfts/status': { ...CHOICE, oneOf: [...CALLER_STATUSES, 'RESERVED', 'MINTED'] },
}

export function toLazyCollection({ contract, stored }: Collection, minter: string): LazyCollection {
  return toRecord(lazyMinting.LazyCollection, contract, {
    bannerUrl: stored?.banner_url ?? '',
    description: stored?.description || contract.description,
    imgUrl: stored?.img_url || contract.img_url,
    minter,
    name: stored?.name || contract.name,
    primarySaleRecipient: stored?.primary_sale_recipient ?? '',
    royaltyPercentage: Number(stored?.royalty_percentage ?? 0),
    royaltyRecipient: stored?.royalty_recipient ?? '',
    tokenUri: stored?.token_uri ?? '',
    updateTime: (stored ?? contract).updated_at.toISOString(),
  })
}

export const lazyMintingRoutes = implementWithLimits<MintPorts>(lazyMintingLimits)(lazyMinting, {
  ...lazyNftHandlers,
  ...presaleHandlers('lazy'),
  ...whitelistHandlers('lazy'),
  previews: previews.read,
  updatePreviews: previews.replace,
  mintSign: mintSignHandler('lazy'),

  async collection({ nftAddress }, context) {
    const found = await findCollection(context, 'lazy', nftAddress)
    return toLazyCollection(found, await findMinter(context.tenant))
  },

  async updateCollection({ nftAddress, ...change }, context) {
    const { tenant, minters } = context
    const { contract } = await findCollection(context, 'lazy', nftAddress)
    return await tenant.transaction(async (trx) => {
      const stored = await write(trx, contract, 'lazy', toColumns(change))
      return toLazyCollection({ contract, stored }, await minters.address(trx))
    })
  },

  async extension({ nftAddress }, context) {
    const { contract, stored } = await findCollection(context, 'lazy', nftAddress)
    return { nftAddress: contract.nft_address, extension: stored?.extension ?? {} }
  },

  async updateExtension({ nftAddress, extension }, context) {
    const { contract } = await findCollection(context, 'lazy', nftAddress)
    const change = { extension: JSON.stringify(extension) }
    const stored = await context.tenant.transaction((trx) => write(trx, contract, 'lazy', change))
    return { nftAddress: contract.nft_address, extension: stored.extension }
  },

  async product({ nftAddress }, context) {
    const { tenant } = context
    const found = await findCollection(context, 'lazy', nftAddress)
    return {
      collection: toLazyCollection(found, await findMinter(tenant)),
      counts: await countMints(tenant, 'lazy', found),
      presale: await readPresale(context, found),
      previews: toPreviews(found),
    }
  },
})
