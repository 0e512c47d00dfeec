import type { ReactNode } from 'react'
import { Amount } from '../../components/amount.tsx'
import { NATIVE_DECIMALS } from './facilitator-format.ts'

/** Shows an amount of the facilitator's ledger, in whole tokens. */
export function NativeAmount({ wei }: { readonly wei: string }): ReactNode {
  return <Amount baseUnits={wei} decimals={NATIVE_DECIMALS} symbol="" />
}
