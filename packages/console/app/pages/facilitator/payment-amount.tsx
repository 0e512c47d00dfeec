import type { OperatorSettlement } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { Amount } from '../../components/amount.tsx'
import { TokenAmount } from '../../components/token-amount.tsx'
import { findWellKnownToken } from '../../format/pay-token.ts'
import { NATIVE_DECIMALS, toChainId } from './facilitator-format.ts'

interface PaymentAmountProps {
  readonly settlement: Pick<OperatorSettlement, 'network' | 'asset' | 'amount'>
}

/** Shows the amount of a payment, in whole tokens if the console knows the token. */
export function PaymentAmount({ settlement: { network, asset, amount } }: PaymentAmountProps): ReactNode {
  const chainId = toChainId(network)
  const decimals = findWellKnownToken(chainId, asset)?.decimals
  return <TokenAmount chainId={chainId} payTokenAddress={asset} decimals={decimals} baseUnits={amount} />
}

/** Shows an amount of the facilitator's ledger, in whole tokens. */
export function NativeAmount({ wei }: { readonly wei: string }): ReactNode {
  return <Amount baseUnits={wei} decimals={NATIVE_DECIMALS} symbol="" />
}
