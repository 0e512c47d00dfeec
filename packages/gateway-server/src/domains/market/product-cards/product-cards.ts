import { ConflictError, NotFoundError } from '@mintmark/envelope'
import { productCards, TOKEN_DATA_CHANGED, TokenData, TokenDataChange } from '@mintmark/market'
import { type FieldLimits, parseTimeRange, readPageQuery, refusal, toPage } from '@mintmark/server-kit'
import { implementWithLimits } from '../../../http/context.ts'
import { ensureFound } from '../../../http/ensure-found.ts'
import { CHOICE, JSON_OBJECT, NAME, RESPONSE_ITEMS } from '../../../http/field-limits.ts'
import { toRecord } from '../../../http/record-mapping.ts'
import { findMinter } from '../../../keys/minters.ts'
import { findCollection, previewHandlers, toPreviews } from '../../minting/collections/collection-handlers.ts'
import type { MintPorts } from '../../minting/mint-ports.ts'
import { toNftColumns } from '../../minting/nfts/nft-columns.ts'
import * as store from '../../minting/nfts/product-nfts-store.ts'
import * as phases from '../../minting/phases/phases-store.ts'
import { presaleHandlers, readPresale } from '../../minting/phases/presale-handlers.ts'
import { presaleLimits } from '../../minting/phases/presale-limits.ts'
import { countMints, toMint } from '../../minting/reservations/mint-records.ts'
import * as reservations from '../../minting/reservations/reservations-store.ts'
import { mintSignHandler } from '../../minting/signatures/mint-handlers.ts'
import { whitelistHandlers } from '../../minting/whitelist/whitelist-handlers.ts'
import * as tokenData from './token-data-store.ts'

/** The states that a caller can set. Minting sets RESERVED and MINTED. */
const CALLER_STATUS = { ...CHOICE, oneOf: ['DISPLAY', 'HIDDEN'] }

const productCardLimits: FieldLimits = {
  ...presaleLimits,
  channel: NAME,
  data: JSON_OBJECT,
  licenseCode: NAME,
  limited: { min: 0, integer: true },
  'productCards.addNftInfo/status': CALLER_STATUS,
  'productCards.updateNftInfo/status': CALLER_STATUS,
  'productCards.writeData/version': { min: 0 },
  // Each change contains the token data before and after it.
  'productCards.tokenDataLog/pageSize': { max: 50 },
}

const NO_NFT = 'No NFT has this id'

const preview = previewHandlers('product')

function toTokenData(nft: store.ProductNftRow, row: tokenData.TokenDataRow | undefined): TokenData {
  return toRecord(TokenData, nft, {
    data: row?.data ?? {},
    nftId: String(nft.id),
    updatedBy: row?.updated_by ?? '',
    updateTime: (row ?? nft).updated_at.toISOString(),
    version: row?.version ?? 0,
  })
}

export function toTokenDataChange(nft: store.ProductNftRow, row: tokenData.ChangeRow): TokenDataChange {
  return toRecord(TokenDataChange, row, { nftAddress: nft.nft_address, nftId: String(nft.id) })
}

export const productCardRoutes = implementWithLimits<MintPorts>(productCardLimits)(productCards, {
  ...presaleHandlers('product'),
  ...whitelistHandlers('product'),
  preview: preview.read,
  updatePreview: preview.replace,
  mintSign: mintSignHandler('product'),

  async addNftInfo(input, { tenant }) {
    const royalty_percentage = input.royaltyPercentage ?? 0
    await store.add(tenant, { ...toNftColumns(input), royalty_percentage })
    return {}
  },

  async updateNftInfo({ id, ...change }, { tenant }) {
    const row = await store.update(tenant, id, toNftColumns(change))
    if (row !== undefined) return store.toProductNft(row)
    if ((await store.find(tenant, id)) === undefined) throw refusal(NotFoundError, NO_NFT)
    throw refusal(
      ConflictError,
      'More of the NFT are minted and reserved, or a signature contains its tokenUri',
    )
  },

  async removeNftInfo({ id }, { tenant }) {
    if (await store.remove(tenant, id)) return {}
    if ((await store.find(tenant, id)) === undefined) throw refusal(NotFoundError, NO_NFT)
    throw refusal(ConflictError, 'Some of the NFT are minted or reserved')
  },

  async tokenData({ nftAddress, nftId }, { tenant }) {
    const nft = ensureFound(await store.findByNftId(tenant, nftAddress, nftId), NO_NFT)
    return toTokenData(nft, await tokenData.find(tenant, nft.id))
  },

  async writeData({ nftAddress, nftId, data, version }, context) {
    const { tenant, caller } = context
    const nft = ensureFound(await store.findByNftId(tenant, nftAddress, nftId), NO_NFT)
    const change = { nft: nft.id, data, by: caller.wallet || caller.name }
    const row = await tenant.transaction((trx) => tokenData.write(trx, change, version))
    if (row === undefined) throw refusal(TOKEN_DATA_CHANGED)
    return toTokenData(nft, row)
  },

  async tokenDataLog(input, { tenant, invalid }) {
    const query = readPageQuery(input, tokenData.CHANGE_ORDERS, invalid)
    const { nftAddress, nftId } = input
    const nft = ensureFound(await store.findByNftId(tenant, nftAddress, nftId), NO_NFT)
    const filter = { nft: nft.id, ...parseTimeRange(input) }
    const page = await tokenData.listChanges(tenant, filter, query)
    return toPage(query, page, (row) => toTokenDataChange(nft, row))
  },

  async mints(input, context) {
    const { tenant, invalid } = context
    const query = readPageQuery(input, reservations.MINT_ORDERS, invalid)
    const { contract, stored } = await findCollection(context, 'product', input.nftAddress)
    const collection = stored?.id ?? 0
    const names = await phases.namesOf(tenant, collection)
    const filter = { collection, wallet: input.address, ...parseTimeRange(input) }
    const page = await reservations.page(tenant, filter, query)
    return toPage(query, page, (row) => toMint(row, contract, names.get(row.phase_id) ?? ''))
  },

  async product({ nftAddress }, context) {
    const { tenant } = context
    const collection = await findCollection(context, 'product', nftAddress)
    const { contract } = collection
    const nfts = await store.listNewest(tenant, contract.nft_address, RESPONSE_ITEMS.productNfts)
    return {
      contract: {
        chainId: contract.chain_id,
        description: contract.description,
        id: contract.id,
        imgUrl: contract.img_url,
        name: contract.name,
        nftAddress: contract.nft_address,
        nftType: contract.nft_type,
        owner: contract.owner,
        projectId: contract.project_id,
        symbol: contract.symbol,
      },
      counts: await countMints(tenant, 'product', collection),
      minter: await findMinter(tenant),
      nfts: nfts.map(store.toProductNft),
      presale: await readPresale(context, collection),
      preview: toPreviews(collection),
    }
  },
})
