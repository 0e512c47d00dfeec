import type { Mint } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { findExplorerLink } from '../../format/chains.ts'
import { formatCount } from '../../format/number.ts'
import { mintsTexts } from '../../texts/minting.ts'
import { Badge, type Tone } from '../badge.tsx'
import { Identifier } from '../copy-button.tsx'
import type { Column } from '../data-table.tsx'
import { Time } from '../time.tsx'
import { WalletLink } from '../wallet-link.tsx'
import { MintAmount } from './mint-amount.tsx'

const { statuses } = mintsTexts

const tones: Readonly<Record<keyof typeof statuses, Tone>> = {
  SIGNED: 'info',
  MINTED: 'success',
  RELEASED: 'neutral',
}

/** Returns the columns of a list of mints on a chain. */
export function listMintColumns(chainId: string): readonly Column<Mint>[] {
  return [
    {
      key: 'recipient',
      header: 'Wallet',
      cell: ({ recipient }) => <WalletLink address={recipient} />,
    },
    { key: 'status', header: 'Status', cell: ({ status }) => <MintStatusBadge status={status} /> },
    {
      key: 'token',
      header: 'Token',
      cell: ({ tokenId, nftId }) => tokenId || nftId || 'Collection’s token',
    },
    {
      key: 'quantity',
      header: 'Units',
      align: 'end',
      cell: ({ quantity }) => formatCount(quantity),
    },
    {
      key: 'price',
      header: 'Price of one',
      align: 'end',
      cell: (mint) => <MintPrice mint={mint} chainId={chainId} />,
    },
    { key: 'phase', header: 'Phase', cell: ({ phase }) => phase },
    { key: 'time', header: 'Signed', cell: ({ createTime }) => <Time value={createTime} /> },
    {
      key: 'transaction',
      header: 'Transaction',
      isWideOnly: true,
      cell: ({ hash }) => <Identifier value={hash} link={findExplorerLink(chainId, 'tx', hash)} />,
    },
  ]
}

function MintStatusBadge({ status }: { readonly status: string }): ReactNode {
  const known = status in statuses ? (status as keyof typeof statuses) : undefined
  return <Badge tone={known ? tones[known] : 'neutral'}>{known ? statuses[known] : status}</Badge>
}

function MintPrice({ mint, chainId }: { readonly mint: Mint; readonly chainId: string }): ReactNode {
  const { price: baseUnits, payTokenAddress } = mint
  return <MintAmount chainId={chainId} payTokenAddress={payTokenAddress} baseUnits={baseUnits} />
}
