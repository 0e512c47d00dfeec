import { fans, walletInfo, words } from '@mintmark/wallet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { sampleProject } from '../../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../../testing/samples/sample.ts'

let gateway: TestGateway
let project: SampleProject
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'words')
})
afterAll(() => gateway.close())

const say = (sender: string, recipient: string, content = 'Hello', replyTo?: number) =>
  words.add(project.client, { sender, recipient, content, ...(replyTo !== undefined && { replyTo }) })
const leave = (sender: string, groupId: string, content = 'Hello', replyTo?: number) =>
  words.addToGroup(project.client, { sender, groupId, content, ...(replyTo !== undefined && { replyTo }) })
const remove = (id: number, address: string) => words.remove(project.client, { id, address })
const between = async (address: string, other: string) =>
  (await words.records(project.client, { address, other })).list.map(({ content }) => content)
const conversationsOf = (address: string) => words.conversations(project.client, { address })
const refusedReply = { kind: 'InvalidInput', issues: [{ path: 'replyTo' }] }

it('a message contains the names and photos of both wallets at the time of sending', async () => {
  const [ada, bea] = [newAddress(), newAddress()]
  await walletInfo.add(project.client, {
    address: ada,
    name: 'Ada',
    profilePhoto: 'https://example.com/1.png',
  })
  const first = await say(ada, bea)
  await walletInfo.edit(project.client, { address: ada, name: 'Ada II' })
  await walletInfo.add(project.client, { address: bea, name: 'Bea' })
  await say(ada, bea)
  const { list } = await words.records(project.client, { address: bea, other: ada })
  expect(list).toMatchObject([
    { senderName: 'Ada II', recipientName: 'Bea' },
    { senderName: 'Ada', senderPhoto: 'https://example.com/1.png', recipientName: '', recipientPhoto: '' },
  ])
  expect(list[1]).toEqual(first)
  expect(first).toMatchObject({ senderIsNftImage: false, senderGrade: '', recipientGrade: '' })
})

it('a message has at most 4,000 characters, with an emoji as one', async () => {
  const [ada, bea] = [newAddress(), newAddress()]
  const content = '🖼'.repeat(4000)
  expect(await say(ada, bea, content)).toMatchObject({ content })
  expect(await leave(ada, 'long', content)).toMatchObject({ content })
  await expect(say(ada, bea, `${content}🖼`)).rejects.toMatchObject({ issues: [{ path: 'content' }] })
  await expect(say(ada, bea, '')).rejects.toMatchObject({ issues: [{ path: 'content' }] })
})

it('a message cannot be sent to oneself, with the address in any case', async () => {
  const ada = newAddress()
  const toSelf = say(ada, ada.toUpperCase().replace('0X', '0x'))
  await expect(toSelf).rejects.toMatchObject({ kind: 'InvalidInput', issues: [{ path: 'recipient' }] })
  expect(await conversationsOf(ada)).toEqual([])
})

it('a message can reply to a message of its conversation from either side', async () => {
  const [ada, bea, cleo] = [newAddress(), newAddress(), newAddress()]
  const question = await say(ada, bea)
  expect(await say(bea, ada, 'Yes', question.id)).toMatchObject({ replyTo: question.id })
  expect(await say(ada, bea, 'Also', question.id)).toMatchObject({ replyTo: question.id })
  await expect(say(ada, cleo, 'Yes', question.id)).rejects.toMatchObject(refusedReply)
  await expect(say(cleo, ada, 'Yes', question.id)).rejects.toMatchObject(refusedReply)
  await expect(leave(ada, 'a group', 'Yes', question.id)).rejects.toMatchObject(refusedReply)
  expect(await conversationsOf(cleo)).toEqual([])
})

it('a message cannot reply to a message that its sender cannot see', async () => {
  const [ada, bea] = [newAddress(), newAddress()]
  const [hidden, gone] = [await say(ada, bea), await say(ada, bea)]
  await remove(hidden.id, bea)
  await remove(gone.id, ada)
  await expect(say(bea, ada, 'Yes', hidden.id)).rejects.toMatchObject(refusedReply)
  expect(await say(ada, bea, 'Well?', hidden.id)).toMatchObject({ replyTo: hidden.id })
  await expect(say(ada, bea, 'Well?', gone.id)).rejects.toMatchObject(refusedReply)
})

it('a message of a group is visible to everyone, the newest first, and belongs to no conversation', async () => {
  const [ada, bea, group] = [newAddress(), newAddress(), newAddress()]
  const first = await leave(ada, group, 'One')
  await leave(bea, group, 'Two', first.id)
  await leave(bea, `${group} `, 'Elsewhere')
  const { list } = await words.groupRecords(project.client, { groupId: group })
  expect(list).toMatchObject([
    { content: 'Two', sender: bea, replyTo: first.id, groupId: group, recipient: '' },
    { content: 'One', sender: ada, replyTo: 0 },
  ])
  expect(await conversationsOf(ada)).toEqual([])
  expect((await words.list(project.client, { address: ada })).list).toEqual([])
})

