import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { createCardClient } from '../../../testing/cards.ts'
import { type TestGateway, type TestKey, testGateway } from '../../../testing/gateway.ts'
import type { RawResponse } from '../../../testing/raw-client.ts'
import { issueCampaigns } from './issue-campaigns.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

const period = { startTime: '2026-01-01T00:00:00Z', endTime: '2099-12-31T00:00:00Z' }

async function createCampaign(cards: number, more: object = {}) {
  const project = `campaign ${Math.random()}`
  const key: TestKey = await gateway.newKey({ project })
  const at = (path: string, body?: object): Promise<RawResponse> =>
    key.call({ path: `/api/v1/card/campaigns${path}`, ...(body && { body }) })
  const card = { name: 'A free coffee', totalIssued: 1, ...period, ...more }
  const created = await at('', { name: 'Summer', program: 'promoCodeCards', cards, card })
  if (created.status !== 200) throw new Error(created.text)
  const id = Number(created.json.data.id)
  const { projectId } = key
  const calls = createCardClient(gateway, key)
  return {
    id,
    key,
    project,
    projectId,
    at,
    calls,
    reverse: (verification: number) =>
      key.call({
        path: '/api/v1/card/verification/reverse',
        body: { id: verification, nonce: 'mistake', reason: 'Wrong customer' },
      }),
    post: (action: string, body?: object) =>
      key.call({ method: 'POST', path: `/api/v1/card/campaigns/${id}/${action}`, ...(body && { body }) }),
    update: (body: object) => at(`/${id}`, body),
    get: async () => (await at(`/${id}`)).json.data,
    async cards() {
      const found = await calls.get('promoCodeCards', '/search', { campaignId: String(id), pageSize: '100' })
      return found.json.data as { totalRow: number; list: { id: number; qrCodeUrl: string }[] }
    },
  }
}

it('issues every card of a campaign once, however many processes issue them and are killed', async () => {
  const campaign = await createCampaign(1700)
  expect((await campaign.post('issue', { count: 1700 })).json.data).toMatchObject({
    issued: 500,
    requested: 1700,
  })
  // A process that is killed leaves a transaction that is rolled back.
  const killed = gateway.owner.system.transaction().execute(async (trx) => {
    await issueCampaigns(trx)
    throw new Error('killed')
  })
  const results = await Promise.allSettled([
    killed,
    ...[1, 2, 3].map(() => issueCampaigns(gateway.owner.system)),
  ])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
  await issueCampaigns(gateway.owner.system)
  expect(await campaign.get()).toMatchObject({ issued: 1700, requested: 1700, active: 1700 })
  const { totalRow, list } = await campaign.cards()
  expect([totalRow, new Set(list.map(({ qrCodeUrl }) => qrCodeUrl)).size]).toEqual([1700, 100])
})

it('refuses to issue more cards than the campaign has, also to two calls at once', async () => {
  const campaign = await createCampaign(5)
  const results = await Promise.all([1, 2].map(() => campaign.post('issue', { count: 5 })))
  expect(results.map(({ json }) => json.code).toSorted()).toEqual([200, 40930])
  expect((await campaign.cards()).totalRow).toBe(5)
  expect((await campaign.update({ cards: 4 })).json.code).toBe(40930)
  expect((await campaign.update({ cards: 6 })).status).toBe(200)
  expect((await campaign.post('issue', { count: 1 })).json.data).toMatchObject({ issued: 6 })
})

