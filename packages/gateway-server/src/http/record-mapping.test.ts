import { record, Timestamp } from '@mintmark/envelope'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { toColumns, toRecord } from './record-mapping.ts'

const schema = record({
  createTime: Timestamp,
  createTimeLong: v.number(),
  endTime: Timestamp,
  nftAddress: v.string(),
  note: v.optional(v.string()),
  reference: v.optional(v.string()),
})
const row = {
  created_at: new Date('2026-01-01T00:00:00Z'),
  end_time: new Date('2027-01-01T00:00:00Z'),
  nft_address: '0xa1',
  note: 'kept',
  reference: 'of somebody else',
  secret: 'not in the record',
}
const fromColumns = {
  createTime: '2026-01-01T00:00:00.000Z',
  createTimeLong: 1_767_225_600_000,
  endTime: '2027-01-01T00:00:00.000Z',
  nftAddress: '0xa1',
  note: 'kept',
}

it('creates a record of the fields that its schema has, with times as texts', () => {
  expect(toRecord(schema, row, { reference: 'own' })).toEqual({ ...fromColumns, reference: 'own' })
})

it('prefers the given value of a field to that of its column', () => {
  const record = toRecord(schema, row, { note: undefined, reference: undefined })
  expect(record).toEqual({ ...fromColumns, note: undefined, reference: undefined })
})

it('does not compile while a field lacks a value, or a reference is copied from its column', () => {
  // @ts-expect-error: only the reader's own reference belongs into a record.
  toRecord(schema, row)
  const { end_time, ...others } = row
  // @ts-expect-error: no column has the end.
  toRecord(schema, others, { reference: 'own' })
  // @ts-expect-error: the record has a text.
  toRecord(schema, { ...row, nft_address: 7 }, { reference: 'own' })
})

it('names the columns of an input', () => {
  expect(toColumns({ nftAddress: '0xa1', name: undefined })).toEqual({ nft_address: '0xa1', name: undefined })
})
