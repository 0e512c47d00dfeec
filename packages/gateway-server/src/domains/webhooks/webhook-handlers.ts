import { NotFoundError } from '@mintmark/envelope'
import {
  type EventDelivery,
  type EventWebhook,
  EVENTS_EXPIRED as EXPIRED,
  eventWebhooks,
  TOO_MANY_EVENT_WEBHOOKS,
} from '@mintmark/events'
import type { InputOf } from '@mintmark/operation'
import {
  type FieldLimits,
  parseTime,
  parseTimeRange,
  type Refuse,
  readPageQuery,
  refusal,
  toPage,
  withPreparation,
} from '@mintmark/server-kit'
import { checkDestination, DestinationRefusedError, MAX_WEBHOOKS, type WebhookRow } from '@mintmark/webhooks'
import { type GatewayContext, implementWithLimits } from '../../http/context.ts'
import { ensureFound } from '../../http/ensure-found.ts'
import { findBounds } from '../events/events-store.ts'
import { matchTypes } from '../events/type-patterns.ts'
import {
  addTest,
  DELIVERY_ORDERS,
  findDelivery,
  listDeliveries,
  lockWebhook,
  redeliverEvents,
} from './deliveries-store.ts'
import { findNoticeProblem, isMailed } from './notices.ts'
import { toEventDelivery, toEventWebhook } from './records.ts'
import type { WebhookPorts } from './webhook-port.ts'

const MAX_OVERLAP_HOURS = 168
const DEFAULT_OVERLAP_HOURS = 24

const webhookLimits: FieldLimits = {
  after: { min: 0, integer: true },
  events: { items: 100, characters: 64 },
  maxPerSecond: { min: 0, max: 1000, integer: true },
  overlapHours: { min: 0, max: MAX_OVERLAP_HOURS, integer: true },
  upTo: { min: 0, integer: true },
}

type WebhookContext = GatewayContext & WebhookPorts & Refuse

async function getWebhook(id: number, { tenant, webhooks }: WebhookContext): Promise<WebhookRow> {
  return ensureFound(await webhooks.webhooks.find(tenant, tenant.project, id))
}

/** Returns a webhook that can receive messages. */
async function getEnabledWebhook(id: number, context: WebhookContext): Promise<WebhookRow> {
  const row = await getWebhook(id, context)
  if (row.status === 'DISABLED') {
    context.invalid('id', 'The webhook is disabled. Enable it with eventWebhooks.configure and its id')
  }
  return row
}

type ConfigureInput = InputOf<typeof eventWebhooks.configure>

/** Checks the event types and the destination: a name server may take seconds to respond. */
async function prepareWebhook({ id, url, events = [] }: ConfigureInput, context: WebhookContext) {
  const { webhooks: port, invalid } = context
  for (const [position, pattern] of events.entries()) matchTypes(pattern, `events.${position}`, invalid)
  if (id !== undefined) await getWebhook(id, context)
  if (isMailed(url)) {
    const problem = await findNoticeProblem(url, context.tenant.project, port.notices)
    return problem === undefined ? undefined : invalid('url', problem)
  }
  try {
    await checkDestination(url, port.destinations)
  } catch (error) {
    if (error instanceof DestinationRefusedError) return invalid('url', error.message)
    throw error
  }
}

async function configureWebhook(input: ConfigureInput, context: WebhookContext): Promise<EventWebhook> {
  const { id, url, description, maxPerSecond } = input
  const { tenant, webhooks: port } = context
  const limit = maxPerSecond === undefined ? {} : { maxPerSecond: maxPerSecond === 0 ? null : maxPerSecond }
  const terms = { url, events: input.events, description, ...limit }
  if (id !== undefined) {
    return toEventWebhook(ensureFound(await port.webhooks.change(tenant, tenant.project, id, terms)))
  }
  const added = await port.webhooks.add(tenant.db, tenant.project, terms)
  if (added === undefined) {
    throw refusal(TOO_MANY_EVENT_WEBHOOKS, `A project has at most ${MAX_WEBHOOKS} webhooks`)
  }
  return { ...toEventWebhook(added.row), secret: added.secret }
}

