import {
  CAMPAIGN_ENDED,
  CAMPAIGN_FULL,
  type Campaign,
  type CampaignTotals,
  campaigns,
  TOO_MANY_CAMPAIGNS,
} from '@mintmark/cards'
import { NotFoundError } from '@mintmark/envelope'
import type { InputOf } from '@mintmark/operation'
import { isCheckViolation, type Refuse, refusal } from '@mintmark/server-kit'
import type { GatewayContext } from '../../../http/context.ts'
import { toRecord } from '../../../http/record-mapping.ts'
import type { CardPorts } from '../card-ports.ts'
import { toNewCards } from '../programs/new-cards.ts'
import { PROGRAM_GROUPS } from '../programs/program-groups.ts'
import * as store from './campaigns-store.ts'

type Context = GatewayContext & CardPorts & Refuse
type ById = { readonly id: number }

const createNotFound = () => refusal(NotFoundError, 'No campaign has this id')

export const campaignHandlers = {
  async create(input: InputOf<typeof campaigns.create>, context: Context): Promise<Campaign> {
    const { name, cards } = input
    const program = findProgram(input.program)
    const prefixed = (field: string, message: string) => context.invalid(`card.${field}`, message)
    const [card] = await toNewCards(program, [input.card], { ...context, invalid: prefixed })
    // Each card has a code of its own.
    const template = JSON.stringify({ ...card, qr_code: undefined })
    const row = { name, program, template, max_cards: cards }
    const added = await context.tenant
      .transaction((trx) => store.addCampaign(trx, row))
      .catch((error: unknown) => refuseCards(error, context))
    if (added === 'full')
      throw refusal(
        TOO_MANY_CAMPAIGNS,
        `At most ${store.MAX_CAMPAIGNS} campaigns of a project have not ended`,
      )
    return toCampaign(added)
  },

  async update({ id, name, cards }: InputOf<typeof campaigns.update>, context: Context) {
    const row = await context.tenant
      .transaction((trx) => store.changeCampaign(trx, id, { name, max_cards: cards }))
      .catch((error: unknown) => refuseCards(error, context))
    if (row === undefined) throw createNotFound()
    return toCampaign(row)
  },

  async issue({ id, ...to }: InputOf<typeof campaigns.issue>, context: Context): Promise<Campaign> {
    const { tenant, caller } = context
    const row = await tenant
      .transaction(async (trx) => {
        const isOpen = await (to.recipients === undefined
          ? store.issueCards(trx, id, to.count)
          : store.issueTo(trx, id, { references: to.recipients, owner: caller.wallet }))
        return isOpen ? await store.findCampaign(trx, id) : undefined
      })
      .catch((error: unknown) => refuseCards(error, context))
    if (row) return toCampaign(row)
    throw (await store.findCampaign(tenant, id)) ? refusal(CAMPAIGN_ENDED) : createNotFound()
  },

  pause: ({ id }: ById, context: Context) => changeStatus(id, 'PAUSED', context),
  resume: ({ id }: ById, context: Context) => changeStatus(id, 'ACTIVE', context),
  end: ({ id }: ById, context: Context) => changeStatus(id, 'ENDED', context),

  async list(_: object, { tenant }: Context): Promise<Campaign[]> {
    return (await store.listCampaigns(tenant)).map(toCampaign)
  },

  async get({ id }: ById, { tenant }: Context): Promise<CampaignTotals> {
    const row = await store.findCampaign(tenant, id)
    if (row === undefined) throw createNotFound()
    return { ...toCampaign(row), ...(await store.readTotals(tenant, row)) }
  },
}

async function changeStatus(id: number, status: 'ACTIVE' | 'PAUSED' | 'ENDED', { tenant }: Context) {
  const row = await store.setStatus(tenant, id, status)
  if (row) return toCampaign(row)
  throw (await store.findCampaign(tenant, id)) ? refusal(CAMPAIGN_ENDED) : createNotFound()
}

/** Refuses more cards than the campaign or the server permits; rethrows any other error. */
function refuseCards(error: unknown, { invalid }: Refuse): never {
  if (isCheckViolation(error, 'campaigns_stores'))
    return invalid(
      'cards',
      'At most 5,000,000 cards times stores. Name fewer stores, or create several campaigns',
    )
  throw isCheckViolation(error, 'campaigns_cards') ? refusal(CAMPAIGN_FULL) : error
}

function findProgram(group: string): store.CampaignRow['program'] {
  const found = Object.entries(PROGRAM_GROUPS).find(([, name]) => name === group)
  if (found === undefined) throw new Error(`There is no program ${group}`)
  // The keys of the object are the programs.
  return found[0] as store.CampaignRow['program']
}

export function toCampaign(row: store.CampaignRow): Campaign {
  return toRecord(campaigns.Campaign, row, {
    cards: row.max_cards,
    issued: row.issued_cards,
    program: PROGRAM_GROUPS[row.program],
    requested: row.requested_cards,
  })
}
