import { randomUUID } from 'node:crypto'
import { apiKeys, people, publishableKeys, Role } from '@mintmark/admin'
import { expect } from 'vitest'
import { acceptInvitation } from '../../domains/people/invitations-store.ts'
import { invite } from '../console-person.ts'
import { emptyInputAfter, newAddress, type Sample, type SampleProject, sample } from './sample.ts'

let emailCount = 0

function newEmail(): string {
  emailCount += 1
  return `person-${emailCount}@example.com`
}

/** Adds a person to a project, without a session. */
async function addMember({ gateway, projectId }: SampleProject): Promise<{ personId: string }> {
  const invitation = { project: projectId, email: newEmail(), role: Role.STAFF }
  const token = await invite(gateway, invitation)
  const personId = randomUUID()
  const acceptor = { personId, account: { name: 'Kim', passwordHash: 'none' } }
  const outcome = await acceptInvitation(gateway.owner.system, token, acceptor)
  if (outcome !== 'accepted') throw new Error(`The invitation is not accepted: ${outcome}`)
  return { personId }
}

const invitePerson = async ({ client }: SampleProject) =>
  await people.invite(client, { email: newEmail(), role: Role.AUDITOR })

const createKey = async ({ client }: SampleProject) => {
  // A project has at most 100 active keys, and the tests run the samples many times.
  const isSample = ({ name, revokeTime }: { name: string; revokeTime?: string | undefined }) =>
    name === 'sample' && revokeTime === undefined
  const existing = (await apiKeys.list(client)).filter(isSample)
  for (const { apiKey } of existing.slice(5)) await apiKeys.revoke(client, { apiKey })
  const { apiKey } = await apiKeys.create(client, { name: 'sample', scopes: ['cards:read'] })
  return { apiKey }
}

// `people.invite` comes after the lists, because its sample invites people to the other project too.
const peopleSamples: readonly Sample[] = [
  sample(people.list, {
    input: emptyInputAfter(addMember),
    contains: [{ role: 'STAFF' }],
  }),
  sample(people.listInvitations, {
    input: emptyInputAfter(invitePerson),
    checkResponse: (data) => {
      expect(data).toMatchObject([{ role: 'AUDITOR' }])
      expect(JSON.stringify(data)).not.toContain('/console/invitation/')
    },
  }),
  sample(people.invite, {
    input: () => ({ email: newEmail(), role: Role.MANAGER }),
    otherProject: 'own',
    checkResponse: (data) =>
      expect(data).toHaveProperty('url', expect.stringContaining('/console/invitation/')),
    refused: [
      ['email', { email: 'kim' }],
      ['email', { email: 'kım@example.com' }],
      ['role', { role: 'owner' }],
    ],
  }),
  sample(people.revokeInvitation, { input: async (project) => ({ id: (await invitePerson(project)).id }) }),
  sample(people.update, {
    input: async (project) => ({
      ...(await addMember(project)),
      role: Role.MANAGER,
      wallet: newAddress(),
    }),
    refused: [['role', { role: 'OWNER ' }]],
  }),
  sample(people.remove, { input: addMember }),
  sample(people.signOut, { input: addMember }),
]

const keySamples: readonly Sample[] = [
  sample(apiKeys.list, {
    input: () => ({}),
    // The key of the caller.
    otherProject: 'own',
    checkResponse: (data) => expect(JSON.stringify(data)).not.toContain('"sk_'),
  }),
  sample(apiKeys.getCurrent, {
    input: () => ({}),
    otherProject: 'own',
    contains: { projectName: expect.stringMatching(/./), storeId: 0 },
  }),
  sample(apiKeys.create, {
    input: () => ({ name: 'shop', scopes: ['orders:read', 'orders:write'] }),
    otherProject: 'own',
    notSent: ['storeId'],
    checkResponse: (data) => expect(data).toHaveProperty('secret', expect.stringMatching(/^sk_/)),
    refused: [
      ['storeId', { storeId: 999_999_999 }],
      ['scopes.1', { scopes: ['orders:read', 'orders:destroy'] }],
      ['scopes', { scopes: [] }],
    ],
  }),
  sample(apiKeys.rotate, {
    input: async (project) => ({ ...(await createKey(project)), graceHours: 0 }),
    checkResponse: (data) => expect(data).toHaveProperty('secret', expect.stringMatching(/^sk_/)),
    refused: [['graceHours', { graceHours: 8761 }]],
  }),
  sample(apiKeys.revoke, { input: createKey }),
]

const createPublishableKey = async ({ client }: SampleProject) => {
  const isActive = ({ revokeTime }: { revokeTime?: string | undefined }) => revokeTime === undefined
  const existing = (await publishableKeys.list(client)).filter(isActive)
  for (const { publishableKey } of existing.slice(5)) await publishableKeys.revoke(client, { publishableKey })
  const origins = ['https://shop.example']
  const { publishableKey } = await publishableKeys.create(client, { name: 'sample', origins })
  return { publishableKey }
}

const publishableKeySamples: readonly Sample[] = [
  sample(publishableKeys.list, {
    input: emptyInputAfter(createPublishableKey),
    checkResponse: (data) =>
      expect(data).toContainEqual(expect.objectContaining({ origins: ['https://shop.example'] })),
  }),
  sample(publishableKeys.create, {
    input: () => ({
      name: 'shop',
      origins: ['https://shop.example', 'http://localhost:5173'],
      scopes: ['market:read'],
    }),
    otherProject: 'own',
    contains: {
      publishableKey: expect.stringMatching(/^pk_[\w-]{22}$/),
      scopes: ['market:read'],
      origins: ['https://shop.example', 'http://localhost:5173'],
    },
    refused: [
      ['origins', { origins: [] }],
      ['origins.0', { origins: ['https://shop.example/'] }],
      ['origins.1', { origins: ['https://shop.example', 'https://*.shop.example'] }],
      ['origins.0', { origins: ['null'] }],
      ['scopes.0', { scopes: ['market:write'] }],
      ['scopes.0', { scopes: ['*'] }],
      ['scopes', { scopes: [] }],
    ],
  }),
  sample(publishableKeys.revoke, { input: createPublishableKey }),
]

export const adminSamples: readonly Sample[] = [...peopleSamples, ...keySamples, ...publishableKeySamples]