it('issues one card to each recipient, although lists repeat them and two managers send them at once', async () => {
  const campaign = await createCampaign(4)
  const issueTo = (...recipients: string[]) => campaign.post('issue', { recipients })
  const search = async (reference: string) =>
    (await campaign.calls.get('promoCodeCards', '/search', { campaignId: String(campaign.id), reference }))
      .json.data.list as { id: number }[]
  const { pool } = gateway.owner
  const holder = await pool.connect()
  onTestFinished(() => holder.release(true))
  await holder.query(`begin; select from gateway.campaigns where id = ${campaign.id} for update`)
  const both = Promise.all([issueTo('ana', 'ben', 'ana'), issueTo('ben', 'ana')])
  await vi.waitFor(async () => {
    const waiting =
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    expect((await pool.query(waiting)).rows).toHaveLength(2)
  }, 10_000)
  await holder.query('commit')
  await both
  expect(await campaign.get()).toMatchObject({ issued: 2, requested: 2 })
  expect((await issueTo('ben', 'cem')).json.data).toMatchObject({ issued: 3, requested: 3 })
  const cards = (await Promise.all(['ana', 'ben', 'cem', 'dan'].map(search))).map((list) => list.length)
  expect(cards).toEqual([1, 1, 1, 0])
  // A list gets all of its cards or none.
  expect((await issueTo('dan', 'eva')).json.code).toBe(40930)
  expect(await search('dan')).toEqual([])
  const [removed] = await search('ana')
  await campaign.calls.remove('promoCodeCards', Number(removed?.id))
  expect((await issueTo('ana', 'ben')).json.data).toMatchObject({ issued: 4 })
})