it('a message of a group can reply to a message of the same group', async () => {
  const [ada, group] = [newAddress(), newAddress()]
  const [first, gone] = [await leave(ada, group), await leave(ada, group)]
  await remove(gone.id, ada)
  await expect(leave(ada, newAddress(), 'Yes', first.id)).rejects.toMatchObject(refusedReply)
  await expect(leave(ada, group, 'Yes', gone.id)).rejects.toMatchObject(refusedReply)
  const direct = await say(ada, newAddress())
  await expect(leave(ada, group, 'Yes', direct.id)).rejects.toMatchObject(refusedReply)
})

it('a message of a group is removed by its sender only, for everyone and once', async () => {
  const [ada, bea, group] = [newAddress(), newAddress(), newAddress()]
  const { id } = await leave(ada, group)
  await expect(remove(id, bea)).rejects.toMatchObject({ kind: 'Forbidden', status: 403 })
  await remove(id, ada)
  await expect(remove(id, ada)).rejects.toMatchObject({ kind: 'NotFound' })
  expect((await words.groupRecords(project.client, { groupId: group })).totalRow).toBe(0)
})

it('removing a message hides it from the recipient only, or from both if the sender removes it', async () => {
  const [ada, bea] = [newAddress(), newAddress()]
  const first = await say(ada, bea, 'One')
  const second = await say(ada, bea, 'Two')
  await remove(first.id, bea)
  expect([await between(ada, bea), await between(bea, ada)]).toEqual([['Two', 'One'], ['Two']])
  await expect(remove(first.id, bea)).rejects.toMatchObject({ kind: 'NotFound' })
  await remove(first.id, ada)
  await remove(second.id, ada)
  expect([await between(ada, bea), await between(bea, ada)]).toEqual([[], []])
  await expect(remove(second.id, bea)).rejects.toMatchObject({ kind: 'NotFound' })
  for (const address of [ada, bea]) {
    expect((await words.list(project.client, { address })).totalRow).toBe(0)
    expect(await conversationsOf(address)).toEqual([])
  }
})

it('removing a message is possible for its two parties only', async () => {
  const [ada, bea] = [newAddress(), newAddress()]
  const { id } = await say(ada, bea)
  await expect(remove(id, newAddress())).rejects.toMatchObject({ kind: 'NotFound' })
  expect(await between(bea, ada)).toEqual(['Hello'])
})

it('removing a message keeps the replies to it', async () => {
  const [ada, bea] = [newAddress(), newAddress()]
  const question = await say(ada, bea, 'Well?')
  await say(bea, ada, 'Yes', question.id)
  await remove(question.id, ada)
  const { list } = await words.records(project.client, { address: ada, other: bea })
  expect(list).toMatchObject([{ content: 'Yes', replyTo: question.id }])
})

it('removing a message succeeds once under concurrent calls', async () => {
  const [ada, bea] = [newAddress(), newAddress()]
  const { id } = await say(ada, bea)
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => remove(id, ada)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

it('conversations are one per other wallet with the last visible message, the newest first', async () => {
  const [ada, bea, cleo] = [newAddress(), newAddress(), newAddress()]
  await walletInfo.add(project.client, { address: bea, name: 'Bea', profilePhoto: 'https://b.example/1' })
  await say(bea, ada, 'From Bea')
  await say(cleo, ada, 'From Cleo')
  const last = await say(ada, bea, 'To Bea')
  expect(await conversationsOf(ada)).toMatchObject([
    { other: bea, name: 'Bea', photo: 'https://b.example/1', unreadCount: 1, lastMessage: last },
    { other: cleo, name: '', photo: '', unreadCount: 1, lastMessage: { content: 'From Cleo' } },
  ])
  await remove(last.id, ada)
  expect((await conversationsOf(ada)).map(({ lastMessage }) => lastMessage.content)).toEqual([
    'From Cleo',
    'From Bea',
  ])
  expect(await conversationsOf(bea)).toMatchObject([{ unreadCount: 0, lastMessage: { content: 'From Bea' } }])
})

it('conversations do not depend on follows', async () => {
  const [ada, bea] = [newAddress(), newAddress()]
  await fans.add(project.client, { fan: ada, address: bea })
  expect(await conversationsOf(ada)).toEqual([])
})

it('conversations paginate with each message once', async () => {
  const [ada, bea] = [newAddress(), newAddress()]
  for (let at = 1; at <= 7; at++) await say(at % 2 ? ada : bea, at % 2 ? bea : ada, String(at))
  const contents: string[] = []
  const all = words.records.items(project.client, { address: ada, other: bea, pageSize: 3 })
  for await (const { content } of all) contents.push(content)
  expect(contents).toEqual(['7', '6', '5', '4', '3', '2', '1'])
  const jump = await words.list(project.client, {
    address: ada,
    pageSize: 3,
    pageNumber: 2,
    orderBy: 'id',
  })
  expect(jump.list.map(({ content }) => content)).toEqual(['4', '5', '6'])
})
