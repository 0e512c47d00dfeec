import type { Issue } from '@mintmark/envelope'
import type { ReactNode } from 'react'
import { parseAmount, toPlainAmount } from '../format/amount.ts'
import { DECIMAL_SEPARATOR, swapSeparators } from '../format/number.ts'
import { fromLocalInput, toLocalInput } from '../format/time.ts'
import { toImageAddress } from '../format/web-address.ts'
import { t } from '../language/translate.ts'
import { formTexts } from '../texts/shell.ts'

interface FieldBase {
  readonly label: string
  readonly description?: string
  /** Whether a value must be entered. Default: no. */
  readonly isRequired?: boolean
}

interface OptionDefinition {
  readonly value: string
  readonly label: string
  readonly description?: string
}

/** A field of a form, by what it lets people enter. */
export type FieldDefinition =
  | (FieldBase & {
      readonly kind: 'text' | 'multiline' | 'email' | 'url' | 'picture' | 'address' | 'code'
      /** Whether an empty field is sent as `''`, which clears it. Default: it is omitted. */
      readonly sendsEmpty?: boolean
      readonly placeholder?: string
      /** What the text must look like, with what is said otherwise, also of a missing one. Default: anything. */
      readonly check?: { readonly pattern: RegExp; readonly message: string }
    })
  | (FieldBase & { readonly kind: 'integer'; readonly min?: number })
  /** A number that is not negative, with at most 9 decimals. */
  | (FieldBase & { readonly kind: 'number' })
  /** An amount in whole tokens, which is sent in base units. */
  | (FieldBase & { readonly kind: 'amount'; readonly decimals: number })
  /** A local date and time, which is sent in UTC. */
  | (FieldBase & { readonly kind: 'time' })
  | (FieldBase & { readonly kind: 'boolean' })
  /** One of some values. `isNumber` sends it as a number. */
  | (FieldBase & {
      readonly kind: 'select' | 'radio'
      readonly options: readonly OptionDefinition[]
      readonly isNumber?: boolean
    })
  /** Any of some values, which are sent as an array. */
  | (FieldBase & { readonly kind: 'choices'; readonly options: readonly OptionDefinition[] })
  /** A text in each line, which are sent as an array. */
  | (FieldBase & { readonly kind: 'lines' })
  /**
   * A name and a value in each line, as in `paper: cotton`, which are sent as an array of objects with the
   * two given keys.
   */
  | (FieldBase & { readonly kind: 'pairs'; readonly keys: readonly [string, string] })
  /** Any of some values, with an input of its own. */
  | (FieldBase & {
      readonly kind: 'custom'
      /** What is said without any. */
      readonly missing: string
      readonly render: (input: CustomInput) => ReactNode
    })

/** What an input of its own shows. */
export interface CustomInput {
  readonly value: readonly string[]
  readonly error: string | undefined
  readonly onChange: (value: readonly string[]) => void
}

/** The fields of a form, by the names of the operation's input. */
export type FieldDefinitions = Readonly<Record<string, FieldDefinition>>

/** What a person has entered, by field. */
export type FormValues = Readonly<Record<string, string | boolean | readonly string[]>>

/** A converted value, or why it cannot be converted. */
export type Conversion = { readonly value: unknown } | { readonly message: string }

/** What a form shows of these fields can lack something, such as the seconds of a time. */
const SHORTENED: ReadonlySet<FieldDefinition['kind']> = new Set(['time', 'lines', 'pairs'])

/**
 * Converts what was entered to the input of an operation. Empty fields are omitted. `issues` names the fields
 * that cannot be converted.
 *
 * @param record The record that the form has shown, as in `fromRecord`. What nobody changed stays as it is.
 */
export function toInput(
  fields: FieldDefinitions,
  values: FormValues,
  record: object = {},
): { readonly input: Readonly<Record<string, unknown>>; readonly issues: readonly Issue[] } {
  const input: Record<string, unknown> = {}
  const issues: Issue[] = []
  const shown = fromRecord(fields, record)
  const stored = new Map<string, unknown>(Object.entries(record))
  for (const [name, field] of Object.entries(fields)) {
    const isKept = SHORTENED.has(field.kind) && shown[name] !== '' && values[name] === shown[name]
    const conversion = isKept ? { value: stored.get(name) } : convert(field, values[name])
    if ('message' in conversion) issues.push({ path: name, message: conversion.message })
    else if (conversion.value !== undefined) input[name] = conversion.value
  }
  const { startTime, endTime } = input
  if (typeof startTime === 'string' && typeof endTime === 'string' && endTime <= startTime)
    issues.push({
      path: 'endTime',
      message: t('Choose a time after “{label}”', { label: fields.startTime?.label ?? '' }),
    })
  return { input, issues }
}

function convert(field: FieldDefinition, entered: FormValues[string] | undefined): Conversion {
  if (field.kind === 'boolean') return { value: entered === true }
  if (Array.isArray(entered)) return convertList(field, entered)
  const text = typeof entered === 'string' ? entered.trim() : ''
  if (field.kind === 'lines') return convertList(field, splitLines(text))
  if (field.kind === 'pairs') return convertPairs(field, text)
  if (text === '') return convertEmpty(field)
  return convertText(field, text)
}

/** Splits a text into its lines, without the spaces around each. */
export const splitLines = (text: string): readonly string[] => text.split('\n').map((line) => line.trim())

