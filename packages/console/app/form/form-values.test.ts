import { describe, expect, it } from 'vitest'
import { type FieldDefinitions, fromRecord, sortIssues, toInput } from './form-values.ts'

const fields: FieldDefinitions = {
  name: { kind: 'text', label: 'Name', isRequired: true },
  note: { kind: 'multiline', label: 'Note', sendsEmpty: true },
  total: { kind: 'integer', label: 'Total' },
  price: { kind: 'amount', label: 'Price', decimals: 6 },
  endTime: { kind: 'time', label: 'End' },
  wallet: { kind: 'address', label: 'Wallet' },
  isHidden: { kind: 'boolean', label: 'Hidden' },
  type: { kind: 'select', label: 'Type', options: [{ value: '2', label: 'Two' }], isNumber: true },
  scopes: { kind: 'choices', label: 'Scopes', options: [{ value: 'a', label: 'A' }] },
  stores: { kind: 'lines', label: 'Stores' },
}
const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

describe('toInput', () => {
  it('converts what was entered to the types of the input', () => {
    const { input, issues } = toInput(fields, {
      name: ' Coffee ',
      note: 'Free',
      total: '12',
      price: '1.5',
      endTime: '2026-07-01T10:30',
      wallet,
      isHidden: true,
      type: '2',
      scopes: ['a'],
      stores: 'Berlin\n\n Hamburg ',
    })
    expect(issues).toEqual([])
    expect(input).toEqual({
      name: 'Coffee',
      note: 'Free',
      total: 12,
      price: '1500000',
      endTime: new Date('2026-07-01T10:30').toISOString(),
      wallet,
      isHidden: true,
      type: 2,
      scopes: ['a'],
      stores: ['Berlin', 'Hamburg'],
    })
  })

  it('omits empty fields, and sends an empty text only where that clears the field', () => {
    const { input, issues } = toInput(fields, { name: 'Coffee' })
    expect(issues).toEqual([])
    expect(input).toEqual({ name: 'Coffee', note: '', isHidden: false })
  })

  it('says what is missing in a field with an input of its own', () => {
    const events = { kind: 'custom', label: 'Events', missing: 'Choose one', render: () => null } as const
    expect(toInput({ events }, { events: [] }).issues).toEqual([{ path: 'events', message: 'Choose one' }])
    expect(toInput({ events }, { events: ['*'] }).input).toEqual({ events: ['*'] })
  })

  it('names each field that cannot be converted', () => {
    const entered = { total: '1.5', price: '1.1234567', endTime: 'soon', wallet: '0x12' }
    const { issues } = toInput(fields, entered)
    expect(issues.map(({ path }) => path)).toEqual(['name', 'total', 'price', 'endTime', 'wallet'])
  })
})

it('fromRecord shows what toInput has sent', () => {
  const input = {
    name: 'Coffee',
    note: 'Free',
    total: 12,
    price: '1500000',
    endTime: '2026-07-01T10:30:00.000Z',
    wallet,
    isHidden: true,
    type: 2,
    scopes: ['a'],
    stores: ['Berlin', 'Hamburg'],
  }
  expect(toInput(fields, fromRecord(fields, input)).input).toEqual(input)
})

it('sortIssues assigns issues to fields by the beginning of their paths', () => {
  const { byField, others } = sortIssues(fields, [
    { path: 'name', message: 'Too long' },
    { path: 'name', message: 'Second' },
    { path: 'scopes.1', message: 'Unknown' },
    { path: 'other', message: 'Required' },
    { path: '', message: 'Broken' },
  ])
  expect(byField).toEqual({ name: 'Too long', scopes: '1: Unknown' })
  expect(others.map(({ message }) => message)).toEqual(['Required', 'Broken'])
})
