import { waitForBlockedStatements } from '@mintmark/devkit/testing'
import { words } from '@mintmark/wallet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTenant } from '../../database/tenant.ts'
import { type TestGateway, testGateway } from '../../testing/gateway.ts'
import { sampleProject } from '../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../testing/samples/sample.ts'
import * as conversations from './messages/conversations-store.ts'
import * as messages from './messages/messages-store.ts'

let gateway: TestGateway
let project: SampleProject
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'reading')
})
afterAll(() => gateway.close())

const say = (sender: string, recipient: string, content = 'Hello') =>
  words.add(project.client, { sender, recipient, content })
const read = async (address: string, sender?: string) =>
  (await words.readAll(project.client, { address, ...(sender && { sender }) })).count
const unreadOf = async (address: string) =>
  Object.fromEntries(
    (await words.conversations(project.client, { address })).map(({ other, unreadCount }) => [
      other,
      unreadCount,
    ]),
  )

it('counts the messages of one sender or of all that became read, each once', async () => {
  const [ada, bea, cleo] = [newAddress(), newAddress(), newAddress()]
  await say(bea, ada)
  await say(bea, ada)
  await say(cleo, ada)
  await say(ada, bea)
  expect(await unreadOf(ada)).toEqual({ [bea]: 2, [cleo]: 1 })
  expect(await read(ada, bea.toUpperCase().replace('0X', '0x'))).toBe(2)
  expect(await unreadOf(ada)).toEqual({ [bea]: 0, [cleo]: 1 })
  await say(bea, ada)
  expect(await read(ada)).toBe(2)
  expect(await read(ada)).toBe(0)
  expect(await unreadOf(ada)).toEqual({ [bea]: 0, [cleo]: 0 })
  expect(await unreadOf(bea)).toEqual({ [ada]: 1 })
})

it('shows the sender which messages were read', async () => {
  const [ada, bea] = [newAddress(), newAddress()]
  await say(ada, bea, 'One')
  await read(bea)
  await say(ada, bea, 'Two')
  await say(bea, ada, 'Three')
  for (const address of [ada, bea]) {
    const { list } = await words.list(project.client, { address })
    expect(list.map(({ content, read }) => [content, read])).toEqual([
      ['Three', false],
      ['Two', false],
      ['One', true],
    ])
  }
})

it('excludes a message that was removed unread from the count', async () => {
  const [ada, bea] = [newAddress(), newAddress()]
  const [first, second] = [await say(ada, bea), await say(ada, bea)]
  await words.remove(project.client, { id: second.id, address: ada })
  expect(await unreadOf(bea)).toEqual({ [ada]: 1 })
  await words.remove(project.client, { id: first.id, address: bea })
  expect(await read(bea)).toBe(0)
  await say(ada, bea)
  expect(await unreadOf(bea)).toEqual({ [ada]: 1 })
})

it('returns 0 without messages', async () => {
  expect(await read(newAddress())).toBe(0)
  expect(await read(newAddress(), newAddress())).toBe(0)
})

it('waits for a message that is being sent and counts it', async () => {
  const [ada, bea] = [newAddress(), newAddress()]
  await say(ada, bea)
  let reading: Promise<number> | undefined
  await openTenant(gateway.database, project.projectId).transaction(async (trx) => {
    await conversations.open(trx, conversations.toSides(ada, bea))
    const writing = { sender: ada, content: 'Late', replyTo: undefined }
    const message = await messages.add(trx, writing, bea)
    reading = read(bea)
    await waitForBlockedStatements(gateway.owner.system)
    if (message) await conversations.show(trx, message)
  })
  expect(await reading).toBe(2)
  expect(await unreadOf(bea)).toEqual({ [ada]: 0 })
})

it('counts each message once under concurrent sends, reads and removals', async () => {
  const reader = newAddress()
  const writers = Array.from({ length: 4 }, newAddress)
  let becameRead = 0
  let sent = 0
  const removed: number[] = []
  const write = async (writer: string, at: number) => {
    const { id } = await say(writer, reader, String(at))
    sent += 1
    if (at % 2) await say(reader, writer)
    // Removed before or after it was read: then it was counted or not, never both.
    if (at % 5 === 0) {
      await words.remove(project.client, { id, address: at % 2 ? writer : reader })
      removed.push(id)
    }
  }
  const readNow = async (sender?: string) => {
    const count = await read(reader, sender)
    becameRead += count
  }
  await Promise.all(
    writers.flatMap((writer) => [
      ...Array.from({ length: 15 }, (_, at) => write(writer, at)),
      ...Array.from({ length: 8 }, (_, at) => readNow(at % 2 ? writer : undefined)),
    ]),
  )
  const left = Object.values(await unreadOf(reader)).reduce((sum, count) => sum + count, 0)
  expect(sent).toBe(60)
  expect(removed).toHaveLength(12)
  expect(becameRead + left).toBeGreaterThanOrEqual(sent - removed.length)
  expect(becameRead + left).toBeLessThanOrEqual(sent)
  expect(await read(reader)).toBe(left)
  expect(await read(reader)).toBe(0)
  expect(Object.values(await unreadOf(reader))).toEqual([0, 0, 0, 0])
})

it('counts exactly the sent messages if none is removed', async () => {
  const [ada, bea] = [newAddress(), newAddress()]
  const counts = await Promise.all([
    ...Array.from({ length: 40 }, async () => (await say(ada, bea)) && 0),
    ...Array.from({ length: 20 }, () => read(bea, ada)),
  ])
  const becameRead = counts.reduce((sum, count) => sum + count, 0)
  expect(becameRead + (await read(bea, ada))).toBe(40)
})
