import { parseApplicableStores } from '@mintmark/cards'
import type { Contract } from '@mintmark/contracts'
import type { Issue } from '@mintmark/envelope'
import { type FieldDefinitions, type FormValues, fromRecord, toInput } from '../../form/form-values.ts'
import { shortenIdentifier } from '../../format/identifier.ts'
import { toLocalInput } from '../../format/time.ts'
import { toImageAddress } from '../../format/web-address.ts'
import { cardFieldTexts } from '../../texts/cards.ts'
import type { AnyCard, ProgramName } from './programs.ts'

const texts = cardFieldTexts

const IS_CHECKED_IN = {
  label: 'The guest is checked in',
  description: 'Clear it to let the guest in once more, for example after a mistake.',
}
const LEVEL = { label: 'Level', description: 'Such as Gold.' }
const AMOUNT = {
  label: 'Amount',
  description: 'What one card represents, in a unit of your choice, such as 12.5.',
}
const IMAGE = { label: 'Picture', description: 'A picture of the occasion: its address (https), or a file.' }

/** Whether a form creates a card or changes one. */
export type CardFormMode = 'create' | 'change'

interface FieldChoices {
  readonly mode: CardFormMode
  /** The registered contracts, for a choice. Without any, an address is entered. */
  readonly contracts: readonly Contract[]
  /** The contract of the card that is changed. */
  readonly nftAddress?: string | undefined
}

/** Lists the fields of a card's form, in order. */
export function listCardFields(program: ProgramName, choices: FieldChoices): FieldDefinitions {
  const isChange = choices.mode === 'change'
  return {
    name: { kind: 'text', isRequired: true, ...texts.name },
    totalIssued: { kind: 'integer', isRequired: true, ...texts.totalIssued[program] },
    startTime: { kind: 'time', isRequired: true, ...texts.startTime },
    endTime: { kind: 'time', isRequired: true, ...texts.endTime },
    ...(isChange && hasValidity(program) && { validityPeriod: { kind: 'time', ...texts.validityPeriod } }),
    ...listOwnFields(program, choices.mode),
    usageInstructions: { kind: 'multiline', sendsEmpty: isChange, ...texts.usageInstructions },
    applicableStores: { kind: 'lines', ...texts.applicableStores },
    logoUrl: { kind: 'picture', sendsEmpty: isChange, ...texts.logoUrl },
    backgroundImageUrl: { kind: 'picture', sendsEmpty: isChange, ...texts.backgroundImageUrl },
    nftAddress: createContractField(choices),
    nftId: { kind: 'text', sendsEmpty: isChange, ...texts.nftId },
  }
}

/** What the form of a new card begins with: one use, within a year from now. */
export function createCardValues(): FormValues {
  const now = new Date()
  const endTime = new Date(now)
  endTime.setFullYear(now.getFullYear() + 1)
  return { totalIssued: '1', startTime: toLocalInput(now), endTime: toLocalInput(endTime) }
}

/** The fields that a shop without NFTs does not need. */
export const TECHNICAL_FIELDS: ReadonlySet<string> = new Set(['nftAddress', 'nftId'])

function hasValidity(program: ProgramName): boolean {
  return program === 'promoCodeCards' || program === 'membershipCards'
}

/** Lists the fields that only this program has, also for the import of files. */
export function listOwnFields(program: ProgramName, mode: CardFormMode): FieldDefinitions {
  const isChange = mode === 'change'
  switch (program) {
    case 'promoCodeCards':
      return {}
    case 'eventCards':
      return isChange ? { isCheckedIn: { kind: 'boolean', ...IS_CHECKED_IN } } : {}
    case 'membershipCards':
      return {
        level: { kind: 'text', sendsEmpty: isChange, ...LEVEL },
        benefits: { kind: 'lines', ...texts.benefits },
      }
    case 'commemorativeCards':
      return {
        amount: { kind: 'text', ...AMOUNT },
        imageUrl: { kind: 'picture', sendsEmpty: isChange, ...IMAGE },
      }
  }
}

