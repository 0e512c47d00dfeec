import { deepStrictEqual } from 'node:assert/strict'
import { type Behavior, type Received, type Receiver, receiver } from '@mintmark/devkit/testing'
import { webhooks as operations, verifyWebhook, type WebhookEvent } from '@mintmark/facilitator'
import type { FacilitatorClient } from '@mintmark/transport'
import { Webhook } from 'standardwebhooks'
import type { Account } from '../http/context/authentication.ts'
import type { WebhookOptions, Webhooks } from './index.ts'
import { type TestWebhooks, testWebhooks } from './testing.ts'

/** A webhook of an account of its own. */
export interface Hook {
  readonly account: Account
  readonly client: FacilitatorClient
  readonly id: number
  readonly secret: string
  deliveries(): Promise<readonly operations.Delivery[]>
  /** Whether all that there is has been delivered. */
  delivered(): Promise<boolean>
  /** The queues in which its jobs wait or are worked on. */
  unfinishedJobs(): Promise<string[]>
}

/** Webhooks that send, with receivers that end with each test. */
export interface SendingBed {
  readonly fixture: TestWebhooks
  readonly webhooks: Webhooks
  open(behavior?: Behavior): Promise<Receiver>
  hook(to: Receiver, events?: string[]): Promise<Hook>
  closeReceivers(): Promise<void>
}

export async function sendingBed(options: Partial<WebhookOptions> = {}): Promise<SendingBed> {
  const fixture = await testWebhooks()
  const webhooks = fixture.another(options)
  await webhooks.start()
  const receivers: Receiver[] = []
  return {
    fixture,
    webhooks,
    async open(behavior) {
      const opened = await receiver(behavior)
      receivers.push(opened)
      return opened
    },
    async hook({ url }, events) {
      const { account, client } = await fixture.account(webhooks)
      const { id, secret = '' } = await operations.configure(client, { url, ...(events && { events }) })
      const deliveries = async () => (await operations.deliveries(client, { id })).list
      return {
        account,
        client,
        id,
        secret,
        deliveries,
        delivered: async () => (await deliveries()).every(({ status }) => status === 'DELIVERED'),
        async unfinishedJobs() {
          const { rows } = await fixture.database.pool.query<{ name: string }>(
            `select name from facilitator_jobs.job where state in ('created', 'retry', 'active') and group_id = $1`,
            [String(id)],
          )
          return rows.map(({ name }) => name)
        },
      }
    },
    async closeReceivers() {
      await Promise.all(receivers.splice(0).map((each) => each.close()))
    },
  }
}

/** What was received: verified by the npm package and by ours, which must agree. */
export async function verified(message: Received, secret: string): Promise<WebhookEvent> {
  const theirs = new Webhook(secret).verify(message.body, message.headers as Record<string, string>)
  const ours = await verifyWebhook({ body: message.body, headers: message.headers, secrets: secret })
  deepStrictEqual(ours, theirs)
  return ours
}
