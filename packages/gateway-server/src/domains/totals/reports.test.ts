import { Role, reports } from '@mintmark/admin'
import {
  campaigns,
  findCardCode,
  promoCodeCards,
  stores,
  type VerificationRecord,
  verifications,
} from '@mintmark/cards'
import { type Order, orders } from '@mintmark/orders'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPerson } from '../../testing/console-person.ts'
import { createListing } from '../../testing/create-listing.ts'
import { FAKE_CHAIN_ID, FAKE_TOKEN } from '../../testing/fake-payment-chain.ts'
import { type TestGateway, testGateway } from '../../testing/gateway.ts'
import { createOrderFixture, newHash } from '../../testing/order-fixture.ts'
import { sampleProject } from '../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../testing/samples/sample.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

const newProject = () => sampleProject(gateway, newAddress())

/** October and November, in whose middle clocks change in Berlin. */
const autumn = { from: '2026-10-01', to: '2026-11-30', timeZone: 'Europe/Berlin' } as const

describe('the report of sales', () => {
  type NewListing = NonNullable<Parameters<typeof createListing>[1]>

  /** Sells `quantity` of a listing. The order is placed at a time. */
  async function sell(
    project: SampleProject,
    placedAt: string,
    listing: NewListing,
    quantity = 1,
  ): Promise<Order> {
    const { marketType, id: listingId } = await createListing(project, listing)
    const fixture = createOrderFixture(project)
    const order = await orders.preOrder(project.client, {
      marketType,
      listingId,
      quantity,
      recipient: newAddress(),
    })
    await transfer(BigInt(order.payAmount), (hash) => fixture.pay(order, hash))
    await fixture.verify()
    await sql`update gateway.orders set created_at = ${placedAt} where order_no = ${order.orderNo}`.execute(
      gateway.owner.system,
    )
    return order
  }

  /** Lets the chain have a final transfer of an amount, and reports it. */
  async function transfer(paid: bigint, report: (hash: string) => Promise<unknown>): Promise<void> {
    const hash = newHash()
    gateway.chain.block += 10
    const block = gateway.chain.block - 5
    const blockHash = `0x${block.toString(16).padStart(64, '0')}`
    gateway.chain.sightings.set(hash, { kind: 'mined', block, blockHash, final: true, outcome: 'paid', paid })
    await report(hash)
  }

  const refund = ({ client }: SampleProject, order: Order, amount: bigint) =>
    transfer(amount, (hash) => orders.recordRefund(client, { orderNo: order.orderNo, hash }))

  const native = { chainId: FAKE_CHAIN_ID, payTokenAddress: '', payTokenDecimals: 18 }
  const token = { chainId: FAKE_CHAIN_ID, payTokenAddress: FAKE_TOKEN, payTokenDecimals: 6 }

  it('adds up paid orders with what was returned of them by day, month and item, each token by itself', async () => {
    const project = await newProject()
    const { client } = project
    const listed = { payPrice: '123456789012345678901' }
    const first = await sell(project, '2026-10-05T10:00:00Z', listed, 2)
    await sell(project, '2026-10-05T11:00:00Z', { payPrice: '7', payTokenAddress: FAKE_TOKEN })
    await sell(project, '2026-11-30T22:59:59Z', { payPrice: '5' })
    // After the last day.
    await sell(project, '2026-11-30T23:00:00Z', { payPrice: '5' })
    await createListing(project).then(({ marketType, id: listingId }) =>
      orders.preOrder(client, { marketType, listingId, quantity: 1, recipient: newAddress() }),
    )
    await refund(project, first, 2n)

    const october = {
      ...native,
      name: '',
      orders: 1,
      quantity: 2,
      paid: '246913578024691357802',
      refunded: '2',
      kept: '246913578024691357800',
    }
    const inToken = { ...token, name: '', orders: 1, quantity: 1, paid: '7', refunded: '0', kept: '7' }
    const november = { ...native, name: '', orders: 1, quantity: 1, paid: '5', refunded: '0', kept: '5' }
    expect(await reports.sales(client, { ...autumn, by: 'day' })).toEqual([
      { group: '2026-10-05', ...october },
      { group: '2026-10-05', ...inToken },
      { group: '2026-11-30', ...november },
    ])
    expect(await reports.sales(client, { ...autumn, by: 'month' })).toEqual([
      { group: '2026-10', ...october },
      { group: '2026-10', ...inToken },
      { group: '2026-11', ...november },
    ])
    const items = await reports.sales(client, { ...autumn, by: 'item' })
    const group = `${FAKE_CHAIN_ID}/${first.nftAddress}/${first.nftId}`
    expect(items).toContainEqual({ group, ...october, name: first.nftName })
    expect(items.map(({ paid }) => paid).toSorted()).toEqual(['246913578024691357802', '5', '7'])
  })

  it('does not count a payment beyond the amount of an order, nor its return', async () => {
    const project = await newProject()
    const order = await sell(project, '2026-11-02T10:00:00Z', { payPrice: '100' })
    const fixture = createOrderFixture(project)
    // The buyer pays once more.
    await transfer(100n, (hash) => expect(fixture.pay(order, hash)).rejects.toThrow('can no longer be paid'))
    await fixture.verify()
    await refund(project, order, 100n)
    const read = async () => await reports.sales(project.client, { ...autumn, by: 'month' })
    expect(await read()).toMatchObject([{ paid: '100', refunded: '0', kept: '100' }])
    await refund(project, order, 130n)
    expect(await read()).toMatchObject([{ paid: '100', refunded: '130', kept: '-30' }])
  })
})

