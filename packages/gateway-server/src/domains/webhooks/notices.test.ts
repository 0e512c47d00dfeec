import { people, Role } from '@mintmark/admin'
import { eventWebhooks } from '@mintmark/events'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { addPerson } from '../../testing/console-person.ts'
import { testGateway } from '../../testing/gateway.ts'
import { sampleProject } from '../../testing/samples/calls.ts'
import type { SampleProject } from '../../testing/samples/sample.ts'
import { readText, type StubMailServer, startStubMailServer } from '../../testing/stub-mail-server.ts'
import { createDeliveryFixture, type DeliveryFixture } from './testing-delivery.ts'

let server: StubMailServer
let fixture: DeliveryFixture
beforeAll(async () => {
  server = await startStubMailServer()
  fixture = await createDeliveryFixture({}, { mail: { server: server.url, from: 'no-reply@shop.example' } })
})
afterAll(async () => {
  await fixture.close()
  await server.close()
})
afterEach(() => {
  server.fault = undefined
  server.mails.length = 0
})

const eventually = (assertion: () => unknown) => vi.waitFor(assertion, { timeout: 170_000, interval: 10 })

/** A project with a person, and a webhook that mails its paid orders to the person. */
async function createShop(email: string) {
  const project = await fixture.createProject()
  await addPerson(fixture.gateway, { email, role: Role.STAFF, project: project.projectId })
  const { id } = await configure(project, `mailto:${email}`)
  const delivery = async () => (await eventWebhooks.deliveries(project.client, { id })).list[0]
  return { project, id, delivery }
}

const configure = ({ client }: SampleProject, url: string) =>
  eventWebhooks.configure(client, { url, events: ['order.paid', 'card.*'] })

it('mails an event to a person of the project, once, with the page of the order', async () => {
  const { project, delivery } = await createShop('kim@shop.example')
  await fixture.addEvents(project, 'order.paid', 'order.created')
  await eventually(async () => expect(await delivery()).toMatchObject({ status: 'DELIVERED', attempts: 1 }))
  expect(server.mails).toHaveLength(1)
  const [mail] = server.mails
  expect(mail).toMatch(/^To: kim@shop.example$/m)
  expect(mail).toMatch(/^Subject: Order 077: The payment is final$/m)
  expect(readText(mail)).toContain(`http://gateway.test/console/p/${project.projectId}/orders/077\n`)
})

it('mails as many events as a busy shop has', async () => {
  const { project } = await createShop('busy@shop.example')
  await fixture.addEvents(project, ...Array.from({ length: 10 }, () => 'order.paid' as const))
  await eventually(() => expect(server.mails).toHaveLength(10))
})

it('mails an event of no order with the page of events, and a test', async () => {
  const { project, id } = await createShop('lee@shop.example')
  await fixture.addEvents(project, 'card.created')
  await eventually(() => expect(server.mails).toHaveLength(1))
  expect(server.mails[0]).toMatch(/^Subject: card.created: /m)
  expect(readText(server.mails[0])).toContain(`/console/p/${project.projectId}/events\n`)
  await eventWebhooks.sendTest(project.client, { id })
  await eventually(() => expect(server.mails).toHaveLength(2))
  expect(readText(server.mails[1])).toContain('webhook.test: A test message was requested.')
})

it('mails an event again until the mail server accepts it', async () => {
  const { project, delivery } = await createShop('ana@shop.example')
  server.fault = 'refuses the mail'
  await fixture.addEvents(project, 'order.paid')
  await eventually(async () =>
    expect(await delivery()).toMatchObject({ error: 'The mail server did not accept the mail' }),
  )
  server.fault = undefined
  await eventually(() => expect(server.mails).toHaveLength(1))
  await eventually(async () => expect(await delivery()).toMatchObject({ status: 'DELIVERED', error: '' }))
})

it('mails nothing to a person who has left the project', async () => {
  const { project, delivery } = await createShop('ben@shop.example')
  const member = (await people.list(project.client)).find(({ email }) => email === 'ben@shop.example')
  await people.remove(project.client, { personId: member?.personId ?? '' })
  await fixture.addEvents(project, 'order.paid')
  await eventually(async () =>
    expect(await delivery()).toMatchObject({ error: 'No person of the project has this address' }),
  )
  expect(server.mails).toEqual([])
})

it('refuses to mail events to anybody else than one person of the project', async () => {
  const { project } = await createShop('own@shop.example')
  await createShop('other@shop.example')
  for (const address of [
    'stranger@shop.example',
    'other@shop.example',
    'own@shop.example?bcc=stranger@shop.example',
    'own@shop.example,stranger@shop.example',
    'own%40shop.example',
    '',
  ]) {
    const configured = configure(project, `mailto:${address}`)
    await expect(configured, address).rejects.toThrow('url: No person of the project has this address')
  }
  await expect(configure(project, 'MAILTO:own@shop.example')).rejects.toThrow('url: The URL must use https')
})

it('refuses to mail events where the server sends no mails', async () => {
  const gateway = await testGateway()
  const project = await sampleProject(gateway, 'without mails')
  await expect(configure(project, 'mailto:kim@shop.example')).rejects.toThrow(
    'url: This server sends no mails',
  )
  await gateway.close()
})
