import type { FieldDefinitions } from '../../../form/form-values.ts'
import { t } from '../../../language/translate.ts'
import { cardFieldTexts } from '../../../texts/cards.ts'
import { listOwnFields } from '../card-fields.ts'
import type { ProgramName } from '../programs.ts'

/** How the text of a cell is converted. */
export type ImportKind = 'text' | 'time' | 'endTime' | 'integer' | 'number' | 'boolean' | 'list'

/** A field of a card that a file can contain. */
export interface ImportField {
  /** The name of the field in the operation's input. */
  readonly name: string
  readonly label: string
  readonly kind: ImportKind
  readonly isRequired: boolean
}

function field(name: string, label: string, kind: ImportKind = 'text', isRequired = false): ImportField {
  return { name, label, kind, isRequired }
}

const texts = cardFieldTexts

const shared: readonly ImportField[] = [
  field('name', texts.name.label, 'text', true),
  field('startTime', texts.startTime.label, 'time', true),
  field('endTime', texts.endTime.label, 'endTime', true),
  field('totalIssued', texts.totalIssued.promoCodeCards.label, 'integer', true),
  field('applicableStores', texts.applicableStores.label, 'list'),
  field('usageInstructions', texts.usageInstructions.label),
  field('logoUrl', texts.logoUrl.label),
  field('backgroundImageUrl', texts.backgroundImageUrl.label),
  field('reference', t('Your reference')),
  field('nftAddress', texts.nftAddress.label),
  field('nftId', texts.nftId.label),
]

/** How cells are converted for fields of the form that are no text. */
const KINDS: Partial<Record<FieldDefinitions[string]['kind'], ImportKind>> = {
  boolean: 'boolean',
  integer: 'integer',
  lines: 'list',
  number: 'number',
  time: 'time',
}

/** Lists the fields that only this program has, from its form. */
function listOwnImportFields(program: ProgramName): readonly ImportField[] {
  return Object.entries(listOwnFields(program, 'change')).map(([name, { label, kind }]) =>
    field(name, label, KINDS[kind]),
  )
}

/** Lists the fields that a file of a program's cards can contain. */
export function listImportFields(program: ProgramName): readonly ImportField[] {
  const total = texts.totalIssued[program].label
  const fields = shared.map((each) => (each.name === 'totalIssued' ? { ...each, label: total } : each))
  return [...fields, ...listOwnImportFields(program)]
}

/** The column of a file with failed rows that says why. It is ignored when the corrected file is imported. */
export const REASON_COLUMN = t('not imported because')

/**
 * Where the value of a field comes from: a column of the file, by its index, or a text that all rows share.
 */
export type FieldSource =
  | { readonly kind: 'none' }
  | { readonly kind: 'column'; readonly index: number }
  | { readonly kind: 'fixed'; readonly text: string }

/** The source of each field, by name. */
export type FieldMapping = Readonly<Record<string, FieldSource>>

/**
 * Assigns columns to fields by their names, whatever their case and signs; `Valid from` and `startTime` are
 * the same.
 */
export function suggestMapping(fields: readonly ImportField[], header: readonly string[]): FieldMapping {
  const names = header.map(normalize)
  return Object.fromEntries(
    fields.map(({ name, label }): [string, FieldSource] => {
      const byName = names.indexOf(normalize(name))
      const index = byName >= 0 ? byName : names.indexOf(normalize(label))
      return [name, index < 0 ? { kind: 'none' } : { kind: 'column', index }]
    }),
  )
}

function normalize(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}
