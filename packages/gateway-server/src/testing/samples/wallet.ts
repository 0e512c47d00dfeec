import assert from 'node:assert/strict'
import { addressBook, fans, follows, walletInfo, words } from '@mintmark/wallet'
import { has, newAddress, type Sample, type SampleProject, sample } from './sample.ts'

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

export const walletSamples: readonly Sample[] = [
  sample(walletInfo.get, {
    async input({ client }) {
      const { address } = await walletInfo.add(client, { address: newAddress(), name: 'Ada' })
      return { address }
    },
  }),
  sample(walletInfo.add, {
    input: () => ({
      address: newAddress(),
      background: 'https://example.com/background.png',
      description: 'Collects prints.',
      email: 'ada@example.com',
      name: 'Ada',
      profilePhoto: 'https://example.com/ada.png',
      showcaseBackground: 'https://example.com/showcase.png',
    }),
    otherProject: 'own',
  }),
  sample(walletInfo.edit, {
    async input({ client }) {
      const { address } = await walletInfo.add(client, { address: newAddress(), name: 'Ada' })
      return { address, name: 'Ada Collector' }
    },
    contains: { name: 'Ada Collector', email: '' },
  }),
  sample(addressBook.add, {
    input: () => ({ owner: newAddress(), address: newAddress(), name: 'Ada', remark: 'From the fair.' }),
    otherProject: 'own',
  }),
  sample(addressBook.remove, { input: async (project) => ({ id: (await anEntry(project)).id }) }),
  sample(addressBook.importFollowing, { input: async (project) => ({ owner: (await aFan(project)).fan }) }),
  sample(addressBook.get, {
    input: async (project) => ({ id: (await anEntry(project)).id }),
    checkResponse: (data, { id }) => has(data, { id, name: 'Ada', remark: '' }),
  }),
  sample(addressBook.list, {
    input: async (project) => ({ owner: (await anEntry(project)).owner, keyword: 'AD' }),
  }),
  sample(addressBook.update, {
    input: async (project) => ({ id: (await anEntry(project)).id, remark: 'Moved.', address: newAddress() }),
    contains: { name: 'Ada' },
  }),
  sample(fans.add, {
    input: () => ({ fan: newAddress(), address: newAddress() }),
    otherProject: 'own',
  }),
  sample(fans.isFan, {
    input: aFan,
    otherProject: { data: { isFan: false } },
    checkResponse: (data) => assert.deepEqual(data, { isFan: true }),
  }),
  sample(fans.list, { input: async (project) => ({ address: (await aFan(project)).address }) }),
  sample(fans.following, { input: async (project) => ({ address: (await aFan(project)).fan }) }),
  sample(fans.remove, {
    input: aFan,
    otherProject: { data: {} },
  }),
  sample(follows.add, {
    input: () => ({ address: newAddress(), nftAddress: newAddress(), nftId: '7', following: true }),
    otherProject: 'own',
  }),
  sample(follows.isFollowing, {
    input: aFollow,
    otherProject: { data: { isFollowing: false } },
    checkResponse: (data) => assert.deepEqual(data, { isFollowing: true }),
  }),
  sample(follows.list, { input: async (project) => ({ address: (await aFollow(project)).address }) }),
  sample(words.add, {
    notSent: ['replyTo'],
    input: () => ({ sender: newAddress(), recipient: newAddress(), content: 'Hello' }),
    otherProject: 'own',
    refused: [['replyTo', { replyTo: 9_007_199_254_740_991 }]],
    contains: { groupId: '', replyTo: 0, read: false },
  }),
  sample(words.remove, {
    async input(project) {
      const { id, sender } = await aMessage(project)
      return { id, address: sender }
    },
  }),
  sample(words.addToGroup, {
    notSent: ['replyTo'],
    input: () => ({ sender: newAddress(), groupId: newAddress(), content: 'Hello' }),
    otherProject: 'own',
    refused: [['replyTo', { replyTo: 9_007_199_254_740_991 }]],
    contains: { recipient: '', replyTo: 0 },
  }),
  sample(words.groupRecords, {
    async input({ client }) {
      const { groupId } = await words.addToGroup(client, {
        sender: newAddress(),
        groupId: newAddress(),
        content: 'Hello',
      })
      return { groupId }
    },
  }),
  sample(words.conversations, {
    input: async (project) => ({ address: (await aMessage(project)).recipient }),
  }),
  sample(words.list, { input: async (project) => ({ address: (await aMessage(project)).recipient }) }),
  sample(words.readAll, {
    async input(project) {
      const { sender, recipient } = await aMessage(project)
      return { address: recipient, sender }
    },
    otherProject: { data: { count: 0 } },
    checkResponse: (data) => assert.deepEqual(data, { count: 1 }),
  }),
  sample(words.records, {
    async input(project) {
      const { sender, recipient } = await aMessage(project)
      return { address: sender, other: recipient }
    },
  }),
]
