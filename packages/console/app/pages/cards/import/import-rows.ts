import { inputIssues, type OperationShape } from '@mintmark/operation'
import { type Conversion, parseNumber } from '../../../form/form-values.ts'
import { readCell } from '../../../format/csv.ts'
import { t } from '../../../language/translate.ts'
import type { CsvRecord } from './csv-record.ts'
import type { FieldMapping, ImportField } from './import-fields.ts'

/** What is wrong with a row. */
export interface RowProblem {
  /** The name of the field; `''` for the whole row. */
  readonly field: string
  readonly message: string
}

/** A row of a file as the input of the operation, or what is wrong with it. */
export interface ImportRow {
  /** The line of the file, from 1. */
  readonly line: number
  readonly cells: readonly string[]
  readonly input: Readonly<Record<string, unknown>>
  readonly problems: readonly RowProblem[]
}

/** Converts the records of a file. `columnCount` is that of the header. */
export function toImportRows(
  records: readonly CsvRecord[],
  columnCount: number,
  fields: readonly ImportField[],
  mapping: FieldMapping,
  operation: OperationShape,
): readonly ImportRow[] {
  return records.map((record) => toImportRow(record, columnCount, fields, mapping, operation))
}

function toImportRow(
  { line, cells }: CsvRecord,
  columnCount: number,
  fields: readonly ImportField[],
  mapping: FieldMapping,
  operation: OperationShape,
): ImportRow {
  if (cells.length !== columnCount) {
    const problems = [
      {
        field: '',
        message: t('The row has {count} cells, and the first row has {columnCount}', {
          count: cells.length,
          columnCount,
        }),
      },
    ]
    return { line, cells, input: {}, problems }
  }
  const input: Record<string, unknown> = {}
  const problems: RowProblem[] = []
  for (const field of fields) {
    const conversion = convert(field, readText(mapping[field.name], cells))
    if (typeof conversion === 'object' && 'message' in conversion)
      problems.push({ field: field.name, message: conversion.message })
    else if (conversion.value !== undefined) input[field.name] = conversion.value
  }
  if (problems.length === 0) problems.push(...checkRow(input, operation))
  return { line, cells, input, problems }
}

function readText(source: FieldMapping[string] | undefined, cells: readonly string[]): string {
  if (source?.kind === 'column') return readCell((cells[source.index] ?? '').trim())
  return source?.kind === 'fixed' ? source.text.trim() : ''
}

function checkRow(
  input: Readonly<Record<string, unknown>>,
  operation: OperationShape,
): readonly RowProblem[] {
  const { startTime, endTime } = input
  const isBackwards = typeof startTime === 'string' && typeof endTime === 'string' && endTime <= startTime
  return [
    ...inputIssues(operation, input).map(({ path, message }) => ({ field: path, message })),
    ...(isBackwards ? [{ field: 'endTime', message: t('The end must be after the start') }] : []),
  ]
}

/** Converts the text of a cell. An empty one is left out. */
function convert({ kind, isRequired }: ImportField, text: string): Conversion {
  if (text === '') return isRequired ? { message: t('Enter a value') } : { value: undefined }
  switch (kind) {
    case 'text':
      return { value: text }
    case 'integer':
      return /^\d{1,15}$/.test(text) && Number(text) > 0
        ? { value: Number(text) }
        : { message: t('Enter a whole number from 1') }
    case 'number': {
      const value = parseNumber(text)
      return value === undefined ? { message: t('Enter a number such as 12.5') } : { value }
    }
    case 'boolean':
      if (/^(true|yes|ja|sí|si|1)$/i.test(text)) return { value: true }
      return /^(false|no|nein|0)$/i.test(text) ? { value: false } : { message: t('Enter yes or no') }
    case 'list':
      return { value: parseList(text) }
    case 'time':
    case 'endTime': {
      const value = parseTime(text, kind === 'endTime')
      return value === undefined
        ? { message: t('Enter a date such as 2026-12-31, or a time such as 2026-12-31 18:00') }
        : { value }
    }
  }
}

/** Splits a list: a JSON array, or entries separated by semicolons. */
function parseList(text: string): readonly string[] {
  if (text.startsWith('[')) {
    try {
      const list: unknown = JSON.parse(text)
      if (Array.isArray(list)) return list.map(String)
    } catch {
      // The first entry begins with a bracket, so the text is no JSON.
    }
  }
  return text
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

/**
 * Parses a time: ISO 8601 with a time zone, or a date with or without a time in the time zone of the browser.
 * A date without a time is its beginning, or its last second for the end of a period. Undefined for any other
 * text, such as `31.12.2026`, whose order of day and month is not certain.
 */
export function parseTime(text: string, isEnd: boolean): string | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?$/.exec(
    text,
  )
  if (match === null) return undefined
  const [, year, month, day, hours, minutes, seconds, zone] = match
  const isDate = hours === undefined
  // A date has no time zone.
  if (isDate && zone !== undefined) return undefined
  const clock = isDate ? (isEnd ? '23:59:59' : '00:00:00') : `${hours}:${minutes}:${seconds ?? '00'}`
  const moment = new Date(`${year}-${month}-${day}T${clock}${zone ?? ''}`)
  if (Number.isNaN(moment.getTime()) || !isDay(Number(year), Number(month), Number(day))) return undefined
  return moment.toISOString()
}

/** Whether a month has a day. `Date` continues with the next month instead. */
function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}
