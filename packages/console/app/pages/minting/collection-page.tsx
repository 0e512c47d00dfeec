import { type LazyProduct, lazyMinting, type Mint } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { DetailList, Section } from '../../components/detail-list.tsx'
import { FeedTable } from '../../components/feed-table.tsx'
import { listMintColumns } from '../../components/minting/mint-table.tsx'
import { OpenPhase, PhaseSection } from '../../components/minting/phase-section.tsx'
import { WhitelistSection } from '../../components/minting/whitelist-section.tsx'
import { Notice } from '../../components/notice.tsx'
import { RecordPage } from '../../components/record-page.tsx'
import { ViewTabs } from '../../components/view-tabs.tsx'
import { formatCount } from '../../format/number.ts'
import { t } from '../../language/translate.ts'
import { usePathParam } from '../../navigation/use-address.ts'
import { LazyNftsSection } from './lazy-nfts-section.tsx'
import { SettingsSection } from './settings-section.tsx'

/** A collection that buyers mint: its phases, NFTs, whitelists, mints and settings. */
export function CollectionPage(): ReactNode {
  const nftAddress = usePathParam('nftAddress')
  return (
    <RecordPage
      query={useOperation(lazyMinting.product, { nftAddress })}
      list={{ to: 'minting', title: t('Lazy minting') }}
      title={({ collection }) => t('Minting of {name}', { name: collection.name })}
      status={({ presale }) => <OpenPhase presale={presale} />}
    >
      {(product) => <Product product={product} />}
    </RecordPage>
  )
}

interface ProductProps {
  readonly product: LazyProduct
}

function Product({ product }: ProductProps): ReactNode {
  const { collection, presale, previews } = product
  const { nftAddress, chainId, minter } = collection
  return (
    <>
      <div className="section">
        {minter === '' ? (
          <Notice
            tone="warning"
            title={t('The project has no minter yet')}
            advice={t(
              'Saving the settings of the collection creates the minter, whose address appears here: the contract must allow it to sign mints.',
            )}
          />
        ) : (
          <Notice
            tone="info"
            title={t('The project’s minter signs the mints')}
            advice={
              <span className="break">
                {t('The contract must allow {minter} to sign mints. Otherwise it refuses what buyers send.', {
                  minter,
                })}
              </span>
            }
          />
        )}
        <Counts product={product} />
      </div>
      <ViewTabs
        label={t('Parts of the collection')}
        to={`minting/${nftAddress}`}
        views={{
          phases: [
            t('Phases'),
            <PhaseSection key="phases" program="lazyMinting" chainId={chainId} presale={presale} />,
          ],
          nfts: ['NFTs', <LazyNftsSection key="nfts" nftAddress={nftAddress} chainId={chainId} />],
          whitelist: [
            t('Whitelist'),
            <WhitelistSection key="whitelist" program="lazyMinting" presale={presale} />,
          ],
          mints: [t('Mints'), <MintsSection key="mints" nftAddress={nftAddress} chainId={chainId} />],
          settings: [
            t('Settings'),
            <SettingsSection key="settings" collection={collection} previews={previews} />,
          ],
        }}
      />
    </>
  )
}

function Counts({ product: { counts } }: ProductProps): ReactNode {
  return (
    <div className="panel">
      <DetailList
        details={{
          [t('Minted tokens')]: formatCount(counts.mintedTokens),
          [t('Minted NFTs')]: formatCount(counts.minted),
          [t('Reserved NFTs')]: formatCount(counts.reserved),
          [t('NFTs on display')]: formatCount(counts.displayed),
          [t('Hidden NFTs')]: formatCount(counts.hidden),
        }}
      />
    </div>
  )
}

interface MintsSectionProps {
  readonly nftAddress: string
  readonly chainId: string
}

/**
 * The signed mints of a collection with their outcomes. The gateway has no list of them, so they are read
 * from the events.
 */
function MintsSection({ nftAddress, chainId }: MintsSectionProps): ReactNode {
  return (
    <Section title={t('Mints')}>
      <FeedTable<Mint>
        feed={{ group: 'lazyMinting', types: 'mint.*' }}
        select={(mints) => mints.filter((mint) => mint.nftAddress === nftAddress)}
        label={t('Mints')}
        columns={listMintColumns(chainId)}
        empty={{
          icon: 'minting',
          title: t('No mints yet'),
          advice: t('When a buyer gets permission to mint, it appears here.'),
        }}
        note={t('Here are the mints that changed within the time for which the gateway keeps events.')}
        truncated={t('The gateway has more events about mints than were read. Older mints may be missing.')}
      />
    </Section>
  )
}
