import type { FieldDefinitions, FormValues } from '../../form/form-values.ts'
import { reasonField } from './facilitator-format.ts'

interface ResolvedPayment {
  /** The CAIP-2 id of the chain. */
  readonly network: string
  /** Whether the chain can be read, so that it would decide by itself. */
  readonly isReadable: boolean
}

/** Lists the fields of a decision. Only a payment that was made has a transaction. */
export function listResolutionFields(
  { outcome }: FormValues,
  { network, isReadable }: ResolvedPayment,
): FieldDefinitions {
  const description = network.startsWith('solana:')
    ? 'Its first signature, in base58.'
    : '0x and 64 hexadecimal digits.'
  return {
    outcome: {
      kind: 'radio',
      isRequired: true,
      label: 'Outcome',
      options: [
        { value: 'failed', label: 'It was not paid', description: 'The price is released.' },
        { value: 'settled', label: 'It was paid', description: 'The price is charged.' },
      ],
    },
    ...(outcome === 'settled' && {
      transaction: { kind: 'code', isRequired: true, label: 'Transaction that paid', description },
    }),
    reason: reasonField,
    ...(isReadable && {
      force: {
        kind: 'boolean',
        label: 'Decide although the chain can be read',
        description: 'If the chain shows something else later, the charge stays as you decide it.',
      },
    }),
  }
}
