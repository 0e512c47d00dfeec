import { deepEqual, equal } from 'node:assert/strict'
import {
  campaigns,
  cardSettings,
  commemorativeCards,
  eventCards,
  media,
  membershipCards,
  promoCodeCards,
  stores,
  type UploadedPicture,
  type VerificationRecord,
  verifications,
} from '@mintmark/cards'
import { contracts } from '@mintmark/contracts'
import { emptyInputAfter, newAddress, type Sample, type SampleProject, sample } from './sample.ts'

const newCard = (more: object = {}) => ({
  name: 'Opening night',
  nftAddress: newAddress(),
  startTime: '2026-01-01T00:00:00Z',
  endTime: '2099-12-31T00:00:00Z',
  totalIssued: 3,
  ...more,
})

type Card = ReturnType<typeof newCard>
type Program = typeof promoCodeCards | typeof eventCards | typeof commemorativeCards | typeof membershipCards
type VerifiedProgram = Exclude<Program, typeof commemorativeCards>

/** Registers a contract, so that its cards have a creator. */
async function registerContract({ client }: SampleProject, owner: string): Promise<string> {
  const terms = { nftAddress: newAddress(), chainId: '84532', nftType: 'ERC721', name: 'Prints', owner }
  return (await contracts.add(client, terms)).nftAddress
}

const createCard = async (program: Program, { client }: SampleProject, more: object = {}) =>
  await program.create(client, newCard(more))

const parseQrCode = (card: { qrCodeUrl: string }) => /([\w-]{27})\.svg$/.exec(card.qrCodeUrl)?.[1] ?? ''

const wrongCards: [string, Partial<Card>][] = [
  ['endTime', { endTime: '2026-01-01T00:00:00Z' }],
  ['endTime', { endTime: '2026-02-29T00:00:00Z' }],
  ['startTime', { startTime: '0000-12-31T00:00:00Z' }],
  ['totalIssued', { totalIssued: 1.5 }],
  ['totalIssued', { totalIssued: 0 }],
]
const wrongInBatch = wrongCards.map(([field, change]): [string, { cards: Card[] }] => [
  `cards.1.${field}`,
  { cards: [newCard(), newCard(change)] },
])
const wrongPeriods: [string, object][] = [
  ['from', { from: '2026-02-30T00:00:00Z' }],
  ['to', { to: '2026-02-30T00:00:00Z' }],
]

/** The samples that all programs have: operations of the same name take the same input in each. */
function samplesOf(program: Program, own: object): Sample[] {
  // The types of one program represent all: the inputs differ by the fields in `own`, and only common fields
  // of responses are checked.
  const { create, createBatch, get, getByQrCode, list, listByNft } = program as typeof promoCodeCards
  const { listByCreator, listByOwner, listByStore, remove, search, update } = program as typeof promoCodeCards
  return [
    sample(create, {
      input: () => newCard(own),
      otherProject: 'own',
      refused: wrongCards,
    }),
    sample(createBatch, {
      input: () => ({ cards: [newCard(own), newCard({ ...own, name: 'Second night' })] }),
      otherProject: 'own',
      refused: [
        ...wrongInBatch,
        ['cards', { cards: [] }],
        ['cards.0.unknown', { cards: [newCard({ unknown: 1 })] }],
      ],
      checkResponse: (cards: { name: string }[]) =>
        deepEqual(
          cards.map(({ name }) => name),
          ['Opening night', 'Second night'],
        ),
    }),
    sample(get, { input: async (project) => ({ id: (await createCard(program, project, own)).id }) }),
    sample(getByQrCode, {
      input: async (project) => ({ qrCode: parseQrCode(await createCard(program, project)) }),
    }),
    sample(remove, { input: async (project) => ({ id: (await createCard(program, project)).id }) }),
    sample(update, {
      input: async (project) => ({ ...own, id: (await createCard(program, project)).id, name: 'Last night' }),
      refused: [...wrongCards, ['endTime', { endTime: '1999-01-01T00:00:00Z' }]],
      checkResponse: ({ name }: { name: string }) => equal(name, 'Last night'),
    }),
    sample(list, {
      input: async (project) => {
        await createCard(program, project)
        return { orderBy: 'name' as const }
      },
      otherProject: 'own',
    }),
    sample(search, {
      input: async (project) => {
        const name = `Matinee ${newAddress()}`
        await createCard(program, project, { name, reference: 'batch 7' })
        return {
          keyword: name.toUpperCase(),
          status: 'ACTIVE' as const,
          reference: 'batch 7',
          from: '2020-01-01T00:00:00Z',
        }
      },
      refused: wrongPeriods,
    }),
    sample(listByCreator, {
      input: async (project) => {
        const creator = newAddress()
        await createCard(program, project, { nftAddress: await registerContract(project, creator) })
        return { creator: creator.toUpperCase().replace('0X', '0x') }
      },
    }),
    sample(listByOwner, {
      input: async (project) => {
        const owner = newAddress()
        await createCard(program, project, { nftAddress: await registerContract(project, owner) })
        return { owner }
      },
    }),
    sample(listByNft, {
      input: async (project) => {
        const { nftAddress } = await createCard(program, project, { nftId: '7' })
        await createCard(program, project, { nftAddress, nftId: '8' })
        return { nftAddress, nftId: '7' }
      },
    }),
    sample(listByStore, {
      input: async (project) => {
        const store = `Store ${newAddress()}`
        await createCard(program, project, { applicableStores: ['Elsewhere', store] })
        return { store, pageSize: 1 }
      },
      otherProject: 'own',
    }),
  ]
}

