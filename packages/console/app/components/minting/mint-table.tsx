import type { Mint } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { usePayTokens } from '../../api/pay-tokens.ts'
import { findExplorerLink } from '../../format/chains.ts'
import { createStatusColumn } from '../badge.tsx'
import { Identifier } from '../copy-button.tsx'
import { alignEnd, type Columns } from '../data-table.tsx'
import { WalletLink } from '../links.tsx'
import { TokenAmount } from '../token-amount.tsx'

const statuses = {
  SIGNED: ['Signed', 'info'],
  MINTED: ['Minted', 'success'],
  RELEASED: ['Expired unused', 'neutral'],
} as const

/** Returns the columns of a list of mints on a chain. */
export function listMintColumns(chainId: string): Columns<Mint> {
  return {
    recipient: { label: 'Wallet', cell: ({ recipient }) => <WalletLink address={recipient} /> },
    status: createStatusColumn(statuses),
    tokenId: { label: 'Token', cell: ({ tokenId, nftId }) => tokenId || nftId || 'Collection’s token' },
    quantity: 'Units',
    price: alignEnd('Price of one', (mint) => <MintAmount chainId={chainId} priced={mint} />),
    phase: 'Phase',
    createTime: 'Signed',
    hash: {
      label: 'Transaction',
      isWideOnly: true,
      cell: ({ hash }) => <Identifier value={hash} link={findExplorerLink(chainId, 'tx', hash)} />,
    },
  }
}

interface MintAmountProps {
  readonly chainId: string
  /** A record of minting, which does not name the decimals of its token. */
  readonly priced: { readonly price: string; readonly payTokenAddress: string }
}

/** Shows the price of a record of minting. */
export function MintAmount({ chainId, priced: { price, payTokenAddress } }: MintAmountProps): ReactNode {
  const { decimals } = usePayTokens().find(chainId, payTokenAddress) ?? {}
  return (
    <TokenAmount chainId={chainId} payTokenAddress={payTokenAddress} decimals={decimals} baseUnits={price} />
  )
}