function convertList(field: FieldDefinition, entries: readonly string[]): Conversion {
  const list = entries.filter((entry) => entry !== '')
  if (list.length > 0) return { value: list }
  if (field.kind === 'custom') return { message: field.missing }
  return field.isRequired ? { message: formTexts.required } : { value: undefined }
}

/**
 * Converts lines of names and values. An empty text is an empty array, which clears the pairs of a record.
 */
function convertPairs(
  { keys: [nameKey, valueKey] }: FieldDefinition & { kind: 'pairs' },
  text: string,
): Conversion {
  const lines = splitLines(text)
  const wrong = lines.findIndex((line) => line !== '' && !/^[^:]+:/.test(line))
  if (wrong !== -1)
    return {
      message: t('Line {line}: enter a name, a colon and a value, as in paper: cotton', {
        line: wrong + 1,
      }),
    }
  const pairs = lines
    .filter((line) => line !== '')
    .map((line) => {
      const colon = line.indexOf(':')
      return { [nameKey]: line.slice(0, colon).trim(), [valueKey]: line.slice(colon + 1).trim() }
    })
  return { value: pairs }
}

function convertEmpty(field: FieldDefinition): Conversion {
  if (field.isRequired) return { message: getCheck(field)?.message ?? formTexts.required }
  return { value: 'sendsEmpty' in field && field.sendsEmpty ? '' : undefined }
}

function getCheck(field: FieldDefinition) {
  return 'check' in field ? field.check : undefined
}

function convertText(field: FieldDefinition, text: string): Conversion {
  const check = getCheck(field)
  if (check?.pattern.test(text) === false) return { message: check.message }
  switch (field.kind) {
    case 'integer':
      if (!/^-?\d{1,15}$/.test(text)) return { message: t('Enter a whole number') }
      return field.min !== undefined && Number(text) < field.min
        ? { message: t('Enter at least {min}', { min: field.min }) }
        : { value: Number(text) }
    case 'number': {
      const value = parseNumber(swapSeparators(text))
      return value === undefined
        ? {
            message: t('Enter a number such as {example}, with at most 9 decimals', {
              example: swapSeparators('12.5'),
            }),
          }
        : { value }
    }
    case 'picture':
      return toImageAddress(text) === undefined
        ? { message: t('Enter an address that begins with https://') }
        : { value: text }
    case 'amount': {
      const value = parseAmount(text, field.decimals)
      return value === undefined
        ? {
            message: formatWrongAmount(field.decimals),
          }
        : { value }
    }
    case 'time': {
      const value = fromLocalInput(text)
      return value === undefined ? { message: t('Enter a date and a time') } : { value }
    }
    case 'address':
      return /^0x[0-9a-f]{40}$/i.test(text)
        ? { value: text }
        : { message: t('Enter an address: 0x and 40 hexadecimal digits') }
    case 'select':
    case 'radio':
      return { value: field.isNumber ? Number(text) : text }
    default:
      return { value: text }
  }
}

function formatWrongAmount(decimals: number): string {
  return DECIMAL_SEPARATOR === ','
    ? t('Enter an amount with at most {decimals} decimals. Write a comma before them, not a point', {
        decimals,
      })
    : t('Enter an amount with at most {decimals} decimals. Write a point before them, not a comma', {
        decimals,
      })
}

/** Parses a number that is not negative; undefined for another text. */
export function parseNumber(text: string): number | undefined {
  return /^\d{1,15}(\.\d{1,9})?$/.test(text) ? Number(text) : undefined
}

/**
 * Converts a record to what a form shows: times to local ones, amounts to whole tokens. Fields without a
 * value are empty.
 */
export function fromRecord(fields: FieldDefinitions, record: object): FormValues {
  const values = Object.entries<unknown>({ ...record })
  const byName = new Map(values)
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, toEntered(field, byName.get(name))]),
  )
}

function toEntered(field: FieldDefinition, value: unknown): FormValues[string] {
  if (field.kind === 'boolean') return value === true
  if (field.kind === 'choices' || field.kind === 'custom')
    return Array.isArray(value) ? value.map(String) : []
  if (value === undefined || value === null || value === '') return ''
  if (field.kind === 'pairs' && Array.isArray(value)) {
    const [nameKey, valueKey] = field.keys
    return value.map((pair) => `${pair[nameKey]}: ${pair[valueKey]}`).join('\n')
  }
  if (Array.isArray(value)) return value.join('\n')
  if (field.kind === 'number') return swapSeparators(String(value))
  if (field.kind === 'time') return toLocalInput(String(value))
  if (field.kind === 'amount') {
    return swapSeparators(toPlainAmount({ baseUnits: String(value), decimals: field.decimals }))
  }
  return String(value)
}

/** The messages of issues by field, and those that belong to no field of the form. */
export interface SortedIssues {
  readonly byField: Readonly<Record<string, string>>
  readonly others: readonly Issue[]
}

/**
 * Assigns issues to the fields that they name by the first part of their path, such as `cards` of
 * `cards.3.name`.
 */
export function sortIssues(fields: FieldDefinitions, issues: readonly Issue[]): SortedIssues {
  const byField: Record<string, string> = {}
  const others: Issue[] = []
  for (const issue of issues) {
    const [name = '', ...rest] = issue.path.split('.')
    if (!(name in fields)) others.push(issue)
    else byField[name] ??= rest.length === 0 ? issue.message : `${rest.join('.')}: ${issue.message}`
  }
  return { byField, others }
}