function verificationSamplesOf(program: VerifiedProgram, action: 'REDEEM' | 'CHECK_IN'): Sample[] {
  // As above: the programs differ by the actions that they take.
  const { createVerification, verifications: list } = program as typeof promoCodeCards
  const request = async (project: SampleProject) => ({
    id: (await createCard(program, project)).id,
    action: action as 'REDEEM',
    nonce: newAddress(),
    store: 'Berlin',
    verifier: 'Door 1',
    device: newAddress(),
  })
  return [
    sample(createVerification, {
      notSent: ['qrCode'],
      notReturned: ['id'],
      input: request,
      otherProject: 'own',
      refused: [
        ['id', { id: undefined }],
        ['qrCode', { qrCode: 'x' }],
        ['action', { action: 'OPEN' as 'REDEEM' }],
      ],
      checkResponse: ({ result, reason, cardId }: VerificationRecord, { id }) =>
        deepEqual([result, reason, cardId], ['OK', '', id]),
    }),
    sample(list, {
      input: async (project) => {
        const input = await request(project)
        await createVerification(project.client, input)
        return {
          cardId: input.id,
          store: input.store,
          verifier: input.verifier,
          from: '2020-01-01T00:00:00Z',
        }
      },
      refused: wrongPeriods,
    }),
  ]
}

async function redeem(project: SampleProject): Promise<{ id: number; nonce: string; reason: string }> {
  const card = await createCard(promoCodeCards, project)
  const nonce = newAddress()
  const { id } = await promoCodeCards.createVerification(project.client, {
    id: card.id,
    action: 'REDEEM',
    nonce,
  })
  return { id, nonce: newAddress(), reason: 'Wrong customer' }
}

const reversalSamples: readonly Sample[] = [
  sample(verifications.reverse, {
    notReturned: ['id'],
    input: async (project) => ({ ...(await redeem(project)), device: 'Till 1', verifier: 'Ada' }),
    checkResponse: ({ result, reverses, usedCount }: VerificationRecord, { id }) =>
      deepEqual([result, reverses, usedCount], ['REVERSED', id, 0]),
  }),
  sample(verifications.reversals, {
    input: async (project) => {
      await verifications.reverse(project.client, await redeem(project))
      return {}
    },
  }),
  sample(cardSettings.update, {
    input: () => ({
      reversalMinutes: 5,
      reversalsPerDay: 30,
      shopName: 'Corner Coffee',
      logoUrl: 'https://pictures.test/shop.png',
      accentColor: '#7a1f3d',
    }),
    otherProject: 'own',
    refused: [
      ['reversalMinutes', { reversalMinutes: -1 }],
      ['reversalsPerDay', { reversalsPerDay: 10_001 }],
      ['logoUrl', { logoUrl: 'javascript:alert(1)' }],
      ['accentColor', { accentColor: 'red;}body{' }],
    ],
  }),
  sample(cardSettings.get, {
    input: async ({ client }) => {
      await cardSettings.update(client, { reversalMinutes: 6 })
      return {}
    },
    otherProject: 'own',
  }),
]

