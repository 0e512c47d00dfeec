import { commemorativeCards, eventCards, membershipCards, promoCodeCards } from '@mintmark/cards'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cardBody } from '../../../testing/cards.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { clientOf, sampleProject } from '../../../testing/samples/calls.ts'
import { newAddress } from '../../../testing/samples/sample.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

const programs = { commemorativeCards, eventCards, membershipCards, promoCodeCards }

describe.each(Object.entries(programs))('the caller’s own reference of %s', (name, group) => {
  // The programs take the same input here.
  const program = group as typeof promoCodeCards

  it('is set by create, createBatch and update, and finds exactly the cards that have it', async () => {
    const { client } = await sampleProject(gateway, name)
    const one = await program.create(client, { ...cardBody, reference: 'batch 7' })
    const [two, three] = await program.createBatch(client, {
      cards: [{ ...cardBody, reference: 'batch 7' }, cardBody],
    })
    const ids = async (input: Parameters<typeof program.search>[1]) => {
      const { list, totalRow } = await program.search(client, input)
      expect(totalRow).toBe(list.length)
      return list.map(({ id }) => id)
    }
    expect(one.reference).toBe('batch 7')
    expect(three).not.toHaveProperty('reference')
    expect(await ids({ reference: 'batch 7' })).toEqual([two?.id, one.id])
    expect(await ids({ reference: 'batch 7', orderBy: 'name' })).toEqual([one.id, two?.id])
    expect(await ids({ reference: 'batch 7', from: '2026-01-01T00:00:00Z', orderBy: 'createTime' })).toEqual([
      one.id,
      two?.id,
    ])
    expect(await ids({ reference: 'batch 7', to: '2026-01-01T00:00:00Z' })).toEqual([])
    expect(await ids({ reference: 'batch 7', keyword: 'Opening', status: 'ACTIVE' })).toHaveLength(2)
    expect(await ids({ reference: 'batch%' })).toEqual([])
    const changed = await program.update(client, { id: one.id, reference: 'batch 8' })
    expect(changed.reference).toBe('batch 8')
    const renamed = await program.update(client, { id: one.id, name: 'Last night' })
    expect(renamed.reference).toBe('batch 8')
    expect(await ids({ reference: 'batch 7' })).toEqual([two?.id])
    expect(await ids({ reference: 'batch 8' })).toEqual([one.id])
    await program.remove(client, { id: one.id })
    expect(await ids({ reference: 'batch 8' })).toEqual([])
    expect(await ids({ reference: 'batch 8', status: 'REMOVED' })).toEqual([one.id])
  })

  it('belongs to the wallet that set it last: others neither read it nor find by it', async () => {
    const project = `${name} of wallets`
    const [mine, theirs] = await Promise.all(
      [newAddress(), newAddress()].map(async (wallet) =>
        clientOf(gateway, await gateway.newKey({ project, wallet })),
      ),
    )
    if (mine === undefined || theirs === undefined) throw new Error('There are two clients')
    const { id } = await program.create(mine, { ...cardBody, reference: 'secret' })
    expect(await program.get(theirs, { id })).not.toHaveProperty('reference')
    expect((await program.list(theirs)).list[0]).not.toHaveProperty('reference')
    expect((await program.search(theirs, { reference: 'secret' })).totalRow).toBe(0)
    expect(await program.update(theirs, { id, name: 'Renamed' })).not.toHaveProperty('reference')
    expect((await program.search(mine, { reference: 'secret' })).totalRow).toBe(1)
    expect(await program.update(theirs, { id, reference: 'theirs' })).toMatchObject({ reference: 'theirs' })
    expect(await program.get(mine, { id })).not.toHaveProperty('reference')
    expect((await program.search(mine, { reference: 'theirs' })).totalRow).toBe(0)
  })
})
