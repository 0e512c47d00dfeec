import type { Mint } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { usePayTokens } from '../../api/pay-tokens.ts'
import { findExplorerLink } from '../../format/chains.ts'
import { t } from '../../language/translate.ts'
import { createStatusColumn } from '../badge.tsx'
import { Identifier } from '../copy-button.tsx'
import { alignEnd, type Columns } from '../data-table.tsx'
import { WalletLink } from '../links.tsx'
import { TokenAmount } from '../token-amount.tsx'

const statuses = {
  SIGNED: [t('Signed'), 'info'],
  MINTED: [t('Minted'), 'success'],
  RELEASED: [t('Expired unused'), 'neutral'],
} as const

/** Returns the columns of a list of mints on a chain. */
export function listMintColumns(chainId: string): Columns<Mint> {
  return {
    recipient: { label: t('Wallet'), cell: ({ recipient }) => <WalletLink address={recipient} /> },
    status: createStatusColumn(statuses),
    tokenId: { label: t('Token'), cell: ({ tokenId, nftId }) => tokenId || nftId || t('Collection’s token') },
    quantity: t('Units'),
    price: alignEnd(t('Price of one'), (mint) => <MintAmount chainId={chainId} priced={mint} />),
    phase: t('Phase'),
    createTime: t('Signed'),
    hash: {
      label: t('Transaction'),
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
