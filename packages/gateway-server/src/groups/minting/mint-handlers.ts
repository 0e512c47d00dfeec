import { NotFoundError } from '@mintmark/envelope'
import {
  MINT_LIMIT_REACHED,
  MINT_NOT_OPEN,
  MINT_NOT_PAID,
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
import { askChain } from '../../chain/ask-chain.ts'
import type { ChainMoment } from '../../chain/mint-chain.ts'
import type { Collection, CollectionRow, Program } from './collections-store.ts'
import { nextBlockOf, searchMint } from './find-mint.ts'
import { signatureOf } from './minting-records.ts'
import * as phases from './phases-store.ts'
import { type Calling, findCollection, type InputOfFields } from './presale-handlers.ts'
import * as reservations from './reservations-store.ts'
import { type Asked, findKnown, type NotReserved, type Purpose, reserve, type Wanted } from './reserve.ts'
import { signReservation } from './sign.ts'
import { findSoldOf, howUnpaid, type NotSigned, signSold } from './sign-sold.ts'
import { readWanted } from './wanted.ts'
import { readWallet } from './whitelist-handlers.ts'
import { UNLISTED_TEXTS } from './whitelist-rules.ts'

export type Minting = Calling<typeof NotFoundError | (typeof mintRefusals)[number]>
const MINTED = 'What was asked for is minted already'

type ReserveInput = InputOfFields<typeof reserveFields>

export interface Found {
  readonly collection: Collection
  readonly kept: CollectionRow
  readonly phase: phases.PhaseRow | undefined
}

/** What a mint is asked of: the collection with its open phase, where there is one. */
async function find(context: Minting, program: Program, nftAddress: string): Promise<Found> {
  const { db, project, refuse } = context
  const collection = await findCollection(context, program, nftAddress)
  const { kept } = collection
  if (kept === undefined) return refuse(MINT_NOT_OPEN)
  const phase = (await phases.list(db, project, kept.id)).find((each) => each.open)
  return { collection, kept, phase }
}

function refuseReservation(why: NotReserved | NotSigned, { refuse }: Minting): never {
  switch (why) {
    case 'not_open':
      return refuse(MINT_NOT_OPEN)
    case 'limit_reached':
      return refuse(MINT_LIMIT_REACHED, 'The wallet may not mint so many in this phase')
    case 'minted_out':
      return refuse(MINTED_OUT)
    case 'not_mintable':
    case 'again':
    case 'not_ordered':
      return refuse(NFT_NOT_MINTABLE)
    case 'not_paid':
    case 'too_many_open':
      return refuse(MINT_NOT_PAID, 'It is sold by an order: make one by preOrder, and pay it')
    case 'minted':
      return refuse(NFT_NOT_MINTABLE, MINTED)
    case 'undecided':
      return refuse(MINT_UNDECIDED)
    case 'unknown':
      return refuse(NotFoundError, 'The contract has no such NFT')
    default:
      return refuse(NOT_WHITELISTED, `${why}: ${UNLISTED_TEXTS[why]}`)
  }
}

function askedOf(
  { project }: Minting,
  program: Program,
  { collection, kept, phase }: Found,
  of: { recipient: string; input: ReserveInput; purpose: Purpose; wanted: Wanted; quantity: number },
): Asked {
  const { recipient, input, purpose, wanted, quantity } = of
  const brought = { wallet: recipient, proof: input.proof, limit: input.limit }
  return {
    ...{ project, program, contract: collection.contract, collection: kept, phase },
    ...{ purpose, wanted, quantity, brought },
  }
}

/** Draws an NFT and reserves it; answers its id. */
export async function drawAndReserve(input: ReserveInput, context: Minting): Promise<number> {
  const recipient = readWallet('recipient', input.recipient, context)
  const found = await find(context, 'lazy', input.nftAddress)
  const of = { recipient, input, purpose: { for: 'draw' }, wanted: 'drawn', quantity: 1 } as const
  const asked = askedOf(context, 'lazy', found, of)
  const reserved = await transaction(context.db, (trx) => reserve(trx, asked))
  return typeof reserved === 'string' ? refuseReservation(reserved, context) : reserved.nft
}

/** What a call asks to sign. The same call again is of the same product, also where it took the last of it. */
async function wantedOf(
  program: Program,
  { nftId, quantity = 1 }: InputOfFields<typeof mintSignFields>,
  { collection, kept }: Found,
  recipient: string,
  context: Minting,
): Promise<Wanted> {
  const { db, project } = context
  if (program === 'product' && nftId === undefined) {
    const open = await reservations.findOpen(db, { project, collection: kept.id, recipient, quantity })
    if (open !== undefined) return { nft: open.nft }
  }
  const wanted = await readWanted(context, program, collection, { nftId, quantity })
  return wanted === 'unknown' || wanted === 'minted_out' ? refuseReservation(wanted, context) : wanted
}

/** Signs what the contract takes the price of. */
async function signAtItsPrice(
  input: InputOfFields<typeof mintSignFields>,
  context: Minting,
  { program, found, recipient, moment, noteUse }: Signing,
): Promise<reservations.ReservationRow> {
  const { db, minters } = context
  const { collection } = found
  const wanted = await wantedOf(program, input, found, recipient, context)
  const quantity = input.quantity ?? 1
  const asked = askedOf(context, program, found, {
    ...{ recipient, input, wanted, quantity },
    purpose: { for: 'sign' },
  })
  const before = await findKnown(db, asked)
  if (before?.status === 'SIGNED') await noteUse(before)
  const signed = await transaction(db, async (trx) => {
    const reserved = await reserve(trx, asked)
    if (typeof reserved === 'string') return reserved
    if (reserved.status === 'RESERVED')
      return await signReservation(trx, minters, { program, collection, moment }, reserved)
    return reserved.valid_until < moment.time ? 'undecided' : reserved
  })
  return typeof signed === 'string' ? refuseReservation(signed, context) : signed
}

/** A call of `mintSign`, as far as it was read. */
export interface Signing {
  readonly program: Program
  readonly found: Found
  readonly recipient: string
  /** The chain's newest block. */
  readonly moment: ChainMoment
  /** Asks the chain whether a signature is used by now. Not for good yet, so that it still counts; but it is no answer to who wants another. */
  readonly noteUse: (row: reservations.ReservationRow) => Promise<boolean>
}

export const mintSignHandler = (program: Program) =>
  async function mintSign(
    input: InputOfFields<typeof mintSignFields>,
    context: Minting,
  ): Promise<MintSignature> {
    const { db, project, mintChain, refuse, invalid } = context
    const recipient = readWallet('recipient', input.recipient, context)
    const found = await find(context, program, input.nftAddress)
    const { contract } = found.collection
    const { chain_id: chainId } = contract
    if (!mintChain.serves(chainId))
      invalid('nftAddress', `Nothing can be minted on the contract's chain ${chainId}`)
    const moment = await askChain(context, 'newest', () => mintChain.newest(chainId))
    const noteUse = async (before: reservations.ReservationRow) => {
      const row = { ...before, chain_id: chainId, nft_address: contract.nft_address }
      const from = nextBlockOf(before)
      if (from > moment.block) return false
      const used = await askChain(context, `used ${before.uid}`, () =>
        searchMint(mintChain, row, from, moment.block),
      )
      if (used !== undefined) await reservations.noteUse(db, before, used)
      return used !== undefined
    }
    const signing = { program, found, recipient, moment, noteUse }
    const sold = await findSoldOf(input, context, signing)
    const signed =
      sold === undefined
        ? await signAtItsPrice(input, context, signing)
        : await transaction(db, (trx) => signSold(trx, context, signing, sold))
    if (typeof signed === 'string')
      return signed === 'not_paid' && sold !== undefined
        ? refuse(MINT_NOT_PAID, howUnpaid(sold))
        : refuseReservation(signed, context)
    const names = await phases.namesOf(db, project, found.kept.id)
    const orderNo = sold?.order_no ?? ''
    return signatureOf({ ...signed, order_no: orderNo }, contract, names.get(signed.phase_id) ?? '')
  }
