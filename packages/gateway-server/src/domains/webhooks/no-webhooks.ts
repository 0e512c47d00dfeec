import type { WebhookPort } from './webhook-port.ts'

function fail(): never {
  throw new Error('This application was created without webhooks')
}

/** The webhooks of an application that has none. */
export const noWebhooks: WebhookPort = {
  get webhooks() {
    return fail()
  },
  get deliveries() {
    return fail()
  },
  get destinations() {
    return fail()
  },
  notices: undefined,
  getEnqueue: async () => fail(),
}
