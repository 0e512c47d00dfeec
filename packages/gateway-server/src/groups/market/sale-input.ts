import { NotFoundError } from '@mintmark/envelope'
import type { CHAIN_UNREADABLE } from '@mintmark/market'
import type { Refuse } from '@mintmark/server-kit'
import { askChain } from '../../chain/ask-chain.ts'
import type { GatewayContext } from '../../context.ts'
import { EVM_ADDRESS, isEvmAddress, storedAddress } from '../address-rules.ts'
import * as contracts from '../contracts/contracts-store.ts'
import { MAX_DECIMALS } from './sale-rules.ts'

/** What sells, and what is offered for. */
export interface AskedSale {
  readonly nftAddress: string
  readonly nftId?: string | undefined
  readonly payTokenAddress?: string | undefined
}

type Context = GatewayContext & Refuse<typeof NotFoundError | typeof CHAIN_UNREADABLE>

/** A wallet that pays or is paid: an address of an EVM chain, in lower case. */
export function walletOf(field: string, text: string, invalid: Context['invalid']): string {
  const wallet = storedAddress(field, text, invalid)
  if (!isEvmAddress(wallet)) invalid(field, EVM_ADDRESS)
  return wallet
}

/** The contract whose token is sold, and what is paid with, in the columns of those who store it; refuses what cannot be sold or paid. */
export async function readSale(input: AskedSale, context: Context) {
  const { db, project, chains, refuse, invalid } = context
  const asked = input.payTokenAddress ?? ''
  const token = asked === '' ? '' : walletOf('payTokenAddress', asked, invalid)
  const contract = await contracts.find(db, project, input.nftAddress.toLowerCase())
  if (contract === undefined) return refuse(NotFoundError, 'No contract is registered for this address')
  const { chainId } = contract
  if (!chains.serves(chainId)) invalid('nftAddress', `Nothing can be paid on the contract's chain ${chainId}`)
  return { contract, payToken: await payTokenColumns('payTokenAddress', chainId, token, context) }
}

/** What is paid with, in the columns of those who store it; refuses what nobody can pay with. */
export async function payTokenColumns(
  field: string,
  chainId: string,
  token: string,
  context: Pick<GatewayContext, 'chains' | 'outside'> & Refuse<typeof CHAIN_UNREADABLE>,
) {
  const { invalid } = context
  const decimals =
    token === '' ? 18 : await askChain(context, 'decimals', () => context.chains.decimals(chainId, token))
  if (decimals === undefined) return invalid(field, `No ERC-20 stands at ${token}`)
  if (decimals > MAX_DECIMALS) invalid(field, `Expected a token of at most ${MAX_DECIMALS} decimals`)
  return {
    pay_token_address: token,
    pay_token_type: token === '' ? 'NATIVE' : 'ERC20',
    pay_token_decimals: decimals,
  }
}

/** What a token is called where it is sold, and how it is shown. */
export function faceOf(contract: { name: string; imgUrl: string }, nftId: string) {
  return { nft_name: `${contract.name} #${nftId}`, nft_img: contract.imgUrl }
}
