import {
  Id,
  Integer,
  NotFoundError,
  Positive,
  record,
  type Schema,
  serverOnly,
  Text,
  Timestamp,
} from '@mintmark/envelope'
import { gatewayOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'
import { templateFields } from './card-fields.ts'
import { CAMPAIGN_ENDED, CAMPAIGN_FULL, TOO_MANY_CAMPAIGNS } from './rules.ts'

/** Whether the cards of a campaign are accepted. `ENDED` is final. */
export type CampaignStatus = 'ACTIVE' | 'PAUSED' | 'ENDED'

// A newer server may return further values, so the types of the record are open.
const status: Schema<CampaignStatus | (string & {})> = v.string()

const campaignFields = {
  /** The most cards that can be issued. */
  cards: Integer,
  /** When the campaign was created. */
  createTime: Timestamp,
  /** The campaign's id. */
  id: Integer,
  /** The number of issued cards. Grows to `requested` while a job issues cards. */
  issued: Integer,
  /** The campaign's name. */
  name: v.string(),
  /** The program of the cards, such as `promoCodeCards`. */
  program: v.string(),
  /** The project that the campaign belongs to. */
  projectId: Integer,
  /** The number of cards that `issue` was called for. */
  requested: Integer,
  /** `ACTIVE`, `PAUSED` or `ENDED`. */
  status,
  /** When the campaign was last changed. */
  updateTime: Timestamp,
}
const campaign = record(campaignFields)
/** A campaign: one template and any number of cards. */
export interface Campaign extends v.InferOutput<typeof campaign> {}
export const Campaign: Schema<Campaign> = campaign

const campaignRefusals = record({
  /** The number of refused verifications. */
  count: Integer,
  /** Why they were refused. */
  reason: v.string(),
})
/** How many cards of a campaign were refused for a reason. */
export interface CampaignRefusals extends v.InferOutput<typeof campaignRefusals> {}
export const CampaignRefusals: Schema<CampaignRefusals> = campaignRefusals

const campaignDay = record({
  /** The day in the time zone of the store, such as `2026-11-29`. */
  day: v.string(),
  /** The number of refused verifications. */
  refused: Integer,
  /** The store; `''` for verifications without one. */
  store: v.string(),
  /** The number of uses of that day, without those that were reversed. */
  used: Integer,
})
/** What happened to the cards of a campaign in a store on a day. */
export interface CampaignDay extends v.InferOutput<typeof campaignDay> {}
export const CampaignDay: Schema<CampaignDay> = campaignDay

const campaignTotals = record({
  ...campaignFields,
  /** The number of cards that are valid now; 0 unless the campaign is `ACTIVE`. */
  active: Integer,
  /** The totals of each store and day, newest day first: the first 1,000. */
  days: v.array(CampaignDay),
  /** The number of cards whose validity has ended. */
  expired: Integer,
  /** The refusals by reason. */
  refused: v.array(CampaignRefusals),
  /** The number of uses, without those that were reversed. */
  used: Integer,
})
/** A campaign with its totals. */
export interface CampaignTotals extends v.InferOutput<typeof campaignTotals> {}
export const CampaignTotals: Schema<CampaignTotals> = campaignTotals

const params = {
  /** The campaign's id. */
  id: Id,
}

const template = v.strictObject({
  ...templateFields,
  /** The value of commemorative cards. Default: 0. */
  amount: v.optional(v.number()),
  /** What the holders of membership cards get. */
  benefits: v.optional(v.array(Text)),
  /** URL of the picture of commemorative cards. */
  imageUrl: v.optional(v.string()),
  /** The level of membership cards. */
  level: v.optional(v.string()),
})

/**
 * Creates a campaign: a template for up to `cards` cards of one program. It has no cards until `issue`. At most
 * 5,000,000 cards times `applicableStores`. `TOO_MANY_CAMPAIGNS` at the limit of 1,000 campaigns that have not
 * ended.
 *
 * @example
 * const { id } = await campaigns.create(gateway, {
 *   name: 'Summer',
 *   program: 'promoCodeCards',
 *   cards: 500,
 *   card: { name: 'A free coffee', startTime: '2026-06-01T00:00:00Z', endTime: '2026-09-01T00:00:00Z', totalIssued: 1 },
 * })
 */
export const create = gatewayOperation({
  id: 'campaigns.create',
  method: 'POST',
  path: '/api/v1/card/campaigns',
  source: 'added',
  scope: 'cards:write',
  body: {
    /** What all cards of the campaign have in common. */
    card: template,
    /** The most cards that can be issued: 1 to 1,000,000. */
    cards: Positive,
    /** The campaign's name. */
    name: Text,
    /** The program of the cards. */
    program: v.picklist(['promoCodeCards', 'eventCards', 'commemorativeCards', 'membershipCards']),
  },
  data: Campaign,
  errors: [TOO_MANY_CAMPAIGNS],
})
export type CreateCampaignInput = InputOf<typeof create>

/**
 * Replaces the given fields of a campaign and keeps the others. Issued cards do not change. NotFoundError if
 * it does not exist. `CAMPAIGN_FULL` if `cards` would be below the number of requested cards.
 *
 * @example
 * await campaigns.update(gateway, { id: 7, cards: 1000 })
 */
export const update = gatewayOperation({
  id: 'campaigns.update',
  method: 'POST',
  path: '/api/v1/card/campaigns/{id}',
  source: 'added',
  idempotent: true,
  scope: 'cards:write',
  params,
  body: {
    /** The most cards that can be issued: 1 to 1,000,000. */
    cards: v.optional(Positive),
    /** The campaign's name. */
    name: v.optional(Text),
  },
  data: Campaign,
  errors: [NotFoundError, CAMPAIGN_FULL],
})
export type UpdateCampaignInput = InputOf<typeof update>

/**
 * Issues further cards of a campaign, each with a code of its own: `count` of them, or one for each of the
 * `recipients`. The first 500 exist when the call returns; a job issues the others in parts, and continues after
 * a restart. `issued` of `list` is the progress. NotFoundError if the campaign does not exist. `CAMPAIGN_ENDED`
 * if it has ended. `CAMPAIGN_FULL` if it would have more than `cards` cards: set them to the number that you
 * need, so that nobody issues more.
 *
 * @example
 * await campaigns.issue(gateway, { id: 7, count: 500 })
 * // The `reference` of each card is its recipient, by which `search` finds it.
 * await campaigns.issue(gateway, { id: 7, recipients: ['customer-1001', 'customer-1002'] })
 */
export const issue = gatewayOperation({
  id: 'campaigns.issue',
  method: 'POST',
  path: '/api/v1/card/campaigns/{id}/issue',
  source: 'added',
  scope: 'cards:write',
  params,
  body: {
    /** The number of cards to issue. Required without `recipients`. */
    count: v.optional(Positive),
    /**
     * Your references of 1 to 500 people who get a card each, such as customer numbers. A person who has a card of
     * the campaign gets no other, whoever issued it, so that a list may be sent again. Required without `count`.
     */
    recipients: v.optional(v.pipe(v.array(Text), v.minLength(1))),
  },
  data: Campaign,
  ...serverOnly({ oneOf: ['count', 'recipients'] }),
  errors: [NotFoundError, CAMPAIGN_ENDED, CAMPAIGN_FULL],
})
export type IssueCampaignInput = InputOf<typeof issue>

/**
 * Pauses a campaign: its cards are refused as `campaign_paused` until `resume`. NotFoundError if it does not
 * exist. `CAMPAIGN_ENDED` if it has ended.
 *
 * @example
 * await campaigns.pause(gateway, { id: 7 })
 */
export const pause = gatewayOperation({
  id: 'campaigns.pause',
  method: 'POST',
  path: '/api/v1/card/campaigns/{id}/pause',
  source: 'added',
  idempotent: true,
  scope: 'cards:write',
  params,
  data: Campaign,
  errors: [NotFoundError, CAMPAIGN_ENDED],
})
export type PauseCampaignInput = InputOf<typeof pause>

/**
 * Resumes a paused campaign. NotFoundError if it does not exist. `CAMPAIGN_ENDED` if it has ended.
 *
 * @example
 * await campaigns.resume(gateway, { id: 7 })
 */
export const resume = gatewayOperation({
  id: 'campaigns.resume',
  method: 'POST',
  path: '/api/v1/card/campaigns/{id}/resume',
  source: 'added',
  idempotent: true,
  scope: 'cards:write',
  params,
  data: Campaign,
  errors: [NotFoundError, CAMPAIGN_ENDED],
})
export type ResumeCampaignInput = InputOf<typeof resume>

/**
 * Ends a campaign for good: its cards are refused as `campaign_ended`, and no others are issued.
 * NotFoundError if it does not exist.
 *
 * @example
 * await campaigns.end(gateway, { id: 7 })
 */
export const end = gatewayOperation({
  id: 'campaigns.end',
  method: 'POST',
  path: '/api/v1/card/campaigns/{id}/end',
  source: 'added',
  idempotent: true,
  scope: 'cards:write',
  params,
  data: Campaign,
  errors: [NotFoundError],
})
export type EndCampaignInput = InputOf<typeof end>

/**
 * Lists the newest 1,000 campaigns, newest first.
 *
 * @example
 * for (const { name, issued } of await campaigns.list(gateway)) console.log(name, issued)
 */
export const list = gatewayOperation({
  id: 'campaigns.list',
  method: 'GET',
  path: '/api/v1/card/campaigns',
  source: 'added',
  scope: 'cards:read',
  data: v.array(Campaign),
})

/**
 * Returns a campaign with its totals. Counts all of its cards: use `list` to follow the progress of `issue`.
 * `search` of its program lists its cards by `campaignId`. NotFoundError if it does not exist.
 *
 * @example
 * const { issued, active, used, refused, days } = await campaigns.get(gateway, { id: 7 })
 */
export const get = gatewayOperation({
  id: 'campaigns.get',
  method: 'GET',
  path: '/api/v1/card/campaigns/{id}',
  source: 'added',
  scope: 'cards:read',
  params,
  data: CampaignTotals,
  errors: [NotFoundError],
})
export type GetCampaignInput = InputOf<typeof get>
