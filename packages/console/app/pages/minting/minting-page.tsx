import { contracts, lazyMinting } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Badge } from '../../components/badge.tsx'
import { defineResource } from '../../components/resource.tsx'
import { formatCount } from '../../format/number.ts'
import { t } from '../../language/translate.ts'

/** The collections of a project, with the phase in which each can be minted at present. */
export const MintingPage = defineResource(contracts.list, {
  title: t('Lazy minting'),
  description: t('Collections whose NFTs buyers mint themselves, in phases.'),
  filters: { q: { label: t('Search by name, symbol or address'), toInput: (keyword) => ({ keyword }) } },
  columns: {
    name: { label: t('Collection'), sort: true },
    chainId: t('Chain'),
    _phase: { label: t('Open phase'), cell: (contract) => <OpenPhase {...contract} /> },
    _phases: { label: t('Phases'), align: 'end', cell: (contract) => <PhaseCount {...contract} /> },
  },
  link: ({ nftAddress }) => `minting/${nftAddress}`,
  picture: ({ imgUrl }) => imgUrl,
  empty: {
    icon: 'minting',
    title: t('No collections yet'),
    advice: t('Each contract of the project is a collection. Add a contract first.'),
    adviceToRead: t('Each contract of the project is a collection and appears here.'),
    action: { label: t('Go to contracts'), kind: 'primary', to: 'contracts' },
  },
})

interface CollectionCellProps {
  readonly nftAddress: string
}

function OpenPhase({ nftAddress }: CollectionCellProps): ReactNode {
  const { data } = useOperation(lazyMinting.presale, { nftAddress })
  if (data === undefined) return null
  if (data.active === '') return <span className="faint">{t('None')}</span>
  return <Badge tone="success">{data.active}</Badge>
}

function PhaseCount({ nftAddress }: CollectionCellProps): ReactNode {
  const { data } = useOperation(lazyMinting.presale, { nftAddress })
  return data === undefined ? null : formatCount(data.phases.length)
}
