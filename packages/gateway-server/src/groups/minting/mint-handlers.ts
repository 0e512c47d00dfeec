import { CHAIN_UNREADABLE, NotFound } from '@mintmark/envelope'
import {
  MINT_LIMIT_REACHED,
  MINT_NOT_OPEN,
  MINT_UNDECIDED,
  MINTED_OUT,
  type MintSignature,
  type mintRefusals,
  type mintSignFields,
  NFT_NOT_MINTABLE,
  NOT_WHITELISTED,
  type reserveFields,
} from '@mintmark/envelope/minting'
import { transaction } from '@mintmark/server-kit'
import { ChainUnreadable } from '../../chain/chain-reader.ts'
import type { Collection, CollectionRow, Program } from './collections-store.ts'
import { signatureOf } from './minting-records.ts'
import * as phases from './phases-store.ts'
import { type Calling, findCollection, type InputOfFields } from './presale-handlers.ts'
import * as reservations from './reservations-store.ts'
import { type Asked, findKnown, type NotReserved, reserve, type Wanted } from './reserve.ts'
import { signReservation } from './sign.ts'
import * as stock from './stock-store.ts'
import { seek } from './watch-mints.ts'
import { readWallet } from './whitelist-handlers.ts'
import { UNLISTED_TEXTS } from './whitelist-rules.ts'

type Minting = Calling<typeof NotFound | (typeof mintRefusals)[number]>
const NOT_OPEN = 'No phase of the presale is open'
const UNDECIDED =
  'The signature before has expired, and whether it was used is not final yet: call again later'

type ReserveInput = InputOfFields<typeof reserveFields>

interface Found {
  readonly collection: Collection
  readonly kept: CollectionRow
  readonly phase: phases.PhaseRow | undefined
}

/** What a mint is asked of: the collection with its open phase, where there is one. */
async function find(context: Minting, program: Program, nftAddress: string): Promise<Found> {
  const { db, project, refuse } = context
  const collection = await findCollection(context, program, nftAddress)
  const { kept } = collection
  const all = kept ? await phases.list(db, project, kept.id) : []
  if (kept === undefined) return refuse(MINT_NOT_OPEN, NOT_OPEN)
  const phase = all.find((each) => each.open)
  return { collection, kept, phase }
}

function refuseReservation(why: NotReserved, { refuse }: Minting): never {
  switch (why) {
    case 'not_open':
      return refuse(MINT_NOT_OPEN, NOT_OPEN)
    case 'limit_reached':
      return refuse(MINT_LIMIT_REACHED, 'The wallet may not mint so many in this phase')
    case 'minted_out':
      return refuse(MINTED_OUT)
    case 'not_mintable':
    case 'again':
      return refuse(NFT_NOT_MINTABLE, 'The NFT is hidden, reserved or minted')
    case 'unknown':
      return refuse(NotFound, 'The contract has no such NFT')
    default:
      return refuse(NOT_WHITELISTED, `${why}: ${UNLISTED_TEXTS[why]}`)
  }
}

function askedOf(
  { project }: Minting,
  program: Program,
  { collection, kept, phase }: Found,
  of: { recipient: string; input: ReserveInput; wanted: Wanted; quantity: number },
): Asked {
  const { recipient, input, wanted, quantity } = of
  const brought = { wallet: recipient, proof: input.proof, limit: input.limit }
  return {
    ...{ project, program, contract: collection.contract, collection: kept, phase },
    ...{ wanted, quantity, brought },
  }
}

/** Draws an NFT and reserves it; answers its id. */
export async function drawAndReserve(input: ReserveInput, context: Minting): Promise<number> {
  const recipient = readWallet('recipient', input.recipient, context)
  const found = await find(context, 'lazy', input.nftAddress)
  const of = { recipient, input, wanted: 'drawn', quantity: 1 } as const
  const asked = askedOf(context, 'lazy', found, of)
  const reserved = await transaction(context.db, (trx) => reserve(trx, asked))
  return typeof reserved === 'string' ? refuseReservation(reserved, context) : reserved.nft
}

/** What a call asks to mint: of product cards without an NFT the first that has so many left. */
async function wantedOf(
  program: Program,
  input: InputOfFields<typeof mintSignFields>,
  { collection, kept }: Found,
  recipient: string,
  context: Minting,
): Promise<Wanted> {
  const { nftId, quantity = 1 } = input
  const { db, project, refuse, invalid } = context
  if (nftId !== undefined) {
    if (program === 'lazy' && quantity !== 1) invalid('quantity', 'Expected 1: there is one of each NFT')
    if (!/^[1-9]\d{0,14}$/.test(nftId)) return refuse(NotFound, 'The contract has no such NFT')
    return { nft: Number(nftId) }
  }
  if (program === 'lazy') {
    if (kept.token_uri === '')
      invalid('nftId', 'Expected an NFT: the collection has no tokenUri to mint by quantity')
    return 'own'
  }
  // The same call again is of the same product, also where it took the last of it.
  const open = await reservations.findOpen(db, { project, collection: kept.id, recipient, quantity })
  if (open !== undefined) return { nft: open.nft }
  const { nft_address: nftAddress } = collection.contract
  const nft = await stock.firstProduct(db, { project, nftAddress, quantity })
  return nft === undefined ? refuse(MINTED_OUT) : { nft }
}

export const mintSignHandler = (program: Program) =>
  async function mintSign(
    input: InputOfFields<typeof mintSignFields>,
    context: Minting,
  ): Promise<MintSignature> {
    const { db, mintChain, minters, outside, refuse, invalid } = context
    const recipient = readWallet('recipient', input.recipient, context)
    const found = await find(context, program, input.nftAddress)
    const { contract } = found.collection
    if (!mintChain.serves(contract.chain_id))
      invalid('nftAddress', `Nothing can be minted on the contract's chain ${contract.chain_id}`)
    const wanted = await wantedOf(program, input, found, recipient, context)
    const asked = askedOf(context, program, found, {
      ...{ recipient, input, wanted, quantity: input.quantity ?? 1 },
    })
    const unreadable = (error: unknown): never => {
      if (error instanceof ChainUnreadable) return refuse(CHAIN_UNREADABLE)
      throw error
    }
    // Before the transaction: nothing in the database waits for the chain.
    const moment = await outside('newest', () => mintChain.newest(contract.chain_id)).catch(unreadable)
    const before = await findKnown(db, asked)
    if (before?.status === 'SIGNED') {
      const row = { ...before, chain_id: contract.chain_id, nft_address: contract.nft_address }
      const from = before.searched_to + 1
      const used =
        from > moment.block
          ? undefined
          : await outside(`used ${before.uid}`, () => seek(mintChain, row, from, moment.block)).catch(
              unreadable,
            )
      // Not for good yet, so that it still counts; but it is no answer to who wants another.
      if (used !== undefined)
        await reservations.change(db, before, { hash: used.hash, token_id: used.tokenId })
    }
    const signed = await transaction(db, async (trx) => {
      const reserved = await reserve(trx, asked)
      if (typeof reserved === 'string') return reserved
      if (reserved.status === 'RESERVED')
        return await signReservation(
          trx,
          minters,
          { program, collection: found.collection, moment },
          reserved,
        )
      return reserved.valid_until < moment.time ? refuse(MINT_UNDECIDED, UNDECIDED) : reserved
    })
    if (typeof signed === 'string') return refuseReservation(signed, context)
    const names = await phases.namesOf(db, context.project, found.kept.id)
    return signatureOf(signed, contract, names.get(signed.phase_id) ?? '')
  }
