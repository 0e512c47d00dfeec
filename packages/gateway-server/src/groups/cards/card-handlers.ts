import { TOTAL_BELOW_USED } from '@mintmark/cards'
import { type Empty, NotFoundError, type Page } from '@mintmark/envelope'
import type { DeclaredError } from '@mintmark/operation'
import { isCheckViolation, pageOf, type Refuse, readPageQuery, transaction } from '@mintmark/server-kit'
import type { GatewayContext } from '../../context.ts'
import { type CardInput, type CardUpdate, changesOf, newCards, periodOf } from './card-input.ts'
import { codeIn } from './card-rules.ts'
import * as cards from './cards-store.ts'

type Context<Errors extends DeclaredError = never> = GatewayContext & Refuse<Errors>

export interface PageInput {
  pageNumber?: number | undefined
  pageSize?: number | undefined
  orderBy?: string | undefined
  cursor?: string | undefined
}

interface SearchInput extends PageInput {
  keyword?: string | undefined
  status?: cards.CardStatus | undefined
  from?: string | undefined
  to?: string | undefined
}

/** One page of a program's cards. */
export async function cardPage<Item>(
  program: cards.Program,
  itemOf: (card: cards.Card, publicUrl: string) => Item,
  input: PageInput,
  filter: cards.CardFilter,
  { db, project, publicUrl, invalid }: Context,
): Promise<Page<Item>> {
  const query = readPageQuery(input, cards.CARD_ORDERS, invalid)
  const found = await cards.pageOfCards(db, project, program, filter, query)
  return pageOf(query, found, (card) => itemOf(card, publicUrl))
}

/** What the programs have in common: all but the record and the fields of their own. */
export function cardHandlers<Item>(
  program: cards.Program,
  recordOf: (card: cards.Card, publicUrl: string) => Item,
) {
  const page = (input: PageInput, filter: cards.CardFilter, context: Context) =>
    cardPage(program, recordOf, input, filter, context)
  const answer = (card: cards.Card | undefined, { publicUrl, refuse }: Context<typeof NotFoundError>) =>
    card ? recordOf(card, publicUrl) : refuse(NotFoundError, 'There is no such card')

  return {
    list: (input: PageInput, context: Context) => page(input, {}, context),

    async create(input: CardInput, context: Context): Promise<Item> {
      const made = await newCards(program, [input], context)
      const [card] = await cards.addAll(context.db, made)
      if (card === undefined) throw new Error('a card that was added is not there')
      return recordOf(card, context.publicUrl)
    },

    async createBatch({ cards: inputs }: { cards: CardInput[] }, context: Context): Promise<Item[]> {
      const made = await newCards(program, inputs, context, (index) => `cards.${index}.`)
      const added = await cards.addAll(context.db, made)
      return added.map((card) => recordOf(card, context.publicUrl))
    },

    async remove(
      { id }: { id: number },
      { db, project, refuse }: Context<typeof NotFoundError>,
    ): Promise<Empty> {
      const removed = await cards.remove(db, project, program, id)
      return removed ? {} : refuse(NotFoundError, 'There is no such card')
    },

    async get({ id }: { id: number }, context: Context<typeof NotFoundError>): Promise<Item> {
      return answer(await cards.find(context.db, context.project, program, id), context)
    },

    async getByQrCode({ qrCode }: { qrCode: string }, context: Context<typeof NotFoundError>): Promise<Item> {
      return answer(await cards.findByCode(context.db, context.project, program, codeIn(qrCode)), context)
    },

    listByCreator: (input: PageInput & { creator: string }, context: Context) =>
      page(input, { creator: input.creator.toLowerCase() }, context),

    listByOwner: (input: PageInput & { owner: string }, context: Context) =>
      page(input, { owner: input.owner.toLowerCase() }, context),

    listByNft: (input: PageInput & { nftAddress: string; nftId?: string | undefined }, context: Context) =>
      page(input, { nftAddress: input.nftAddress.toLowerCase(), nftId: input.nftId }, context),

    listByStore: (input: PageInput & { store: string }, context: Context) =>
      page(input, { store: input.store }, context),

    search(input: SearchInput, context: Context) {
      const { keyword, status } = input
      return page(input, { keyword, status, ...periodOf(input, context.invalid) }, context)
    },

    async update(
      { id, ...update }: CardUpdate & { id: number },
      context: Context<typeof NotFoundError | typeof TOTAL_BELOW_USED>,
    ): Promise<Item> {
      const { db, project, refuse, invalid } = context
      const changes = await changesOf(update, context)
      // A constraint that says no undoes the statement alone, also inside of a transaction around the call.
      const changed = await transaction(db, (trx) => cards.change(trx, project, program, id, changes)).catch(
        (error: unknown) => {
          if (isCheckViolation(error, 'cards_used_within_issued')) return refuse(TOTAL_BELOW_USED)
          if (isCheckViolation(error, 'cards_end_after_start'))
            return invalid(update.endTime === undefined ? 'startTime' : 'endTime', STARTS_BEFORE)
          if (isCheckViolation(error, 'cards_valid_after_start'))
            return invalid(
              update.validityPeriod === undefined ? 'startTime' : 'validityPeriod',
              STARTS_BEFORE,
            )
          throw error
        },
      )
      return answer(changed, context)
    },
  }
}

const STARTS_BEFORE = 'Expected startTime before endTime and before validityPeriod'
