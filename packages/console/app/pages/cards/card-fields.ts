import { parseApplicableStores, type Store } from '@mintmark/cards'
import type { Contract } from '@mintmark/contracts'
import type { FieldDefinitions, FormValues } from '../../form/form-values.ts'
import { shortenIdentifier } from '../../format/identifier.ts'
import { toLocalInput } from '../../format/time.ts'
import { t } from '../../language/translate.ts'
import { cardFieldTexts } from '../../texts/cards.ts'
import type { AnyCard, ProgramName } from './programs.ts'

const texts = cardFieldTexts

const IS_CHECKED_IN = {
  label: t('The guest is checked in'),
  description: t('Clear it to let the guest in once more, for example after a mistake.'),
}
const LEVEL = { label: t('Level'), description: t('Such as Gold.') }
const AMOUNT = {
  label: t('Amount'),
  description: t('What one card represents, in a unit of your choice, such as 12.5.'),
}
const IMAGE = {
  label: t('Picture'),
  description: t('A picture of the occasion: its address (https), or a file.'),
}

/** Whether a form creates a card or changes one. */
export type CardFormMode = 'create' | 'change'

interface FieldChoices {
  readonly mode: CardFormMode
  /** The registered contracts, for a choice. Without any, an address is entered. */
  readonly contracts: readonly Contract[]
  /** The contract of the card that is changed. */
  readonly nftAddress?: string | undefined
  /** The stores of the project, for a choice. Without any, names are entered. */
  readonly stores: readonly Store[]
  /** The names of the stores of the card that is changed. */
  readonly chosenStores?: readonly string[]
}

/** Lists the fields of a card's form, in order. */
export function listCardFields(program: ProgramName, choices: FieldChoices): FieldDefinitions {
  const isChange = choices.mode === 'change'
  return {
    name: { kind: 'text', isRequired: true, ...texts.name },
    totalIssued: { kind: 'integer', min: 1, isRequired: true, ...texts.totalIssued[program] },
    startTime: { kind: 'time', isRequired: true, ...texts.startTime },
    endTime: { kind: 'time', isRequired: true, ...texts.endTime },
    ...(isChange && hasValidity(program) && { validityPeriod: { kind: 'time', ...texts.validityPeriod } }),
    ...listOwnFields(program, choices.mode),
    usageInstructions: { kind: 'multiline', sendsEmpty: isChange, ...texts.usageInstructions },
    applicableStores: createStoresField(choices),
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
        amount: { kind: 'number', ...AMOUNT },
        imageUrl: { kind: 'picture', sendsEmpty: isChange, ...IMAGE },
      }
  }
}

function createStoresField({ stores, chosenStores = [] }: FieldChoices): FieldDefinitions[string] {
  if (stores.length === 0) return { kind: 'lines', ...texts.applicableStores }
  const open = stores.filter(({ status }) => status === 'OPEN').map(({ name }) => name)
  // A card keeps stores that are closed.
  const options = [...new Set([...open, ...chosenStores])].map((name) => ({ value: name, label: name }))
  return { kind: 'choices', options, ...texts.chosenStores }
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

/** Returns a card as a form shows it. */
export function toShownCard(card: AnyCard): object {
  return { ...card, applicableStores: parseApplicableStores(card) }
}

/**
 * Selects the changes of a card: only fields whose value differs from the shown one, so that what somebody else
 * changed meanwhile stays.
 */
export function selectChanges(
  fields: FieldDefinitions,
  input: Readonly<Record<string, unknown>>,
  shown: object,
): Readonly<Record<string, unknown>> {
  const before = new Map(Object.entries(shown))
  const entries = Object.entries(fields).map(([name, { kind }]) => {
    // A list without an entry is cleared.
    const isList = kind === 'lines' || kind === 'choices'
    return [name, input[name] ?? (isList ? [] : undefined)] as const
  })
  return Object.fromEntries(
    entries.filter(
      ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(before.get(name)),
    ),
  )
}