function createContractField({ mode, contracts, nftAddress }: FieldChoices): FieldDefinitions[string] {
  const names = new Map(contracts.map((contract) => [contract.nftAddress, contract.name]))
  const isRequired = mode === 'change'
  if (names.size === 0) return { kind: 'address', isRequired, ...texts.nftAddress }
  const options = [...names].map(([value, name]) => ({
    value,
    label: `${name} (${shortenIdentifier(value)})`,
  }))
  // The contract of the card can be one that is not registered.
  const own =
    nftAddress === undefined || names.has(nftAddress)
      ? []
      : [{ value: nftAddress, label: shortenIdentifier(nftAddress) }]
  return { kind: 'select', isRequired, options: [...own, ...options], ...texts.contract }
}

/** A converted form: the input of the operation, or what has to be corrected. */
export interface CardFormResult {
  readonly input: Readonly<Record<string, unknown>>
  readonly issues: readonly Issue[]
}

/** Converts what was entered for a new card. */
export function toNewCard(fields: FieldDefinitions, values: FormValues): CardFormResult {
  return convert(fields, values)
}

/**
 * Converts what was entered to the changes of a card: only fields whose value differs from the shown one, so
 * that what somebody else changed meanwhile stays, and times keep their seconds.
 */
export function toCardChanges(fields: FieldDefinitions, values: FormValues, card: AnyCard): CardFormResult {
  const initial = convert(fields, fromCard(fields, card)).input
  const { input, issues } = convert(fields, values)
  const changed = Object.keys(fields).filter(
    (name) => JSON.stringify(input[name]) !== JSON.stringify(initial[name]),
  )
  const changes = changed.map((name) => [name, input[name] ?? getEmptyValue(fields[name])] as const)
  return { input: Object.fromEntries(changes.filter(([, value]) => value !== undefined)), issues }
}

/** The value that clears a field; undefined for one that cannot be cleared. */
function getEmptyValue(field: FieldDefinitions[string] | undefined): unknown {
  return field?.kind === 'lines' ? [] : undefined
}

/** Returns what a form shows of a card. */
export function fromCard(fields: FieldDefinitions, card: AnyCard): FormValues {
  const values = fromRecord(fields, card)
  return { ...values, applicableStores: parseApplicableStores(card).join('\n') }
}

function convert(fields: FieldDefinitions, values: FormValues): CardFormResult {
  const { input, issues } = toInput(fields, values)
  const { amount } = input
  const number = typeof amount === 'string' ? parseNumber(amount) : undefined
  const converted = number === undefined ? input : { ...input, amount: number }
  return { input: converted, issues: [...issues, ...listFieldIssues(fields, converted)] }
}

/** Parses a number that is not negative; undefined for another text. */
export function parseNumber(text: string): number | undefined {
  return /^\d{1,15}(\.\d{1,9})?$/.test(text) ? Number(text) : undefined
}

/** Finds what is wrong within single fields and between the times. The server checks it again. */
function listFieldIssues(
  fields: FieldDefinitions,
  input: Readonly<Record<string, unknown>>,
): readonly Issue[] {
  const { amount, totalIssued, startTime, endTime } = input
  const isBadAddress = (name: string) => {
    const value = input[name]
    return typeof value === 'string' && value !== '' && toImageAddress(value) === undefined
  }
  const issues: Issue[] = Object.keys(fields)
    .filter((name) => fields[name]?.kind === 'picture' && isBadAddress(name))
    .map((path) => ({ path, message: 'Enter an address that begins with https://' }))
  if (typeof amount === 'string')
    issues.push({ path: 'amount', message: 'Enter a number such as 12.5, with at most 9 decimals' })
  if (typeof totalIssued === 'number' && totalIssued < 1)
    issues.push({ path: 'totalIssued', message: 'Enter at least 1' })
  if (typeof startTime === 'string' && typeof endTime === 'string' && endTime <= startTime)
    issues.push({ path: 'endTime', message: 'Choose a time after “Valid from”' })
  return issues
}