async function redeliverRange(input: InputOf<typeof eventWebhooks.redeliverRange>, context: WebhookContext) {
  const { tenant, webhooks: port } = context
  const { id, from, to, includeDelivered = false } = input
  const { id: webhook } = await getEnabledWebhook(id, context)
  const { oldest, newest } = await findBounds(tenant)
  const after = input.after ?? oldest - 1
  if (after < oldest - 1) throw refusal(EXPIRED, `The oldest stored event has the number ${oldest}`)
  const enqueue = await port.getEnqueue()
  const range = {
    after,
    upTo: Math.min(input.upTo ?? newest, newest),
    includeDelivered,
    from: from === undefined ? undefined : parseTime(from),
    to: to === undefined ? undefined : parseTime(to),
  }
  return await tenant.transaction(async (trx) => {
    const { started, next, hasMore } = await redeliverEvents(trx, webhook, range)
    await port.deliveries.enqueue(trx, { owner: trx.project, deliveries: started }, enqueue)
    return { deliveries: started.length, next, hasMore }
  })
}

async function redeliver(
  { id, deliveryId }: InputOf<typeof eventWebhooks.redeliver>,
  context: WebhookContext,
): Promise<EventDelivery> {
  const { tenant, webhooks: port } = context
  const webhook = await getEnabledWebhook(id, context)
  const enqueue = await port.getEnqueue()
  return await tenant.transaction(async (trx) => {
    const isRestarted = await port.deliveries.restart(trx, tenant.project, webhook.id, deliveryId)
    const row = ensureFound(isRestarted ? await findDelivery(trx, deliveryId) : undefined)
    await port.deliveries.enqueue(trx, { owner: trx.project, deliveries: [deliveryId] }, enqueue)
    return toEventDelivery(row)
  })
}

export const webhookRoutes = implementWithLimits<WebhookPorts>(webhookLimits)(eventWebhooks, {
  configure: withPreparation(prepareWebhook, configureWebhook),

  async list(_, { tenant, webhooks: port }) {
    const rows = await port.webhooks.list(tenant, tenant.project)
    return rows.map(toEventWebhook)
  },

  get: async ({ id }, context) => toEventWebhook(await getWebhook(id, context)),

  async remove({ id }, { tenant, webhooks: port }) {
    const isRemoved = await port.webhooks.remove(tenant.db, tenant.project, id)
    if (!isRemoved) throw refusal(NotFoundError)
    return {}
  },

  async deliveries({ id, ...input }, context) {
    const webhook = await getWebhook(id, context)
    const query = readPageQuery(input, DELIVERY_ORDERS, context.invalid)
    const filter = { webhook: webhook.id, status: input.status, ...parseTimeRange(input) }
    return toPage(query, await listDeliveries(context.tenant, filter, query), toEventDelivery)
  },

  redeliver,
  redeliverRange,

  async rotateSecret({ id, overlapHours = DEFAULT_OVERLAP_HOURS }, { tenant, webhooks: port }) {
    const rotated = ensureFound(
      await port.webhooks.rotateSecret(tenant, tenant.project, id, overlapHours * 3600),
    )
    return { ...toEventWebhook(rotated.row), secret: rotated.secret }
  },

  async sendTest({ id }, context) {
    const { tenant, webhooks: port } = context
    const webhook = await getEnabledWebhook(id, context)
    const enqueue = await port.getEnqueue()
    return await tenant.transaction(async (trx) => {
      await lockWebhook(trx, webhook.id)
      const { row, isNew } = await addTest(trx, webhook.id)
      if (isNew) await port.deliveries.enqueue(trx, { owner: trx.project, deliveries: [row.id] }, enqueue)
      return toEventDelivery(row)
    })
  },
})