it('issues no second card to a recipient whose card a manager with another wallet issued', async () => {
  const campaign = await createCampaign(4)
  await campaign.post('issue', { recipients: ['ana'] })
  const { project } = campaign
  const other = await gateway.newKey({ project, wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
  const path = `/api/v1/card/campaigns/${campaign.id}/issue`
  const issued = await other.call({ path, body: { recipients: ['ana', 'ben'] } })
  expect(issued.json.data).toMatchObject({ issued: 2 })
})

it('issues cards to recipients while a job issues others', async () => {
  const campaign = await createCampaign(1000)
  await campaign.post('issue', { count: 900 })
  const recipients = Array.from({ length: 100 }, (_, index) => `customer ${index}`)
  expect((await campaign.post('issue', { recipients })).json.data).toMatchObject({
    issued: 600,
    requested: 1000,
  })
  await issueCampaigns(gateway.owner.system)
  expect(await campaign.get()).toMatchObject({ issued: 1000, active: 1000 })
  const { rows } = await gateway.owner.pool.query(
    `select count(*)::int, count(distinct reference)::int as recipients from gateway.cards
    where campaign_id = ${campaign.id} and reference <> ''`,
  )
  expect(rows).toEqual([{ count: 100, recipients: 100 }])
})

it.each([
  ['recipients', { recipients: [] }],
  ['recipients', { recipients: ['ana', 'b\u0007n'] }],
  ['recipients', { recipients: Array.from({ length: 501 }, String) }],
  ['recipients', { count: 1, recipients: ['ana'] }],
  ['count', {}],
])('names %s when it refuses what cards are issued to', async (field, body) => {
  const campaign = await createCampaign(1000)
  const refused = await campaign.post('issue', body)
  expect([refused.status, refused.json.msg]).toEqual([400, expect.stringContaining(field)])
  expect(await campaign.get()).toMatchObject({ requested: 0 })
})

it('refuses the cards of a paused campaign until it resumes, and those of an ended one for good', async () => {
  const campaign = await createCampaign(2)
  await campaign.post('issue', { count: 1 })
  const [card] = (await campaign.cards()).list
  const scan = async () => (await campaign.calls.verify('promoCodeCards', { id: card?.id })).reason
  await campaign.post('pause')
  expect(await scan()).toBe('campaign_paused')
  await campaign.post('resume')
  expect(await scan()).toBe('')
  await campaign.post('end')
  expect(await scan()).toBe('campaign_ended')
  expect((await campaign.post('resume')).json.code).toBe(40929)
  expect((await campaign.post('issue', { count: 1 })).json.code).toBe(40929)
  expect((await campaign.post('end')).status).toBe(200)
})

it('counts issued, active, used and refused cards, and uses by store and day', async () => {
  const campaign = await createCampaign(2)
  await campaign.post('issue', { count: 2 })
  const [first, second] = (await campaign.cards()).list
  const scan = (id: number | undefined, store: string) =>
    campaign.calls.verify('promoCodeCards', { id, store })
  await scan(first?.id, 'Berlin')
  await scan(first?.id, 'Berlin')
  const mistake = await scan(second?.id, 'Hamburg')
  const reversed = await campaign.reverse(mistake.id)
  expect(reversed.status, reversed.text).toBe(200)
  const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/)
  expect(await campaign.get()).toMatchObject({
    issued: 2,
    active: 1,
    expired: 0,
    used: 1,
    refused: [{ reason: 'already_redeemed', count: 1 }],
    days: [
      { day, store: 'Berlin', used: 1, refused: 1 },
      { day, store: 'Hamburg', used: 0, refused: 0 },
    ],
  })
})

it('issues the cards of other projects when those of a campaign cannot be inserted', async () => {
  const failing = await createCampaign(1000)
  const other = await createCampaign(1000)
  for (const campaign of [failing, other]) await campaign.post('issue', { count: 1000 })
  await gateway.owner.pool.query(
    `update gateway.campaigns set template = template || '{"total_issued": 0}' where id = ${failing.id}`,
  )
  await expect(issueCampaigns(gateway.owner.system)).rejects.toThrow(`campaigns ${failing.id}`)
  expect(await other.get()).toMatchObject({ issued: 1000 })
  expect(await failing.get()).toMatchObject({ issued: 500 })
  await failing.post('end')
})

it('refuses a campaign of more than 5,000,000 cards times stores, created or changed', async () => {
  const applicableStores = Array.from({ length: 1000 }, (_, index) => `Store ${index}`)
  await expect(createCampaign(5001, { applicableStores })).rejects.toThrow('cards: At most 5,000,000')
  const campaign = await createCampaign(5000, { applicableStores })
  const changed = await campaign.update({ cards: 5001 })
  expect([changed.status, changed.json.msg]).toEqual([
    400,
    expect.stringContaining('cards: At most 5,000,000'),
  ])
})

it('refuses a campaign when 1,000 of the project have not ended', async () => {
  const campaign = await createCampaign(1)
  await gateway.owner.pool.query(
    `insert into gateway.campaigns (project_id, name, program, template, max_cards)
    select project_id, name, program, template, 1 from gateway.campaigns, generate_series(1, 999) where id = ${campaign.id}`,
  )
  const body = {
    name: 'x',
    program: 'promoCodeCards',
    cards: 1,
    card: { name: 'x', totalIssued: 1, ...period },
  }
  expect((await campaign.at('', body)).json.code).toBe(40941)
  await campaign.post('end')
  expect((await campaign.at('', body)).status).toBe(200)
})

it('records the template of a campaign when it changes, and not for each part of its cards', async () => {
  const campaign = await createCampaign(2000)
  await campaign.post('issue', { count: 2000 })
  await issueCampaigns(gateway.owner.system)
  const { rows } = await gateway.owner.pool.query(
    `select after -> 'template' ->> 'name' as name, after -> 'template' ->> 'qr_code' as code
    from gateway.row_changes where relation = 'campaigns' and project_id = ${campaign.projectId}`,
  )
  const record = { name: 'A free coffee', code: null }
  expect(rows).toEqual([record, record])
})

it('has no active cards while a campaign is paused', async () => {
  const campaign = await createCampaign(1)
  await campaign.post('issue', { count: 1 })
  expect(await campaign.get()).toMatchObject({ active: 1 })
  await campaign.post('pause')
  expect(await campaign.get()).toMatchObject({ active: 0 })
})

// Always, one of them has another day than UTC.
it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
  'counts a reversal on the day of the use, also after the store in %s got another name',
  async (timeZone) => {
    const campaign = await createCampaign(1)
    await campaign.post('issue', { count: 1 })
    const [card] = (await campaign.cards()).list
    const path = '/api/v1/card/stores'
    const created = await campaign.key.call({ path, body: { name: 'Berlin', timeZone } })
    const used = await campaign.calls.verify('promoCodeCards', { id: card?.id, store: 'Berlin' })
    const { id } = created.json.data
    await campaign.key.call({ path: `${path}/${id}`, body: { name: 'Mitte', timeZone: 'UTC' } })
    expect((await campaign.reverse(used.id)).status).toBe(200)
    const day = new Intl.DateTimeFormat('en-CA', { timeZone }).format()
    expect(await campaign.get()).toMatchObject({ days: [{ day, store: 'Berlin', used: 0, refused: 0 }] })
  },
)
