import type { Issue } from '@mintmark/envelope'
import { type Conversion, splitLines } from '../../form/form-values.ts'
import { explorerTexts as texts } from '../../texts/explorer.ts'
import type { DocumentedField, JsonSchema } from './api-document.ts'

/** How a field is entered. */
export type FieldControl = 'text' | 'number' | 'choice' | 'lines' | 'json'

/** What a person has entered, as texts by field. */
export type EnteredInput = Readonly<Record<string, string>>

/** Selects how a field is entered by its schema. */
export function getControl({ type, enum: choices, items }: JsonSchema): FieldControl {
  if (choices !== undefined || type === 'boolean') return 'choice'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'array' && items?.type === 'string') return 'lines'
  return type === 'string' ? 'text' : 'json'
}

/** Lists the values of a field that is a choice. */
export function listChoices({ type, enum: choices }: JsonSchema): readonly unknown[] {
  return choices ?? (type === 'boolean' ? [true, false] : [])
}

/** Converts what was entered to the input of an operation. Empty fields are left out. */
export function toCallInput(
  fields: readonly DocumentedField[],
  entered: EnteredInput,
): { readonly input: Readonly<Record<string, unknown>>; readonly issues: readonly Issue[] } {
  const input: Record<string, unknown> = {}
  const issues: Issue[] = []
  for (const { name, schema } of fields) {
    const text = entered[name] ?? ''
    if (text.trim() === '') continue
    const conversion = convert(schema, text)
    if ('message' in conversion) issues.push({ path: name, message: conversion.message })
    else input[name] = conversion.value
  }
  return { input, issues }
}

function convert(schema: JsonSchema, text: string): Conversion {
  switch (getControl(schema)) {
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text.trim()) ? { value: Number(text) } : { message: 'Enter a number' }
    case 'choice':
      return { value: listChoices(schema).find((choice) => String(choice) === text) }
    case 'lines':
      return { value: splitLines(text).filter((line) => line !== '') }
    case 'json':
      return parseJson(text)
    default:
      return { value: text }
  }
}

function parseJson(text: string): Conversion {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { message: 'Enter valid JSON' }
  }
}

/**
 * Parses an input that was entered as JSON. Undefined unless it is an object. An empty text is an empty
 * input.
 */
export function parseInputText(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === '') return {}
  const conversion = parseJson(text)
  if (!('value' in conversion)) return undefined
  const { value } = conversion
  return value instanceof Object && !Array.isArray(value) ? { ...value } : undefined
}

/** Converts the input of an operation to what a form shows. */
export function toEntered(
  fields: readonly DocumentedField[],
  input: Readonly<Record<string, unknown>>,
): EnteredInput {
  const shown = fields.filter(({ name }) => input[name] !== undefined)
  return Object.fromEntries(shown.map(({ name, schema }) => [name, formatEntered(schema, input[name])]))
}

/** Converts what was entered in a form to JSON. What cannot be converted stays a text, which the check refuses. */
export function toJsonText(fields: readonly DocumentedField[], entered: EnteredInput): string {
  const { input, issues } = toCallInput(fields, entered)
  const unfinished = Object.fromEntries(issues.map(({ path }) => [path, entered[path]]))
  return JSON.stringify({ ...input, ...unfinished }, null, 2)
}

/**
 * Converts an input that was entered as JSON to what a form shows. The form must send the same input, so there is
 * a message instead if the text is no object, or has something that the form cannot show.
 */
export function toForm(
  fields: readonly DocumentedField[],
  text: string,
): { readonly entered: EnteredInput } | { readonly message: string } {
  const input = parseInputText(text)
  if (input === undefined) return { message: texts.notJson }
  const entered = toEntered(fields, input)
  const { input: sent } = toCallInput(fields, entered)
  const isSame = Object.keys(input).every(
    (name) => JSON.stringify(sent[name]) === JSON.stringify(input[name]),
  )
  return isSame
    ? { entered }
    : {
        message:
          'The form cannot show all of this, such as an empty text or an unknown field. Send it as JSON',
      }
}

function formatEntered(schema: JsonSchema, value: unknown): string {
  const control = getControl(schema)
  if (control === 'json') return JSON.stringify(value, null, 2)
  if (control === 'lines' && Array.isArray(value)) return value.join('\n')
  return value instanceof Object ? JSON.stringify(value) : String(value)
}
