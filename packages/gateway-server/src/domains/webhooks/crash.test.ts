import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { accepts, hangs, type Received } from '@mintmark/devkit/testing'
import { eventWebhooks, verifyWebhook } from '@mintmark/events'
import { afterEach, expect, it, vi } from 'vitest'
import { createDeliveryFixture, type DeliveryFixture } from './testing-delivery.ts'
import { lostQuickly } from './testing-times.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const eventually = (assertion: () => unknown) => vi.waitFor(assertion, { timeout: 170_000, interval: 10 })
const idsOf = (received: readonly Received[]) => received.map(({ headers }) => headers['webhook-id'])

/** Opens a gateway that delivers nothing itself. */
async function openFixture(): Promise<DeliveryFixture> {
  const fixture = await createDeliveryFixture({ deliver: false, ...lostQuickly })
  closers.push(fixture.close)
  return fixture
}

/** Starts a process that delivers. Returns a function that kills it. */
async function startProcess({ gateway }: DeliveryFixture): Promise<() => Promise<void>> {
  const program = fileURLToPath(new URL('./testing-process.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=@mintmark/source', program], {
    env: { ...process.env, DATABASE_URL: gateway.url, SECRET_KEYS: gateway.secretKeys },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  closers.push(kill)
  const failed = ended.then(([code]) => Promise.reject(new Error(`The process ended with ${code}`)))
  await Promise.race([once(child.stdout, 'data'), failed])
  return kill
}

it('a process that is killed between the request and its record leaves the event to another one, which sends it again under its id', async () => {
  const fixture = await openFixture()
  const project = await fixture.createProject()
  const receiver = await fixture.openReceiver(hangs)
  const { id, secret = '' } = await eventWebhooks.configure(project.client, { url: receiver.url })
  const kill = await startProcess(fixture)
  await fixture.addEvents(project, 'order.paid')
  await eventually(() => expect(receiver.received).toHaveLength(1))
  await kill()
  const list = async () => (await eventWebhooks.deliveries(project.client, { id })).list
  expect(await list()).toMatchObject([{ status: 'PENDING', attempts: 0 }])

  receiver.behavior = accepts
  await startProcess(fixture)
  await eventually(async () => expect(await list()).toMatchObject([{ status: 'DELIVERED' }]))
  // A slow machine may take the second attempt for lost, too.
  expect(receiver.received.length).toBeGreaterThanOrEqual(2)
  expect(new Set(idsOf(receiver.received))).toEqual(new Set([`evt_${project.projectId}_1`]))
  for (const message of receiver.received) {
    await expect(verifyWebhook({ ...message, secrets: secret })).resolves.toMatchObject({ sequence: 1 })
  }
})

it('a process that is killed again and again loses no event of any transaction', async () => {
  const fixture = await openFixture()
  const project = await fixture.createProject()
  const receiver = await fixture.openReceiver()
  await eventWebhooks.configure(project.client, { url: receiver.url })
  for (let round = 1; round <= 2; round += 1) {
    const kill = await startProcess(fixture)
    const before = receiver.received.length
    await fixture.addEvents(project, ...Array.from({ length: 25 }, () => 'order.paid' as const))
    await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(before + 5))
    await kill()
  }
  await startProcess(fixture)
  const expected = Array.from({ length: 50 }, (_, index) => `evt_${project.projectId}_${index + 1}`)
  await eventually(() => expect(new Set(idsOf(receiver.received))).toEqual(new Set(expected)))
})
