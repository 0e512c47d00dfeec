import { ConflictError, NotFoundError } from '@mintmark/envelope'
import { productCards, TOKEN_DATA_CHANGED, type TokenData } from '@mintmark/market'
import { pageOf, readPageQuery, transaction } from '@mintmark/server-kit'
import { implementWithLimits } from '../../context.ts'
import { findMinter } from '../../keys/minters.ts'
import { storedAddress } from '../address-rules.ts'
import { extensionProblem } from '../contracts/contract-rules.ts'
import type { Property } from '../contracts/nft-rules.ts'
import { ANSWER_ITEMS } from '../field-limits.ts'
import { mintSignHandler } from '../minting/mint-handlers.ts'
import { countsOf, mintOf, previewsOf } from '../minting/minting-records.ts'
import * as phases from '../minting/phases-store.ts'
import { findCollection, presaleHandlers, previewHandlers, readPresale } from '../minting/presale-handlers.ts'
import * as reservations from '../minting/reservations-store.ts'
import { whitelistHandlers } from '../minting/whitelist-handlers.ts'
import { CALLER_STATUSES, MAX_ROYALTY_PERCENTAGE, productCardLimits } from './product-card-rules.ts'
import * as store from './product-cards-store.ts'
import * as tokenData from './token-data-store.ts'

const NO_NFT = 'There is no NFT with this id'

const preview = previewHandlers('product')

type Invalid = (field: string, message: string) => never

/** The details that `addNftInfo` and `updateNftInfo` take, as columns. */
function detailsOf(
  input: {
    adult?: boolean | undefined
    channel?: string | undefined
    description?: string | undefined
    imgUrl?: string | undefined
    licenseCode?: string | undefined
    limited?: number | undefined
    mediaFileType?: string | undefined
    mediaFileUrl?: string | undefined
    name?: string | undefined
    owner?: string | undefined
    properties?: readonly Property[] | undefined
    royaltyPercentage?: number | undefined
    status?: string | undefined
    tokenUri?: string | undefined
  },
  invalid: Invalid,
) {
  const { status, royaltyPercentage, limited, owner } = input
  if (status !== undefined && !CALLER_STATUSES.has(status))
    invalid('status', `Expected ${[...CALLER_STATUSES].join(' or ')}`)
  if (
    royaltyPercentage !== undefined &&
    !(royaltyPercentage >= 0 && royaltyPercentage <= MAX_ROYALTY_PERCENTAGE)
  )
    invalid('royaltyPercentage', `Expected a number from 0 to ${MAX_ROYALTY_PERCENTAGE}`)
  if (limited !== undefined && !(Number.isSafeInteger(limited) && limited >= 0))
    invalid('limited', 'Expected an integer from 0')
  return {
    adult: input.adult,
    channel: input.channel,
    description: input.description,
    img_url: input.imgUrl,
    license_code: input.licenseCode,
    limited,
    media_file_type: input.mediaFileType,
    media_file_url: input.mediaFileUrl,
    name: input.name,
    owner: owner === undefined ? undefined : storedAddress('owner', owner, invalid),
    properties: input.properties && JSON.stringify(input.properties),
    royalty_percentage: royaltyPercentage,
    status,
    token_uri: input.tokenUri,
  }
}

function tokenDataOf(nft: store.ProductNftRow, row: tokenData.TokenDataRow | undefined): TokenData {
  return {
    data: row?.data ?? {},
    nftAddress: nft.nft_address,
    nftId: String(nft.id),
    projectId: nft.project_id,
    updatedBy: row?.updated_by ?? '',
    updateTime: (row ?? nft).updated_at.toISOString(),
    version: row?.version ?? 0,
  }
}

