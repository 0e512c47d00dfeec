import { quote } from '../payment/compare-terms.ts'
import { reasons } from '../payment/reasons.ts'
import { type Refusal, refuseField } from '../payment/refusal.ts'

export const refuseScheme = (scheme: string, path: string): Refusal =>
  refuseField(
    reasons.unsupportedScheme,
    `${path}.scheme`,
    `The scheme ${quote(scheme)} is not supported here. Take one of the supported kinds`,
  )

export const refuseNetwork = (network: unknown): Refusal =>
  refuseField(
    reasons.invalidNetwork,
    'paymentRequirements.network',
    `The network ${quote(typeof network === 'string' ? network : '')} is not served. Take one of the supported kinds`,
  )