describe('the report of redemptions', () => {
  const card = { name: 'Free tea', startTime: '2026-01-01T00:00:00Z', endTime: '2099-12-31T00:00:00Z' }

  async function newCard({ client }: SampleProject, totalIssued = 10): Promise<string> {
    return findCardCode(await promoCodeCards.create(client, { ...card, totalIssued })) ?? ''
  }

  /** Scans a card at a time. */
  async function scan(
    { client }: SampleProject,
    time: string,
    fields: Partial<Parameters<typeof promoCodeCards.createVerification>[1]>,
  ): Promise<VerificationRecord> {
    const nonce = newHash()
    const record = await promoCodeCards.createVerification(client, { action: 'REDEEM', nonce, ...fields })
    await sql`update gateway.card_verifications set created_at = ${time} where id = ${record.id}`.execute(
      gateway.owner.system,
    )
    return record
  }

  const undo = ({ client }: SampleProject, { id }: VerificationRecord) =>
    verifications.reverse(client, { id, nonce: newHash(), reason: 'Wrong card' })

  it('counts accepted, undone and refused scans by day and month', async () => {
    const project = await newProject()
    const { client } = project
    const [qrCode, single] = [await newCard(project), await newCard(project, 1)]
    await scan(project, '2026-10-05T10:00:00Z', { qrCode })
    await undo(project, await scan(project, '2026-10-05T10:01:00Z', { qrCode }))
    await scan(project, '2026-10-05T10:02:00Z', { qrCode: single })
    await scan(project, '2026-10-05T10:03:00Z', { qrCode: single })
    await scan(project, '2026-10-05T10:04:00Z', { qrCode: single })
    await scan(project, '2026-10-05T10:05:00Z', { qrCode: 'unknown' })
    await scan(project, '2026-11-05T10:00:00Z', { qrCode })
    const refused = [
      { reason: 'already_redeemed', count: 2 },
      { reason: 'unknown', count: 1 },
    ]
    const october = { name: '', accepted: 3, undone: 1, refused }
    const november = { name: '', accepted: 1, undone: 0, refused: [] }
    expect(await reports.redemptions(client, { ...autumn, by: 'day' })).toEqual([
      { group: '2026-10-05', ...october },
      { group: '2026-11-05', ...november },
    ])
    expect(await reports.redemptions(client, { ...autumn, by: 'month' })).toEqual([
      { group: '2026-10', ...october },
      { group: '2026-11', ...november },
    ])
  })

  it('counts scans by store under its present name, by campaign and by person', async () => {
    const project = await newProject()
    const { client } = project
    const { id: store } = await stores.create(client, { name: 'Harbor' })
    const campaign = await campaigns.create(client, {
      name: 'Summer',
      program: 'promoCodeCards',
      cards: 1,
      card: { ...card, totalIssued: 5 },
    })
    await campaigns.issue(client, { id: campaign.id, count: 1 })
    const issued = (await promoCodeCards.search(client, { campaignId: campaign.id })).list[0]
    const ofCampaign = (issued && findCardCode(issued)) ?? ''
    const ofNone = await newCard(project)
    const time = '2026-10-05T10:00:00Z'
    await scan(project, time, { qrCode: ofCampaign, store: 'Harbor', verifier: 'Kim' })
    await scan(project, time, { qrCode: ofCampaign, store: 'Harbor', verifier: 'Sam' })
    await scan(project, time, { qrCode: ofNone, verifier: 'Kim' })
    await scan(project, time, { qrCode: ofCampaign, verifier: 'Kim' })
    await stores.update(client, { id: store, name: 'Old harbor' })
    const read = async (by: 'store' | 'campaign' | 'person') => {
      const rows = await reports.redemptions(client, { ...autumn, by })
      return rows.map(({ group, name, accepted }) => [group, name, accepted])
    }
    expect(await read('store')).toEqual([
      ['', '', 2],
      [`#${store}`, 'Old harbor', 2],
    ])
    expect(await read('campaign')).toEqual([
      [String(campaign.id), 'Summer', 3],
      ['', '', 1],
    ])
    const actor = expect.stringMatching(/^key:/)
    expect(await read('person')).toEqual([
      [actor, 'Kim', 3],
      [actor, 'Sam', 1],
    ])
  })

  it('a day has the scans of 25 hours when clocks go back, and of 23 hours when they go forward', async () => {
    const { projectId, client } = await newProject()
    // Every half hour, from before each of the two days until after it.
    await sql`
      insert into gateway.card_verifications (project_id, program, action, nonce, requested_card, created_at)
      select ${projectId}, 'event', 'CHECK_IN', start || '/' || n, 'code', start + n * interval '30 minutes'
      from unnest(array['2026-03-28T12:00:00Z', '2026-10-24T12:00:00Z']::timestamptz[]) as start, generate_series(0, 95) n`.execute(
      gateway.owner.system,
    )
    const count = async (day: string) => {
      const period = { from: day, to: day, timeZone: 'Europe/Berlin' }
      const rows = await reports.redemptions(client, { ...period, by: 'day' })
      return rows.map(({ group, refused }) => [group, refused[0]?.count])
    }
    expect(await count('2026-03-29')).toEqual([['2026-03-29', 46]])
    expect(await count('2026-10-25')).toEqual([['2026-10-25', 50]])
  })

  it('has at most 1,000 rows, and is refused beyond them', async () => {
    const { projectId, client } = await newProject()
    const addScans = (first: number, last: number) =>
      sql`
        insert into gateway.card_verifications (project_id, program, action, nonce, requested_card, store_key, created_at)
        select ${projectId}, 'event', 'CHECK_IN', n::text, 'code', 'store ' || n, '2026-10-05T10:00:00Z'
        from generate_series(${first}::int, ${last}::int) n`.execute(gateway.owner.system)
    await addScans(1, 1000)
    expect(await reports.redemptions(client, { ...autumn, by: 'store' })).toHaveLength(1000)
    await addScans(1001, 1001)
    await expect(reports.redemptions(client, { ...autumn, by: 'store' })).rejects.toMatchObject({
      reason: 'REPORT_TOO_LARGE',
    })
  })
})

it('reports contain nothing of another project, and staff may not read them', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const { projectId } = project
  await sql`
    insert into gateway.card_verifications (project_id, program, action, nonce, requested_card, created_at)
    values (${projectId}, 'event', 'CHECK_IN', 'n', 'code', '2026-10-05T10:00:00Z')`.execute(
    gateway.owner.system,
  )
  const input = { ...autumn, by: 'month' } as const
  expect(await reports.redemptions(other.client, input)).toEqual([])
  for (const role of [Role.OWNER, Role.MANAGER, Role.AUDITOR]) {
    const person = await addPerson(gateway, {
      email: `${role}-${projectId}@shop.example`,
      role,
      project: projectId,
    })
    expect(await reports.redemptions(person.client(projectId), input)).toHaveLength(1)
  }
  const staff = await addPerson(gateway, {
    email: `staff-${projectId}@shop.example`,
    role: Role.STAFF,
    project: projectId,
  })
  for (const read of [reports.sales, reports.redemptions])
    await expect(read(staff.client(projectId), input)).rejects.toMatchObject({ status: 403 })
})
