import assert from 'node:assert/strict'
import { addressBook, fans, follows, walletInfo, words } from '@mintmark/wallet'
import { newAddress, type Sample, type SampleProject, sample } from './sample.ts'

const LONG_ADDRESS = `0x${'1'.repeat(127)}`
const TOO_LONG = 'é'.repeat(4001)

async function anEntry({ client }: SampleProject) {
  return await addressBook.add(client, { owner: newAddress(), address: newAddress(), name: 'Ada' })
}

async function aFan({ client }: SampleProject) {
  const pair = { fan: newAddress(), address: newAddress() }
  await fans.add(client, pair)
  return pair
}

async function aFollow({ client }: SampleProject) {
  const target = { address: newAddress(), nftAddress: newAddress(), nftId: '7' }
  await follows.add(client, target)
  return target
}

async function aMessage({ client }: SampleProject) {
  return await words.add(client, { sender: newAddress(), recipient: newAddress(), content: 'Hello' })
}

/** That a page, or a list, holds what the sample made and nothing else. */
const holdsOne = (data: { list: readonly unknown[] } | readonly unknown[]) =>
  assert.equal(('list' in data ? data.list : data).length, 1)
/** That an answer has these fields, among others. */
const has = (data: unknown, fields: object) => assert.partialDeepStrictEqual(data, fields)

