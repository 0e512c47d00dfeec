import { type Presale, type PresalePhase, PricedBy, WhitelistMode } from '@mintmark/contracts'
import { type PayTokens, useFormPayTokens } from '../../api/pay-tokens.ts'
import type { FieldDefinitions, FormValues } from '../../form/form-values.ts'
import { fromRecord } from '../../form/form-values.ts'
import {
  createAmountField,
  enterPayToken,
  findDecimals,
  listPayTokenFields,
  newPayToken,
  readPayToken,
} from '../../form/pay-token-fields.ts'
import { toLocalInput } from '../../format/time.ts'
import { t } from '../../language/translate.ts'
import { phasesTexts } from '../../texts/minting.ts'
import { componentTexts } from '../../texts/shell.ts'
import { openLoadedForm } from '../dialogs.tsx'
import { insertPhase, type PhaseInput } from './phases.ts'
import { type MintingProgram, mintingPrograms, usePresale } from './programs.ts'

const pricedByOptions = Object.values(PricedBy).map((value) => ({
  value,
  label: phasesTexts.pricedByOptions[value],
}))
const modeOptions = Object.values(WhitelistMode).map((value) => ({ value, label: phasesTexts.modes[value] }))

interface PhaseTarget {
  readonly program: MintingProgram
  readonly chainId: string
  readonly presale: Presale
  /** The phase to change. Default: a new one. */
  readonly phase?: PresalePhase | undefined
}

/**
 * Adds a phase, or changes one. The gateway replaces all phases together, so the others are sent as they are
 * at that time.
 */
export const openPhaseForm = (target: PhaseTarget) =>
  openLoadedForm(
    target.phase === undefined ? phasesTexts.add : t('Edit phase {name}', { name: target.phase.name }),
    () => usePhaseForm(target),
  )

/** Returns the form of a phase; undefined until it is known which tokens the project is paid in. */
export function usePhaseForm({ program, chainId, phase, ...opened }: PhaseTarget) {
  const tokens = useFormPayTokens()
  const { nftAddress, phases } = usePresale(program, opened.presale)
  if (tokens === undefined) return undefined
  return {
    operation: mintingPrograms[program].updatePresale,
    fields: (values: FormValues) => listPhaseFields(values, { chainId, tokens }),
    initial: phase ?? {},
    entered: enterPhase(phase, { chainId, tokens }),
    toOperationInput: (input: Readonly<Record<string, unknown>>) => ({
      nftAddress,
      phases: [...insertPhase(phases, toPhase(input), phase?.name).phases],
    }),
    toFieldPath: toPhaseField,
    action: phase === undefined ? phasesTexts.add : componentTexts.save,
    done: t('The phases are saved'),
  }
}

interface FieldContext {
  readonly chainId: string
  readonly tokens: PayTokens
}

function listPhaseFields(values: FormValues, { chainId, tokens }: FieldContext): FieldDefinitions {
  const isRequired = true
  const decimals = findDecimals(tokens, chainId, values)
  return {
    name: {
      kind: 'text',
      isRequired,
      label: t('Name'),
      description: t('Identifies the phase. Another name makes another phase, with counts of its own.'),
    },
    startTime: { kind: 'time', isRequired, label: t('Opens'), description: t('In your time zone.') },
    endTime: {
      kind: 'time',
      label: t('Closes'),
      description: t('In your time zone. Empty: when the next phase opens.'),
    },
    ...listPayTokenFields(tokens, chainId, values),
    price: createAmountField(decimals, {
      isRequired,
      label: t('Price of one token'),
      description: t('0 if minting is free.'),
    }),
    pricedBy: { kind: 'select', isRequired, options: pricedByOptions, label: t('How it is paid') },
    maxClaimable: {
      kind: 'integer',
      label: t('Limit for all wallets together'),
      description: t('0: no limit.'),
    },
    limitPerWallet: { kind: 'integer', label: t('Limit for each wallet'), description: t('0: no limit.') },
    whitelistMode: { kind: 'select', isRequired, options: modeOptions, label: t('Who may mint') },
    ...(values.whitelistMode === WhitelistMode.MERKLE && {
      merkleRoot: {
        kind: 'code',
        label: t('Merkle root'),
        description: t('Of a tree that is kept elsewhere. Empty: the whitelist that is kept here.'),
      },
    }),
  }
}

/** Returns what a form shows first: a stored phase, or an open phase for every wallet from now on. */
function enterPhase(phase: PresalePhase | undefined, context: FieldContext): FormValues {
  if (phase === undefined) {
    return {
      ...newPayToken,
      startTime: toLocalInput(Date.now()),
      pricedBy: PricedBy.CHAIN,
      whitelistMode: WhitelistMode.NONE,
    }
  }
  const token = enterPayToken(context.tokens, context.chainId, phase.payTokenAddress)
  const { whitelistMode } = phase
  const fields = listPhaseFields({ ...token, whitelistMode }, context)
  return { ...fromRecord(fields, phase), ...token }
}

/** Makes a phase from the converted fields. */
function toPhase(input: Readonly<Record<string, unknown>>): PhaseInput {
  const { payToken, ...phase } = input
  // The fields have the names and the types of a phase, which the form checks by the operation.
  return { ...phase, payTokenAddress: readPayToken(input) } as PhaseInput
}

/** Finds the field of an issue: `price` of `phases.2.price`. */
function toPhaseField(path: string): string {
  const name = path.replace(/^phases\.\d+\./, '')
  return name === 'payTokenAddress' ? 'payToken' : name
}
