import type { Store } from '@mintmark/cards'
import type { Contract } from '@mintmark/contracts'
import { describe, expect, it } from 'vitest'
import { fromRecord, toInput } from '../../form/form-values.ts'
import { listCardFields, selectChanges, toShownCard } from './card-fields.ts'
import type { AnyCard } from './programs.ts'

const ADDRESS = '0x00000000000000000000000000000000000000c3'
const contract = { nftAddress: ADDRESS, name: 'Prints' } as Contract
const card = {
  id: 7,
  name: 'A free coffee',
  nftAddress: ADDRESS,
  nftId: '',
  totalIssued: 10,
  usageInstructions: 'Ask.',
  startTime: '2026-01-01T00:00:30.000Z',
  endTime: '2026-12-31T23:59:59.000Z',
  logoUrl: '',
  validityPeriod: '2026-12-31T23:59:59.000Z',
  applicableStores: '["Berlin","Köln, Dom"]',
  backgroundImageUrl: '',
  usedCount: 1,
  isRedeemed: false,
} as unknown as AnyCard

const changing = listCardFields('promoCodeCards', {
  mode: 'change',
  contracts: [contract],
  stores: [],
  nftAddress: ADDRESS,
})
const shown = toShownCard(card)
const change = (changes: object) => {
  const { input, issues } = toInput(changing, { ...fromRecord(changing, shown), ...changes }, shown)
  return { input: selectChanges(changing, input, shown), issues }
}

it('the changes of a card are none if nothing was entered, although the form shows no seconds', () => {
  expect(change({})).toEqual({ input: {}, issues: [] })
})

it('the changes of a card are the fields that were entered only', () => {
  expect(change({ name: 'Two coffees', totalIssued: '20' }).input).toEqual({
    name: 'Two coffees',
    totalIssued: 20,
  })
})

it('the changes of a card clear texts and lists', () => {
  expect(change({ usageInstructions: '', applicableStores: '' }).input).toEqual({
    usageInstructions: '',
    applicableStores: [],
  })
})

it('the changes of a card are refused where a required field is empty', () => {
  expect(change({ name: ' ' }).issues).toEqual([{ path: 'name', message: 'Enter a value' }])
})

describe('a new card', () => {
  const fields = listCardFields('commemorativeCards', { mode: 'create', contracts: [], stores: [] })
  const entered = {
    name: 'Ten years',
    nftAddress: ADDRESS,
    totalIssued: '5',
    amount: '12.5',
    startTime: '2026-01-01T00:00',
    endTime: '2026-12-31T00:00',
  }

  it('a new card has the converted values', () => {
    const { input, issues } = toInput(fields, entered)
    expect(issues).toEqual([])
    expect(input).toMatchObject({ name: 'Ten years', totalIssued: 5, amount: 12.5 })
  })

  it.each([
    ['amount', { amount: '12,5' }],
    ['amount', { amount: '-1' }],
    ['totalIssued', { totalIssued: '0' }],
    ['endTime', { endTime: '2025-12-31T00:00' }],
    ['logoUrl', { logoUrl: 'javascript:alert(1)' }],
    ['imageUrl', { imageUrl: 'http://shop.example/x.png' }],
    ['nftAddress', { nftAddress: 'Prints' }],
  ])('a new card is refused by the field %s for %j', (path, changes) => {
    expect(toInput(fields, { ...entered, ...changes }).issues).toEqual([
      { path, message: expect.any(String) },
    ])
  })
})

it('offers the contracts of the project, and the one of the card although it is not registered', () => {
  const fields = listCardFields('promoCodeCards', {
    mode: 'change',
    contracts: [contract],
    stores: [],
    nftAddress: '0xother',
  })
  const field = fields.nftAddress
  expect(field?.kind === 'select' && field.options.map(({ value }) => value)).toEqual(['0xother', ADDRESS])
})

describe('in a project with stores', () => {
  const store = (name: string, status: string) => ({ name, status }) as Store
  const choosing = listCardFields('promoCodeCards', {
    mode: 'change',
    contracts: [contract],
    stores: [
      store('Berlin', 'OPEN'),
      store('Bonn', 'OPEN'),
      store('Köln, Dom', 'CLOSED'),
      store('Trier', 'CLOSED'),
    ],
    chosenStores: ['Berlin', 'Köln, Dom'],
  })

  it('offers the open stores, and the closed ones that the card has', () => {
    const field = choosing.applicableStores
    const names = field?.kind === 'choices' && field.options.map(({ value }) => value)
    expect(names).toEqual(['Berlin', 'Bonn', 'Köln, Dom'])
  })

  it.each([
    [['Berlin', 'Köln, Dom'], {}],
    [['Berlin', 'Bonn'], { applicableStores: ['Berlin', 'Bonn'] }],
    [[], { applicableStores: [] }],
  ])('sends the chosen stores %j if they are others than before', (chosen, expected) => {
    const values = { ...fromRecord(choosing, shown), applicableStores: chosen }
    expect(selectChanges(choosing, toInput(choosing, values, shown).input, shown)).toEqual(expected)
  })
})