export const productCardRoutes = implementWithLimits(productCardLimits)(productCards, {
  ...presaleHandlers('product'),
  ...whitelistHandlers('product'),
  preview: preview.read,
  updatePreview: preview.replace,
  mintSign: mintSignHandler('product'),

  async addNftInfo(input, { db, project, invalid }) {
    const details = detailsOf(input, invalid)
    await store.add(db, {
      ...details,
      project_id: project,
      nft_address: storedAddress('nftAddress', input.nftAddress, invalid),
      name: input.name,
      owner: storedAddress('owner', input.owner, invalid),
      properties: details.properties ?? '[]',
      royalty_percentage: details.royalty_percentage ?? 0,
    })
    return {}
  },

  async updateNftInfo({ id, ...input }, { db, project, invalid, refuse }) {
    const row = await store.update(db, project, id, detailsOf(input, invalid))
    if (row !== undefined) return store.productNftOf(row)
    if ((await store.find(db, project, id)) === undefined) return refuse(NotFoundError, NO_NFT)
    return refuse(ConflictError, 'More of it are minted and reserved, or a signature holds its tokenUri')
  },

  async removeNftInfo({ id }, { db, project, refuse }) {
    if (await store.remove(db, project, id)) return {}
    if ((await store.find(db, project, id)) === undefined) return refuse(NotFoundError, NO_NFT)
    return refuse(ConflictError, 'Some of it are minted or reserved')
  },

  async tokenData({ nftAddress, nftId }, { db, project, refuse }) {
    const nft = (await store.findOf(db, project, nftAddress, nftId)) ?? refuse(NotFoundError, NO_NFT)
    return tokenDataOf(nft, await tokenData.find(db, project, nft.id))
  },

  async writeData({ nftAddress, nftId, data, version }, context) {
    const { db, project, wallet, keyName, refuse, invalid } = context
    const problem = extensionProblem(data)
    if (problem !== undefined) invalid('data', problem)
    if (version !== undefined && version < 0) invalid('version', 'Expected an integer from 0')
    const nft = (await store.findOf(db, project, nftAddress, nftId)) ?? refuse(NotFoundError, NO_NFT)
    const written = { project, nft: nft.id, data, by: wallet || keyName }
    const row = await transaction(db, (trx) => tokenData.write(trx, written, version))
    return row === undefined ? refuse(TOKEN_DATA_CHANGED) : tokenDataOf(nft, row)
  },

  async tokenDataLog(input, { db, project, refuse, invalid }) {
    const query = readPageQuery(input, tokenData.CHANGE_ORDERS, invalid)
    const nft =
      (await store.findOf(db, project, input.nftAddress, input.nftId)) ?? refuse(NotFoundError, NO_NFT)
    return pageOf(query, await tokenData.page(db, project, nft.id, query), (row) => ({
      after: row.after,
      before: row.before,
      changedBy: row.changed_by,
      createTime: row.created_at.toISOString(),
      createTimeLong: row.created_at.getTime(),
      id: row.id,
      nftAddress: nft.nft_address,
      nftId: String(nft.id),
      projectId: row.project_id,
      version: row.version,
    }))
  },

  async mints(input, context) {
    const { db, project, invalid } = context
    const query = readPageQuery(input, reservations.MINT_ORDERS, invalid)
    const { contract, kept } = await findCollection(context, 'product', input.nftAddress)
    const collection = kept?.id ?? 0
    const names = await phases.namesOf(db, project, collection)
    const found = await reservations.page(db, project, collection, input.address?.toLowerCase(), query)
    return pageOf(query, found, (row) => mintOf(row, contract, names.get(row.phase_id) ?? ''))
  },

  async product({ nftAddress }, context) {
    const { db, project } = context
    const found = await findCollection(context, 'product', nftAddress)
    const { contract } = found
    const nfts = await store.newest(db, project, contract.nft_address, ANSWER_ITEMS.productNfts)
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
      counts: await countsOf(db, project, 'product', found),
      minter: await findMinter(db, project),
      nfts: nfts.map(store.productNftOf),
      presale: await readPresale(context, found),
      preview: previewsOf(found),
    }
  },
})