let storeCount = 0

function newStore() {
  storeCount += 1
  const name = `Store ${storeCount}`
  return { name, code: `S${storeCount}`, address: 'Hauptstraße 1', timeZone: 'Europe/Berlin' }
}

const storeSamples: readonly Sample[] = [
  sample(stores.create, {
    input: newStore,
    otherProject: 'own',
    refused: [['timeZone', { timeZone: 'Berlin' }]],
  }),
  sample(stores.update, {
    input: async ({ client }) => {
      const { id } = await stores.create(client, newStore())
      return { ...newStore(), id, status: 'CLOSED' as const }
    },
    refused: [['timeZone', { timeZone: 'Berlin' }]],
  }),
  sample(stores.list, {
    input: async ({ client }) => {
      await stores.create(client, newStore())
      return {}
    },
    otherProject: 'own',
  }),
]

/** A PNG of two red pixels. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAMAAADD/I+4AAAAA1BMVEX/AAAZ4gk3AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAC0lEQVQI12NgYAAAAAMAASDVlMcAAAAASUVORK5CYII='

const mediaSamples: readonly Sample[] = [
  sample(media.upload, {
    input: () => ({ content: PICTURE }),
    otherProject: 'own',
    notReturned: ['content'],
    refused: [['content', { content: 'bm8gcGljdHVyZQ==' }]],
    checkResponse: ({ width, height }: UploadedPicture) => deepEqual([width, height], [2, 1]),
  }),
]

const newCampaign = () => ({
  name: 'Summer',
  program: 'promoCodeCards' as const,
  cards: 3,
  card: newCard(),
})

const createCampaign = async ({ client }: SampleProject) => ({
  id: (await campaigns.create(client, newCampaign())).id,
})

const campaignSamples: readonly Sample[] = [
  sample(campaigns.create, {
    input: newCampaign,
    otherProject: 'own',
    notReturned: ['card'],
    refused: [
      ['cards', { cards: 1_000_001 }],
      ['card.endTime', { card: newCard({ endTime: '2026-01-01T00:00:00Z' }) }],
    ],
  }),
  sample(campaigns.list, {
    input: emptyInputAfter(createCampaign),
    otherProject: 'own',
  }),
  sample(campaigns.get, { input: createCampaign }),
  sample(campaigns.update, {
    input: async (project) => ({ ...(await createCampaign(project)), name: 'Autumn', cards: 4 }),
    refused: [['cards', { cards: 0 }]],
  }),
  sample(campaigns.issue, {
    input: async (project) => ({ ...(await createCampaign(project)), count: 1 }),
    notReturned: ['count'],
    refused: [['count', { count: 0 }]],
    checkResponse: ({ issued }: { issued: number }) => equal(issued, 1),
  }),
  sample(campaigns.pause, { input: createCampaign }),
  sample(campaigns.resume, {
    input: async (project) => {
      const campaign = await createCampaign(project)
      await campaigns.pause(project.client, campaign)
      return campaign
    },
  }),
  sample(campaigns.end, { input: createCampaign }),
]

export const cardsSamples: readonly Sample[] = [
  ...samplesOf(promoCodeCards, {}),
  ...verificationSamplesOf(promoCodeCards, 'REDEEM'),
  ...samplesOf(eventCards, { isCheckedIn: true }),
  ...verificationSamplesOf(eventCards, 'CHECK_IN'),
  ...samplesOf(commemorativeCards, { imageUrl: 'https://example.com/night.png', amount: 2.5 }),
  ...samplesOf(membershipCards, { level: 'gold', benefits: ['A free coat check'] }),
  ...verificationSamplesOf(membershipCards, 'CHECK_IN'),
  ...reversalSamples,
  ...campaignSamples,
  ...mediaSamples,
  ...storeSamples,
]
