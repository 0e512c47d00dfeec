import {
  MINT_NOT_OPEN,
  MINT_UNDECIDED,
  MintSignature,
  type mintSignFields,
  type reserveFields,
} from '@mintmark/minting'
import { refusal, withPreparation } from '@mintmark/server-kit'
import { readChain } from '../../../chain/read-chain.ts'
import type { Tenant } from '../../../database/tenant.ts'
import { toRecord } from '../../../http/record-mapping.ts'
import type { ContractRow } from '../../contracts/contracts/contracts-store.ts'
import { type Calling, findCollection, type InputOfFields } from '../collections/collection-handlers.ts'
import type { Program } from '../collections/collections-store.ts'
import * as phases from '../phases/phases-store.ts'
import { toMintFields } from '../reservations/mint-records.ts'
import { readTarget } from '../reservations/mint-target.ts'
import * as reservations from '../reservations/reservations-store.ts'
import { findExisting, type MintRequest, type MintTarget, reserve } from '../reservations/reserve.ts'
import { readWallet } from '../whitelist/whitelist-handlers.ts'
import { nextBlockOf, searchMint } from './find-mint.ts'
import { mintDomain, payloadOf } from './mint-request.ts'
import { signReservation } from './sign-mint.ts'
import { findSoldMint, signSoldMint } from './sign-ordered-mint.ts'
import type { OpenSale, SigningRequest } from './signing.ts'

function toMintSignature(row: reservations.MintRow, contract: ContractRow, phase: string): MintSignature {
  return toRecord(MintSignature, row, {
    ...toMintFields(row, contract, phase),
    domain: mintDomain(contract.chain_id, contract.nft_address),
    payload: payloadOf(row),
    signer: row.minter,
  })
}

type ReserveInput = InputOfFields<typeof reserveFields>
type SignInput = InputOfFields<typeof mintSignFields>

/** Finds a collection and its open phase, if any. */
async function findSale(context: Calling, program: Program, nftAddress: string): Promise<OpenSale> {
  const { tenant } = context
  const collection = await findCollection(context, program, nftAddress)
  const { stored } = collection
  if (stored === undefined) throw refusal(MINT_NOT_OPEN)
  const phase = (await phases.list(tenant, stored.id)).find((each) => each.open)
  return { collection, stored, phase }
}

/** The part of a mint request that a draw and a signature share. */
function requestOf(program: Program, sale: OpenSale, input: ReserveInput, wallet: string) {
  const { collection, stored, phase } = sale
  const claim = { wallet, proof: input.proof, limit: input.limit }
  return { program, contract: collection.contract, collection: stored, phase, claim }
}

/** Draws an NFT, reserves it, and returns its id. */
export async function drawAndReserve(input: ReserveInput, context: Calling): Promise<number> {
  const { tenant, orders, orderSettings } = context
  const wallet = readWallet('recipient', input.recipient, context)
  const sale = await findSale(context, 'lazy', input.nftAddress)
  const shared = requestOf('lazy', sale, input, wallet)
  const limits = { perWallet: orderSettings.openDraws, perCollection: orderSettings.openDrawsPerCollection }
  const purpose = { for: 'draw', limits } as const
  const request = { ...shared, purpose, target: 'random', quantity: 1 } as const
  const reservation = await tenant.transaction((trx) => reserve(trx, orders, request))
  return reservation.nft
}

/**
 * Reads what a call wants to be signed. A repeat of a call gets the same product, even if the first call took
 * its last unit.
 */
async function readSigningTarget(
  { nftId, quantity = 1 }: SignInput,
  context: Calling,
  { program, sale, recipient }: SigningRequest,
): Promise<MintTarget> {
  const { tenant } = context
  if (program === 'product' && nftId === undefined) {
    const key = { collection: sale.stored.id, recipient, quantity }
    const open = await reservations.findOpen(tenant, key)
    if (open !== undefined) return { nft: open.nft }
  }
  return await readTarget(context, program, sale.collection, { nftId, quantity })
}

/** Reads the request of a mint whose price the contract takes. */
async function readUnsoldMint(
  input: SignInput,
  context: Calling,
  signing: SigningRequest,
): Promise<MintRequest> {
  const target = await readSigningTarget(input, context, signing)
  const request = {
    ...requestOf(signing.program, signing.sale, input, signing.recipient),
    purpose: { for: 'sign' },
    target,
    quantity: input.quantity ?? 1,
  } as const
  const existing = await findExisting(context.tenant, request)
  if (existing?.status === 'SIGNED') await signing.recordUse(existing)
  return request
}

/** Reserves and signs a mint whose price the contract takes. */
async function signUnsoldMint(
  trx: Tenant,
  { minters, orders }: Calling,
  { program, sale, moment }: SigningRequest,
  request: MintRequest,
): Promise<reservations.ReservationRow> {
  const row = await reserve(trx, orders, request)
  const { collection } = sale
  if (row.status === 'RESERVED')
    return await signReservation(trx, minters, { program, collection, moment }, row)
  if (row.valid_until < moment.time) throw refusal(MINT_UNDECIDED)
  return row
}

/** Reads everything of the chain that decides what is signed. */
async function prepareMintSign(program: Program, input: SignInput, context: Calling) {
  const signing = await readSigningRequest(program, input, context)
  const sold = await findSoldMint(input, context, signing)
  if (sold !== undefined) return { signing, sold }
  return { signing, request: await readUnsoldMint(input, context, signing) }
}

async function signMint(
  _: SignInput,
  context: Calling,
  { signing, sold, request }: Awaited<ReturnType<typeof prepareMintSign>>,
): Promise<MintSignature> {
  const { tenant } = context
  const signed = await tenant.transaction((trx) =>
    sold === undefined
      ? signUnsoldMint(trx, context, signing, request)
      : signSoldMint(trx, context, signing, sold),
  )
  const { collection, stored } = signing.sale
  const names = await phases.namesOf(tenant, stored.id)
  const mint = { ...signed, order_no: sold?.order_no ?? '' }
  return toMintSignature(mint, collection.contract, names.get(signed.phase_id) ?? '')
}

export const mintSignHandler = (program: Program) =>
  withPreparation((input: SignInput, context: Calling) => prepareMintSign(program, input, context), signMint)

async function readSigningRequest(
  program: Program,
  input: SignInput,
  context: Calling,
): Promise<SigningRequest> {
  const { tenant, mintChain, invalid } = context
  const recipient = readWallet('recipient', input.recipient, context)
  const sale = await findSale(context, program, input.nftAddress)
  const { chain_id: chainId, nft_address } = sale.collection.contract
  if (!mintChain.serves(chainId))
    invalid('nftAddress', `This gateway does not mint on the contract's chain ${chainId}`)
  const moment = await readChain(() => mintChain.newest(chainId))
  const recordUse = async (row: reservations.ReservationRow) => {
    const from = nextBlockOf(row)
    if (from > moment.block) return false
    const signature = { ...row, chain_id: chainId, nft_address }
    const mint = await readChain(() => searchMint(mintChain, signature, from, moment.block))
    if (mint !== undefined) await reservations.recordUse(tenant, row, mint)
    return mint !== undefined
  }
  return { program, sale, recipient, moment, recordUse }
}