export const walletSamples: readonly Sample[] = [
  sample(walletInfo.get, {
    async given({ client }) {
      const { address } = await walletInfo.add(client, { address: newAddress(), name: 'Ada' })
      return { address }
    },
    elsewhere: 'not found',
  }),
  sample(walletInfo.add, {
    given: () => ({
      address: newAddress(),
      background: 'https://example.com/background.png',
      description: 'Collects prints.',
      email: 'ada@example.com',
      name: 'Ada',
      profilePhoto: 'https://example.com/ada.png',
      showcaseBackground: 'https://example.com/showcase.png',
    }),
    elsewhere: 'own',
    refused: [
      ['address', { address: LONG_ADDRESS }],
      ['name', { name: 'é'.repeat(201) }],
      ['description', { description: TOO_LONG }],
    ],
    answers: (data, input) => assert.deepEqual(data, input),
  }),
  sample(walletInfo.edit, {
    async given({ client }) {
      const { address } = await walletInfo.add(client, { address: newAddress(), name: 'Ada' })
      return { address, name: 'Ada Collector' }
    },
    elsewhere: 'not found',
    refused: [['profilePhoto', { profilePhoto: TOO_LONG }]],
    answers: (data) => has(data, { name: 'Ada Collector', email: '' }),
  }),
  sample(addressBook.add, {
    given: () => ({ owner: newAddress(), address: newAddress(), name: 'Ada', remark: 'From the fair.' }),
    elsewhere: 'own',
    refused: [
      ['owner', { owner: LONG_ADDRESS }],
      ['address', { address: LONG_ADDRESS }],
      ['name', { name: 'é'.repeat(201) }],
      ['remark', { remark: TOO_LONG }],
    ],
    answers: (data, input) => has(data, input),
  }),
  sample(addressBook.remove, {
    given: async (project) => ({ id: (await anEntry(project)).id }),
    elsewhere: 'not found',
    answers: (data) => assert.deepEqual(data, {}),
  }),
  sample(addressBook.importFollowing, {
    given: async (project) => ({ owner: (await aFan(project)).fan }),
    elsewhere: 'empty',
    answers: holdsOne,
  }),
  sample(addressBook.get, {
    given: async (project) => ({ id: (await anEntry(project)).id }),
    elsewhere: 'not found',
    answers: (data, { id }) => has(data, { id, name: 'Ada', remark: '' }),
  }),
  sample(addressBook.list, {
    given: async (project) => ({ owner: (await anEntry(project)).owner, keyword: 'AD' }),
    elsewhere: 'empty',
    refused: [['orderBy', { orderBy: 'remark' }]],
    answers: holdsOne,
  }),
  sample(addressBook.update, {
    given: async (project) => ({ id: (await anEntry(project)).id, remark: 'Moved.', address: newAddress() }),
    elsewhere: 'not found',
    refused: [
      ['address', { address: LONG_ADDRESS }],
      ['name', { name: 'é'.repeat(201) }],
      ['remark', { remark: TOO_LONG }],
    ],
    answers: (data, input) => has(data, { ...input, name: 'Ada' }),
  }),
  sample(fans.add, {
    given: () => ({ fan: newAddress(), address: newAddress() }),
    elsewhere: 'own',
    refused: [
      ['fan', { fan: LONG_ADDRESS }],
      ['address', { address: LONG_ADDRESS }],
    ],
    answers: (data, input) => has(data, input),
  }),
  sample(fans.isFan, {
    given: aFan,
    elsewhere: { data: { isFan: false } },
    answers: (data) => assert.deepEqual(data, { isFan: true }),
  }),
  sample(fans.list, {
    given: async (project) => ({ address: (await aFan(project)).address }),
    elsewhere: 'empty',
    refused: [['orderBy', { orderBy: 'fan' }]],
    answers: holdsOne,
  }),
  sample(fans.following, {
    given: async (project) => ({ address: (await aFan(project)).fan }),
    elsewhere: 'empty',
    answers: holdsOne,
  }),
  sample(fans.remove, {
    given: aFan,
    elsewhere: { data: {} },
    answers: (data) => assert.deepEqual(data, {}),
  }),
  sample(follows.add, {
    given: () => ({ address: newAddress(), nftAddress: newAddress(), nftId: '7', following: true }),
    elsewhere: 'own',
    refused: [
      ['address', { address: LONG_ADDRESS }],
      ['nftAddress', { nftAddress: LONG_ADDRESS }],
      ['nftId', { nftId: '1'.repeat(129) }],
    ],
    answers: (data, input) => has(data, input),
  }),
  sample(follows.isFollowing, {
    given: aFollow,
    elsewhere: { data: { isFollowing: false } },
    answers: (data) => assert.deepEqual(data, { isFollowing: true }),
  }),
  sample(follows.list, {
    given: async (project) => ({ address: (await aFollow(project)).address }),
    elsewhere: 'empty',
    answers: holdsOne,
  }),
  sample(words.add, {
    given: () => ({ sender: newAddress(), recipient: newAddress(), content: 'Hello' }),
    elsewhere: 'own',
    refused: [
      ['sender', { sender: LONG_ADDRESS }],
      ['recipient', { recipient: LONG_ADDRESS }],
      ['content', { content: TOO_LONG }],
      ['replyTo', { replyTo: 9_007_199_254_740_991 }],
    ],
    answers: (data, input) => has(data, { ...input, groupId: '', replyTo: 0, read: false }),
  }),
  sample(words.remove, {
    async given(project) {
      const { id, sender } = await aMessage(project)
      return { id, address: sender }
    },
    elsewhere: 'not found',
    answers: (data) => assert.deepEqual(data, {}),
  }),
  sample(words.addToGroup, {
    given: () => ({ sender: newAddress(), groupId: newAddress(), content: 'Hello' }),
    elsewhere: 'own',
    refused: [
      ['sender', { sender: LONG_ADDRESS }],
      ['groupId', { groupId: 'g'.repeat(129) }],
      ['content', { content: TOO_LONG }],
      ['replyTo', { replyTo: 9_007_199_254_740_991 }],
    ],
    answers: (data, input) => has(data, { ...input, recipient: '', replyTo: 0 }),
  }),
  sample(words.groupRecords, {
    async given({ client }) {
      const { groupId } = await words.addToGroup(client, {
        sender: newAddress(),
        groupId: newAddress(),
        content: 'Hello',
      })
      return { groupId }
    },
    elsewhere: 'empty',
    answers: holdsOne,
  }),
  sample(words.conversations, {
    given: async (project) => ({ address: (await aMessage(project)).recipient }),
    elsewhere: 'empty',
    answers: holdsOne,
  }),
  sample(words.list, {
    given: async (project) => ({ address: (await aMessage(project)).recipient }),
    elsewhere: 'empty',
    answers: holdsOne,
  }),
  sample(words.readAll, {
    async given(project) {
      const { sender, recipient } = await aMessage(project)
      return { address: recipient, sender }
    },
    elsewhere: { data: { count: 0 } },
    answers: (data) => assert.deepEqual(data, { count: 1 }),
  }),
  sample(words.records, {
    async given(project) {
      const { sender, recipient } = await aMessage(project)
      return { address: sender, other: recipient }
    },
    elsewhere: 'empty',
    answers: holdsOne,
  }),
]
