import { type Behavior, type Receiver, receiver } from '@mintmark/devkit/testing'
import type { EventTypeName } from '@mintmark/events'
import { createLog, createSealer, openDatabase, transaction } from '@mintmark/server-kit'
import type { Delivering, WebhookSettings } from '@mintmark/webhooks'
import type { Tables } from '../../database/tables.ts'
import { createNotices } from '../../main/notices.ts'
import { TEST_URL, type TestGateway, type TestGatewayOptions, testGateway } from '../../testing/gateway.ts'
import { sampleProject } from '../../testing/samples/calls.ts'
import type { SampleProject } from '../../testing/samples/sample.ts'
import { addEvents } from '../events/sequencer.ts'
import { createAddDeliveries, createWebhookDelivery } from './delivering.ts'
import { quickWebhooks } from './testing-times.ts'

/** A gateway whose events are delivered, with receivers on sockets. */
export interface DeliveryFixture {
  readonly gateway: TestGateway
  readonly delivering: Delivering
  openReceiver(behavior?: Behavior): Promise<Receiver>
  createProject(): Promise<SampleProject>
  /** Adds events of these types to the feed of a project, in one transaction, as the sequencer does. */
  addEvents(project: SampleProject, ...types: readonly EventTypeName[]): Promise<void>
  closeReceivers(): Promise<void>
  /** Ends the fixture. Throws if an error was logged. */
  close(): Promise<void>
}

export async function createDeliveryFixture(
  settings: WebhookSettings = {},
  options: TestGatewayOptions = {},
): Promise<DeliveryFixture> {
  const gateway = await testGateway(options)
  const database = openDatabase<Tables>({ url: gateway.url, max: 5 })
  const errors: string[] = []
  const log = createLog('webhooks', 'error', { write: (line: string) => void errors.push(line) })
  const sealer = createSealer(gateway.secretKeys)
  const notices = createNotices(options.mail, { db: database.system, publicUrl: TEST_URL, log })
  const delivering = createWebhookDelivery({ database, sealer, log, notices, ...quickWebhooks, ...settings })
  await delivering.start()
  const receivers: Receiver[] = []
  let projects = 0
  return {
    gateway,
    delivering,
    async openReceiver(behavior) {
      const opened = await receiver(behavior)
      receivers.push(opened)
      return opened
    },
    async createProject() {
      projects += 1
      return await sampleProject(gateway, `webhooks ${projects}`)
    },
    async addEvents({ projectId }, ...types) {
      const events = types.map((type, index) => ({
        project: projectId,
        type,
        subject: `test/${index}`,
        data: { index, ...(type.startsWith('order.') && { orderNo: `${index}77` }) },
        occurredAt: '2026-01-01T00:00:00.000Z',
      }))
      const add = createAddDeliveries(delivering.enqueue)
      await transaction(gateway.owner.system, (trx) => addEvents(trx, events, add))
    },
    async closeReceivers() {
      await Promise.all(receivers.splice(0).map((each) => each.close()))
    },
    async close() {
      await delivering.stop()
      await Promise.all(receivers.splice(0).map((each) => each.close()))
      await database.close()
      await gateway.close()
      if (errors.length > 0) throw new Error(`Errors were logged: ${errors.join('')}`)
    },
  }
}
