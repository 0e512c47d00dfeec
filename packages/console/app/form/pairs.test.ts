import { expect, it } from 'vitest'
import { type FieldDefinitions, fromRecord, toInput } from './form-values.ts'

const fields: FieldDefinitions = {
  properties: { kind: 'pairs', label: 'Properties', keys: ['trait_type', 'value'] },
}

it('sends a name and a value of each line, and shows them again', () => {
  const properties = [
    { trait_type: 'paper', value: 'cotton' },
    { trait_type: 'ratio', value: '16:9' },
  ]
  const { input, issues } = toInput(fields, { properties: ' paper: cotton\n\nratio:16:9 ' })
  expect(issues).toEqual([])
  expect(input).toEqual({ properties })
  expect(fromRecord(fields, { properties })).toEqual({ properties: 'paper: cotton\nratio: 16:9' })
})

it('names the line that has no colon', () => {
  const { issues } = toInput(fields, { properties: 'paper: cotton\n\nlinen' })
  expect(issues).toEqual([{ path: 'properties', message: expect.stringContaining('Line 3') }])
})

it('sends no pairs for an empty field, which clears those of a record', () => {
  expect(toInput(fields, { properties: '' }).input).toEqual({ properties: [] })
})

it('keeps what a record contains and a form cannot show, where nobody changes it', () => {
  const all: FieldDefinitions = {
    ...fields,
    stores: { kind: 'lines', label: 'Stores' },
    startTime: { kind: 'time', label: 'Start' },
  }
  const record = {
    properties: [
      { trait_type: 'ratio: wide', value: '16:9' },
      { trait_type: 'poem', value: 'first line\nsecond line' },
      { trait_type: '', value: 'without a name' },
    ],
    stores: ['Harbour\nStation', ' Köln '],
    startTime: '2026-01-15T10:00:59.500Z',
  }
  const shown = fromRecord(all, record)
  expect(toInput(all, shown, record)).toEqual({ input: record, issues: [] })
  const { input } = toInput(all, { ...shown, properties: 'paper: cotton', startTime: '' }, record)
  expect(input).toEqual({ properties: [{ trait_type: 'paper', value: 'cotton' }], stores: record.stores })
})
