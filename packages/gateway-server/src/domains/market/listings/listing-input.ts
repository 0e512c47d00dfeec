import type { Refuse } from '@mintmark/server-kit'
import { checkServed, readChain } from '../../../chain/read-chain.ts'
import type { GatewayContext } from '../../../http/context.ts'
import { ensureFound } from '../../../http/ensure-found.ts'
import * as contracts from '../../contracts/contracts/contracts-store.ts'
import { MAX_DECIMALS } from '../listing-rules.ts'
import type { MarketPorts } from '../market-ports.ts'

/** The contract and the pay token of a listing, an auction or an offer. */
export interface SaleTarget {
  readonly nftAddress: string
  readonly payTokenAddress?: string | undefined
}

type Context = GatewayContext & MarketPorts & Refuse

/**
 * Finds the contract of a sale, and the columns of its pay token. Refuses a contract whose chain has no
 * payments, and an unusable token.
 */
export async function findSaleTarget({ nftAddress, payTokenAddress = '' }: SaleTarget, context: Context) {
  const { tenant } = context
  const contract = ensureFound(
    await contracts.find(tenant, nftAddress),
    'No contract is registered for this address',
  )
  const { chainId } = contract
  checkServed(context, 'nftAddress', chainId)
  return { contract, payToken: await payTokenColumns('payTokenAddress', chainId, payTokenAddress, context) }
}

/**
 * Returns the columns of a pay token. Refuses an address without an ERC-20, and a token with too many
 * decimals.
 */
export async function payTokenColumns(
  field: string,
  chainId: string,
  token: string,
  context: Pick<MarketPorts, 'chains'> & Refuse,
) {
  const { invalid } = context
  const decimals = token === '' ? 18 : await readChain(() => context.chains.decimals(chainId, token))
  if (decimals === undefined) return invalid(field, `No ERC-20 contract at ${token}`)
  if (decimals > MAX_DECIMALS) invalid(field, `Expected a token of at most ${MAX_DECIMALS} decimals`)
  return {
    pay_token_address: token,
    pay_token_type: token === '' ? 'NATIVE' : 'ERC20',
    pay_token_decimals: decimals,
  }
}

/** Returns the columns of a token's name and image, as a sale shows them. */
export function toDisplayColumns(contract: { name: string; imgUrl: string }, nftId: string) {
  return { nft_name: `${contract.name} #${nftId}`, nft_img: contract.imgUrl }
}
