import type { PayTokens } from '../api/pay-tokens.ts'
import { formatPayToken } from '../format/pay-token.ts'
import { t } from '../language/translate.ts'
import type { FieldDefinition, FieldDefinitions, FormValues } from './form-values.ts'

/** The value of a selected token that the person enters. */
export const OTHER = 'other'
/** The value of the chain's native token, which has no address. */
const NATIVE = 'native'

/** What is entered first in the fields of {@link listPayTokenFields}. */
export const newPayToken: FormValues = { payToken: NATIVE }

/** Returns the fields that select the token of a price, on one chain. */
export function listPayTokenFields(tokens: PayTokens, chainId: string, values: FormValues): FieldDefinitions {
  const options = tokens.list(chainId).map((token) => ({
    value: token.address === '' ? NATIVE : token.address,
    label: formatPayToken(token.chainId, token.address),
  }))
  const other = { value: OTHER, label: t('Another ERC-20 token') }
  return {
    payToken: { kind: 'select', isRequired: true, label: t('Paid in'), options: [...options, other] },
    ...(values.payToken === OTHER && {
      payTokenAddress: { kind: 'address', isRequired: true, label: t('Address of the token') },
    }),
  }
}

/**
 * Returns the address of the selected token, from the values of {@link listPayTokenFields}: `''` for the
 * native token.
 */
export function readPayToken(values: Readonly<Record<string, unknown>>): string {
  const { payToken, payTokenAddress } = values
  const address = payToken === OTHER ? payTokenAddress : payToken
  return typeof address === 'string' && address !== NATIVE ? address : ''
}

/** Returns what the fields of {@link listPayTokenFields} show for a stored token. */
export function enterPayToken(tokens: PayTokens, chainId: string, address: string): FormValues {
  if (address === '') return newPayToken
  const isListed = tokens.list(chainId).some((token) => token.address === address.toLowerCase())
  return isListed ? { payToken: address.toLowerCase() } : { payToken: OTHER, payTokenAddress: address }
}

/** Finds the decimals of the selected token. Undefined if the console does not know them. */
export function findDecimals(tokens: PayTokens, chainId: string, values: FormValues): number | undefined {
  const address = readPayToken(values)
  // Nothing is entered yet, which is not the native token.
  if (address === '' && values.payToken === OTHER) return undefined
  return tokens.find(chainId, address)?.decimals
}

/** Returns a field for an amount: in whole tokens, or in base units if the decimals are not known. */
export function createAmountField(
  decimals: number | undefined,
  field: { readonly label: string; readonly description?: string; readonly isRequired?: boolean },
): FieldDefinition {
  if (decimals !== undefined) return { kind: 'amount', decimals, ...field }
  const label = t('{label}, in base units', { label: field.label })
  return {
    kind: 'amount',
    decimals: 0,
    ...field,
    label,
    description: t(
      'The console does not know the decimals of this token, so enter a whole number: 1000000 is 1 of a token with 6 decimals.',
    ),
  }
}
