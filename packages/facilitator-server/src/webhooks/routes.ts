import { NotFoundError } from '@mintmark/envelope'
import {
  type Delivery,
  type EventType,
  TOO_MANY_WEBHOOKS,
  WEBHOOK_URL_REFUSED,
  type Webhook,
} from '@mintmark/facilitator'
import * as operations from '@mintmark/facilitator/webhooks'
import {
  findPage,
  pageOf,
  type Refuse,
  type Route,
  readPageQuery,
  type Sealer,
  transaction,
} from '@mintmark/server-kit'
import type { PgBoss } from 'pg-boss'
import { accountOf, type FacilitatorContext, implement } from '../context.ts'
import { type DeliveryRow, restartDelivery } from './delivery-store.ts'
import { checkDestination, DestinationRefused, type DestinationRules } from './destination.ts'
import { eventTypes, isEventType } from './event-types.ts'
import { type JobTimes, planAttempts } from './jobs.ts'
import {
  addWebhook,
  changeWebhook,
  findWebhook,
  listWebhooks,
  removeWebhook,
  WEBHOOKS_AN_ACCOUNT,
  type WebhookRow,
} from './webhook-store.ts'

export interface WebhookRouteOptions {
  readonly boss: PgBoss
  readonly sealer: Sealer
  readonly destinations: DestinationRules
  readonly jobTimes: JobTimes
}

const deliveryOrders = { createTime: 'created_at', id: 'id' }

/** The webhooks' operations. All of them see the caller's own webhooks alone: another account's is not there. */
export function webhookRoutes({
  boss,
  sealer,
  destinations,
  jobTimes,
}: WebhookRouteOptions): readonly Route<FacilitatorContext>[] {
  return implement(operations, {
    async configure({ id, ...terms }, context) {
      const { id: account } = accountOf(context)
      refuseUnknownTypes(terms.events ?? [], context.invalid)
      if (id !== undefined && (await findWebhook(context.db, account, id)) === undefined) {
        return context.refuse(NotFoundError)
      }
      try {
        await checkDestination(terms.url, destinations)
      } catch (error) {
        if (error instanceof DestinationRefused) return context.refuse(WEBHOOK_URL_REFUSED, error.message)
        throw error
      }
      if (id !== undefined) {
        const row = await changeWebhook(context.db, account, id, terms)
        return row === undefined ? context.refuse(NotFoundError) : webhookOf(row)
      }
      const added = await addWebhook(context.db, sealer, account, terms)
      if (added === undefined) {
        return context.refuse(TOO_MANY_WEBHOOKS, `An account has at most ${WEBHOOKS_AN_ACCOUNT} webhooks`)
      }
      return { ...webhookOf(added.row), secret: added.secret }
    },

    async list(_, context) {
      const rows = await listWebhooks(context.db, accountOf(context).id)
      return rows.map(webhookOf)
    },

    eventTypes: (): EventType[] => eventTypes,

    get: async ({ id }, context) => webhookOf(await webhookOfCaller(id, context)),

    async remove({ id }, context) {
      const removed = await removeWebhook(context.db, accountOf(context).id, id)
      return removed ? {} : context.refuse(NotFoundError)
    },

    async deliveries({ id, ...asked }, context) {
      const webhook = await webhookOfCaller(id, context)
      const query = readPageQuery(asked, deliveryOrders, context.invalid)
      const table = 'facilitator.deliveries' as const
      const rows = context.db.selectFrom(table).selectAll().where('webhook_id', '=', webhook.id)
      return pageOf(query, await findPage(context.db, table, rows, query), deliveryOf)
    },

    async redeliver({ id, deliveryId }, context) {
      const webhook = await webhookOfCaller(id, context)
      if (webhook.status === 'DISABLED') {
        context.invalid('id', 'The webhook is disabled; webhooks.configure with its id enables it')
      }
      return await transaction(context.db, async (trx) => {
        const row = await restartDelivery(trx, webhook.id, deliveryId)
        if (row === undefined) return context.refuse(NotFoundError)
        const failing = webhook.failing_since !== null
        const next = { delivery: row.id, turn: row.turn, webhook: webhook.id, failing, after: 0 }
        await planAttempts(boss, trx, [next], jobTimes)
        return deliveryOf(row)
      })
    },
  })
}

type Refusing = FacilitatorContext & Refuse<(typeof operations.get.errors)[0]>

async function webhookOfCaller(id: number, context: Refusing): Promise<WebhookRow> {
  const row = await findWebhook(context.db, accountOf(context).id, id)
  return row ?? context.refuse(NotFoundError)
}

function refuseUnknownTypes(events: readonly string[], invalid: Refuse<never>['invalid']): void {
  for (const [position, type] of events.entries()) {
    if (!isEventType(type))
      invalid(`events.${position}`, `There is no event type ${JSON.stringify(type.slice(0, 64))}`)
  }
}

function webhookOf(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    description: row.description,
    status: row.status,
    createTime: row.created_at.toISOString(),
    updateTime: row.updated_at.toISOString(),
  }
}

function deliveryOf(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    eventId: `evt_${row.event_id}`,
    eventType: row.event_type,
    status: row.status,
    attempts: row.attempts,
    responseStatus: row.response_status,
    error: row.error,
    createTime: row.created_at.toISOString(),
    ...(row.last_attempt_at !== null && { lastAttemptTime: row.last_attempt_at.toISOString() }),
    ...(row.next_attempt_at !== null && { nextAttemptTime: row.next_attempt_at.toISOString() }),
  }
}
