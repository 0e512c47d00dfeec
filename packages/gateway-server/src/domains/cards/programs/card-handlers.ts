import { parseCardCode, type promoCodeCards, TOTAL_BELOW_USED } from '@mintmark/cards'
import { type Empty, NotFoundError, type Page } from '@mintmark/envelope'
import type { InputOf } from '@mintmark/operation'
import {
  isCheckViolation,
  parseTimeRange,
  type Refuse,
  readPageQuery,
  refusal,
  toPage,
} from '@mintmark/server-kit'
import { toReferenceFilter } from '../../../database/references.ts'
import type { GatewayContext } from '../../../http/context.ts'
import { ensureFound } from '../../../http/ensure-found.ts'
import type { CardPorts } from '../card-ports.ts'
import { findStoreKeys } from '../stores/till-store.ts'
import type { CardInput, CardUpdate, CardView } from './card-fields.ts'
import * as cards from './cards-store.ts'
import { toCardChanges, toNewCards } from './new-cards.ts'

type Context = GatewayContext & CardPorts & Refuse
/** The input of an operation that takes the same in every program. */
type Input<Name extends keyof typeof promoCodeCards> = InputOf<(typeof promoCodeCards)[Name]>

const NO_CARD = 'No such card'
const PERIOD_BACKWARDS = 'Expected startTime before endTime and before validityPeriod'

/** Returns one page of a program's cards. */
export async function listCardPage<Item>(
  program: cards.Program,
  toItem: (card: cards.Card, view: CardView) => Item,
  input: Input<'list'>,
  filter: cards.CardFilter,
  context: Context,
): Promise<Page<Item>> {
  const { tenant, invalid } = context
  const query = readPageQuery(input, cards.CARD_ORDERS, invalid)
  const page = await cards.listCards(tenant, program, filter, query)
  return toPage(query, page, (card) => toItem(card, context))
}

type ToRecord<Item> = (card: cards.Card, view: CardView) => Item

/** The handlers that all programs have. */
export function cardHandlers<Item>(program: cards.Program, toRecord: ToRecord<Item>) {
  return {
    ...readingHandlers(program, toRecord),
    ...listHandlers(program, toRecord),
    ...writingHandlers(program, toRecord),
  }
}

function readingHandlers<Item>(program: cards.Program, toRecord: ToRecord<Item>) {
  return {
    async get({ id }: Input<'get'>, context: Context): Promise<Item> {
      return toRecord(ensureFound(await cards.find(context.tenant, program, id), NO_CARD), context)
    },

    async getByQrCode({ qrCode }: Input<'getByQrCode'>, context: Context): Promise<Item> {
      const card = ensureFound(
        await cards.findByCode(context.tenant, program, parseCardCode(qrCode)),
        NO_CARD,
      )
      return toRecord(card, context)
    },
  }
}

function listHandlers<Item>(program: cards.Program, toRecord: ToRecord<Item>) {
  const listPage = (input: Input<'list'>, filter: cards.CardFilter, context: Context) =>
    listCardPage(program, toRecord, input, filter, context)

  return {
    list: (input: Input<'list'>, context: Context) => listPage(input, {}, context),

    listByCreator: (input: Input<'listByCreator'>, context: Context) =>
      listPage(input, { creator: input.creator }, context),

    listByOwner: (input: Input<'listByOwner'>, context: Context) =>
      listPage(input, { owner: input.owner }, context),

    listByNft: (input: Input<'listByNft'>, context: Context) =>
      listPage(input, { nftAddress: input.nftAddress, nftId: input.nftId }, context),

    listByStore: async (input: Input<'listByStore'>, context: Context) =>
      listPage(input, { storeKeys: await findStoreKeys(context.tenant, input.store) }, context),

    search(input: Input<'search'>, context: Context) {
      const { campaignId, keyword, status, reference } = input
      const references = toReferenceFilter(reference, context)
      const filter = { campaignId, keyword, status, references, ...parseTimeRange(input) }
      return listPage(input, filter, context)
    },
  }
}

function writingHandlers<Item>(program: cards.Program, toRecord: ToRecord<Item>) {
  return {
    async create(input: CardInput, context: Context): Promise<Item> {
      const [card] = await cards.addAll(context.tenant, await toNewCards(program, [input], context))
      if (card === undefined) throw new Error('The insert returned no card')
      return toRecord(card, context)
    },

    async createBatch({ cards: inputs }: { cards: CardInput[] }, context: Context): Promise<Item[]> {
      const newCards = await toNewCards(program, inputs, context, (index) => `cards.${index}.`)
      const added = await cards.addAll(context.tenant, newCards)
      return added.map((card) => toRecord(card, context))
    },

    async update({ id, ...update }: CardUpdate, context: Context): Promise<Item> {
      const { tenant } = context
      const changes = await toCardChanges(update, context)
      // A violated constraint rolls back this statement alone, also within the transaction of an idempotent
      // call.
      const card = await tenant
        .transaction((trx) => cards.change(trx, program, id, changes))
        .catch((error: unknown) => refuseChange(error, update, context))
      if (card === undefined) throw refusal(NotFoundError, NO_CARD)
      return toRecord(card, context)
    },

    async remove({ id }: Input<'remove'>, { tenant }: Context): Promise<Empty> {
      const isRemoved = await cards.remove(tenant, program, id)
      if (!isRemoved) throw refusal(NotFoundError, NO_CARD)
      return {}
    },
  }
}

/** Refuses an update that violates a constraint of the table; rethrows any other error. */
function refuseChange(error: unknown, update: Omit<CardUpdate, 'id'>, { invalid }: Refuse): never {
  if (isCheckViolation(error, 'cards_used_within_issued')) throw refusal(TOTAL_BELOW_USED)
  if (isCheckViolation(error, 'cards_end_after_start'))
    return invalid(update.endTime === undefined ? 'startTime' : 'endTime', PERIOD_BACKWARDS)
  if (isCheckViolation(error, 'cards_valid_after_start'))
    return invalid(update.validityPeriod === undefined ? 'startTime' : 'validityPeriod', PERIOD_BACKWARDS)
  throw error
}
