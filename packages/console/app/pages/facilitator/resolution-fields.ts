import type { FieldDefinitions, FormValues } from '../../form/form-values.ts'
import { facilitatorTexts, settlementTexts } from '../../texts/facilitator.ts'

const { resolve: texts } = settlementTexts

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
  const { label, ofEvm, ofSolana } = texts.transaction
  const description = network.startsWith('solana:') ? ofSolana : ofEvm
  return {
    outcome: {
      kind: 'radio',
      isRequired: true,
      label: texts.outcome.label,
      options: [
        { value: 'failed', ...texts.failed },
        { value: 'settled', ...texts.settled },
      ],
    },
    ...(outcome === 'settled' && {
      transaction: { kind: 'code', isRequired: true, label, description },
    }),
    reason: { kind: 'text', isRequired: true, ...facilitatorTexts.reason },
    ...(isReadable && { force: { kind: 'boolean', ...texts.force } }),
  }
}
