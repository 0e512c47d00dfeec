import type { Mint } from '@mintmark/contracts'
import { findExplorerLink } from '../../format/chains.ts'
import { Identifier } from '../copy-button.tsx'
import { alignEnd, type Columns } from '../data-table.tsx'
import { createStatusColumn } from '../status-badge.tsx'
import { WalletLink } from '../wallet-link.tsx'
import { MintAmount } from './mint-amount.tsx'

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
