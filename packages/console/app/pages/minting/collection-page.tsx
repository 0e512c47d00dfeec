import { type LazyProduct, lazyMinting } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { BackLink } from '../../components/back-link.tsx'
import { Badge } from '../../components/badge.tsx'
import { DetailList } from '../../components/detail-list.tsx'
import { PhaseSection } from '../../components/minting/phase-section.tsx'
import { WhitelistSection } from '../../components/minting/whitelist-section.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { TabLinks } from '../../components/tab-links.tsx'
import { formatCount } from '../../format/number.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { usePathParam, useSearchState } from '../../navigation/use-address.ts'
import { useProject } from '../../session/project-context.tsx'
import { mintingTexts } from '../../texts/minting.ts'
import { LazyNftsSection } from './lazy-nfts-section.tsx'
import { MintsSection } from './mints-section.tsx'
import { SettingsSection } from './settings-section.tsx'

const { views } = mintingTexts
const viewNames = ['phases', 'nfts', 'whitelist', 'mints', 'settings'] as const
type ViewName = (typeof viewNames)[number]

/** A collection that buyers mint: its phases, NFTs, whitelists, mints and settings. */
export function CollectionPage(): ReactNode {
  const nftAddress = usePathParam('nftAddress')
  const { projectName } = useProject()
  const query = useOperation(lazyMinting.product, { nftAddress })
  const { data: product } = query
  return (
    <>
      <PageHeader
        title={product === undefined ? mintingTexts.title : `Minting of ${product.collection.name}`}
        context={projectName}
        above={<BackLink to="minting">{mintingTexts.title}</BackLink>}
        status={
          product &&
          product.presale.active !== '' && (
            <Badge tone="success">{mintingTexts.openPhase(product.presale.active)}</Badge>
          )
        }
      />
      <QueryView query={query}>{(found) => <Product product={found} />}</QueryView>
    </>
  )
}

interface ProductProps {
  readonly product: LazyProduct
}

function Product({ product }: ProductProps): ReactNode {
  const { nftAddress, minter } = product.collection
  const [search] = useSearchState('view')
  const view = viewNames.find((name) => name === search.view) ?? 'phases'
  return (
    <>
      <div className="stack record-counts">
        {minter === '' ? (
          <Notice
            tone="warning"
            title="The project has no minter yet"
            advice="Saving the settings of the collection creates the minter, whose address appears here: the contract must allow it to sign mints."
          />
        ) : (
          <Notice
            tone="info"
            title="The project’s minter signs the mints"
            advice={
              <span className="break">{`The contract must allow ${minter} to sign mints. Otherwise it refuses what buyers send.`}</span>
            }
          />
        )}
        <Counts product={product} />
      </div>
      <div className="section-tabs">
        <TabLinks
          label={views.label}
          tabs={viewNames.map((name) => ({
            key: name,
            isCurrent: name === view,
            link: (
              <ProjectLink to={`minting/${nftAddress}`} search={{ view: name }}>
                {views[name]}
              </ProjectLink>
            ),
          }))}
        />
      </div>
      <View view={view} product={product} />
    </>
  )
}

function Counts({ product: { counts } }: ProductProps): ReactNode {
  return (
    <div className="panel">
      <DetailList
        details={[
          { label: 'Minted tokens', value: formatCount(counts.mintedTokens) },
          { label: 'Minted NFTs', value: formatCount(counts.minted) },
          { label: 'Reserved NFTs', value: formatCount(counts.reserved) },
          { label: 'NFTs on display', value: formatCount(counts.displayed) },
          { label: 'Hidden NFTs', value: formatCount(counts.hidden) },
        ]}
      />
    </div>
  )
}

function View({ view, product }: ProductProps & { readonly view: ViewName }): ReactNode {
  const { collection, presale, previews } = product
  const { nftAddress, chainId } = collection
  switch (view) {
    case 'nfts':
      return <LazyNftsSection nftAddress={nftAddress} chainId={chainId} />
    case 'whitelist':
      return <WhitelistSection program="lazyMinting" presale={presale} />
    case 'mints':
      return <MintsSection nftAddress={nftAddress} chainId={chainId} />
    case 'settings':
      return <SettingsSection collection={collection} previews={previews} />
    default:
      return <PhaseSection program="lazyMinting" chainId={chainId} presale={presale} />
  }
}
