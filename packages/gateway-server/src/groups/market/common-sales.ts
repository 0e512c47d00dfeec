import { NotFound } from '@mintmark/envelope'
import { CHAIN_UNREADABLE, commonSales, LISTING_CLOSED, NOT_ENOUGH_OWNED } from '@mintmark/market'
import { pageOf, readPageQuery, transaction } from '@mintmark/server-kit'
import { ChainUnreadable } from '../../chain/payment-chains.ts'
import { implement } from '../../context.ts'
import { storedAddress } from '../address-rules.ts'
import * as contracts from '../contracts/contracts-store.ts'
import { findAsset, hold } from './assets-store.ts'
import { COLLECTION_ORDERS, figuresOf, pageOfCollections } from './collections-store.ts'
import { collectionOf, listingOf } from './listing-records.ts'
import * as listings from './listings-store.ts'
import { COMMON_SALE, defaultEndOf, isEvmAddress, MAX_DECIMALS, MAX_NFT_ID_LENGTH } from './sale-rules.ts'

const EVM_ADDRESS = 'Expected an address of the chain: 0x and 40 hexadecimal digits'

export const commonSaleRoutes = implement(commonSales, {
  async collections(input, { db, project, invalid }) {
    const query = readPageQuery(input, COLLECTION_ORDERS, invalid)
    const found = await pageOfCollections(db, project, COMMON_SALE, input.chainId, query)
    const addresses = found.rows.map((row) => row.nft_address)
    const figures = addresses.length === 0 ? [] : await figuresOf(db, project, COMMON_SALE, addresses)
    return pageOf(query, found, (row) => collectionOf(row, figures))
  },

  async get({ id }, { db, project, refuse }) {
    const row = await listings.find(db, project, id)
    if (row?.market_type !== COMMON_SALE) return refuse(NotFound, 'There is no listing with this id')
    return listingOf(row)
  },

  async list(input, { db, project, invalid }) {
    const query = readPageQuery(input, listings.LISTING_ORDERS, invalid)
    const filter = {
      ...input,
      nftAddress: input.nftAddress?.toLowerCase(),
      seller: input.seller?.toLowerCase(),
      payTokenAddress: input.payTokenAddress?.toLowerCase(),
    }
    return pageOf(query, await listings.pageOfShelf(db, project, COMMON_SALE, filter, query), listingOf)
  },

  async putOnShelf(input, { db, project, chains, outside, refuse, invalid }) {
    const seller = storedAddress('seller', input.seller, invalid)
    if (!isEvmAddress(seller)) invalid('seller', EVM_ADDRESS)
    if (input.nftId.length > MAX_NFT_ID_LENGTH)
      invalid('nftId', `Expected at most ${MAX_NFT_ID_LENGTH} characters`)
    if (BigInt(input.payPrice) === 0n) invalid('payPrice', 'Expected a price above 0')
    const token = (input.payTokenAddress ?? '').toLowerCase()
    if (token !== '' && !isEvmAddress(token)) invalid('payTokenAddress', EVM_ADDRESS)
    const start = input.startTime === undefined ? new Date() : new Date(input.startTime)
    const end = input.endTime === undefined ? defaultEndOf(start) : new Date(input.endTime)
    if (end <= start) invalid('endTime', 'Expected a time after startTime')
    if (end.getTime() <= Date.now()) invalid('endTime', 'Expected a time to come')

    const contract = await contracts.find(db, project, input.nftAddress.toLowerCase())
    if (contract === undefined) return refuse(NotFound, 'No contract is registered for this address')
    const { chainId, nftAddress } = contract
    if (!chains.serves(chainId))
      invalid('nftAddress', `Nothing can be paid on the contract's chain ${chainId}`)
    const decimals =
      token === ''
        ? 18
        : await outside('decimals', () => chains.decimals(chainId, token)).catch((error: unknown) => {
            if (error instanceof ChainUnreadable) return refuse(CHAIN_UNREADABLE)
            throw error
          })
    if (decimals === undefined) return invalid('payTokenAddress', 'No ERC-20 stands at this address')
    if (decimals > MAX_DECIMALS) invalid('payTokenAddress', `Expected at most ${MAX_DECIMALS} decimals`)

    return await transaction(db, async (trx) => {
      const asset = await findAsset(trx, project, { chainId, nftAddress, nftId: input.nftId, owner: seller })
      if (asset === undefined) return refuse(NOT_ENOUGH_OWNED)
      const row = await listings.add(trx, {
        project_id: project,
        market_type: COMMON_SALE,
        asset_id: asset.id,
        chain_id: chainId,
        nft_address: nftAddress,
        nft_id: input.nftId,
        nft_type: asset.nft_type,
        nft_name: `${contract.name} #${input.nftId}`,
        nft_img: contract.imgUrl,
        seller,
        quantity: input.quantity,
        remaining: input.quantity,
        pay_price: input.payPrice,
        pay_token_address: token,
        pay_token_type: token === '' ? 'NATIVE' : 'ERC20',
        pay_token_decimals: decimals,
        // The database's own moment, where none is given: by this process's clock it might lie ahead.
        ...(input.startTime !== undefined && { start_time: start }),
        end_time: end,
      })
      const promise = { kind: 'listing', id: row.id, quantity: input.quantity } as const
      const held =
        (await hold(trx, project, asset.id, promise)) ||
        ((await listings.closeEnded(trx, project, asset.id)) > 0 &&
          (await hold(trx, project, asset.id, promise)))
      if (!held) refuse(NOT_ENOUGH_OWNED)
      return listingOf(row)
    })
  },

  async takeOffShelf({ id }, { db, project, refuse }) {
    return await transaction(db, async (trx) => {
      const known = await listings.find(trx, project, id)
      if (known?.market_type !== COMMON_SALE) return refuse(NotFound, 'There is no listing with this id')
      const closed = await listings.close(trx, project, id, 'OFF')
      if (closed !== undefined) return listingOf(closed)
      const row = await listings.find(trx, project, id)
      // Again is the same answer.
      return row?.status === 'OFF' ? listingOf(row) : refuse(LISTING_CLOSED)
    })
  },
})
