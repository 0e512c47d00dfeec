import { type Asset, type Nft, nfts } from '@mintmark/contracts'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { ActionButtons } from '../../components/actions.tsx'
import { BackLink } from '../../components/back-link.tsx'
import { Badge } from '../../components/badge.tsx'
import { type Columns, DataTable } from '../../components/data-table.tsx'
import { DetailList, Section } from '../../components/detail-list.tsx'
import { confirm } from '../../components/dialogs.tsx'
import { NftOffers } from '../../components/offers/nft-offers.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Picture } from '../../components/picture.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { Time } from '../../components/time.tsx'
import { TransferSection } from '../../components/transfer-section.tsx'
import { WalletLink } from '../../components/wallet-link.tsx'
import { formatChain } from '../../format/chains.ts'
import { shortenIdentifier } from '../../format/identifier.ts'
import { formatCount, formatRatio } from '../../format/number.ts'
import { formatAssetValue } from '../../format/sold-token.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { usePathParam } from '../../navigation/use-address.ts'
import { useProject } from '../../session/project-context.tsx'
import { nftsTexts } from '../../texts/contracts.ts'
import { SEARCHED_ASSETS, useOwners } from './owners.ts'

interface NftProps {
  readonly nft: Nft
}

/** A token with its properties, owners, offers and transfers. */
export function NftPage(): ReactNode {
  const nftAddress = usePathParam('nftAddress')
  const nftId = usePathParam('nftId')
  const { projectName } = useProject()
  const query = useOperation(nfts.get, { nftAddress, nftId })
  const { data: nft } = query
  return (
    <>
      <PageHeader
        title={nft?.name ?? nftsTexts.title}
        context={projectName}
        above={<BackLink to="nfts">{nftsTexts.title}</BackLink>}
        status={nft && <Badge tone="neutral">{nft.nftType}</Badge>}
        actions={nft && <NftActions nft={nft} />}
      />
      <QueryView query={query}>{(found) => <NftDetails nft={found} />}</QueryView>
    </>
  )
}

function NftDetails({ nft }: NftProps): ReactNode {
  const { nftAddress, nftId, name, description, imgUrl } = nft
  return (
    <>
      <div className="record-head">
        <Picture address={imgUrl} label={nftsTexts.alt(name)} size="large" />
        <div className="stack">
          {description !== '' && <p className="break">{description}</p>}
          <DetailList details={listDetails(nft)} />
        </div>
      </div>
      <Properties nft={nft} />
      <OwnerSection nft={nft} />
      <NftOffers nftAddress={nftAddress} nftId={nftId} owner={nft.owner} />
      <TransferSection nftAddress={nftAddress} nftId={nftId} />
    </>
  )
}

function listDetails(nft: Nft) {
  return [
    { label: 'Token id', value: <code className="break">{nft.nftId}</code> },
    {
      label: nftsTexts.fields.nftAddress.label,
      value: (
        <ProjectLink to={`contracts/${nft.nftAddress}`}>
          <code title={nft.nftAddress}>{shortenIdentifier(nft.nftAddress)}</code>
        </ProjectLink>
      ),
    },
    { label: 'Chain', value: formatChain(nft.chainId) },
    { label: 'Owner', value: <WalletLink address={nft.owner} /> },
    { label: 'Creator', value: <WalletLink address={nft.creator} /> },
    { label: 'Units', value: formatCount(nft.quantity) },
    { label: 'Royalty', value: formatRatio(nft.royaltyPercentage / 100) },
    { label: 'Metadata', value: <TextLink address={nft.tokenUri} /> },
    { label: 'Media file', value: <TextLink address={nft.mediaFileUrl} /> },
    { label: 'Added', value: <Time value={nft.createTime} /> },
  ]
}

function Properties({ nft: { nftAddress, nftId } }: NftProps): ReactNode {
  const query = useOperation(nfts.properties, { nftAddress, nftId })
  return (
    <Section title="Properties">
      <QueryView query={query} lines={2}>
        {(properties) =>
          properties.length === 0 ? (
            <p className="muted">This NFT has no properties.</p>
          ) : (
            <ul className="property-list">
              {properties.map(({ trait_type, value, rarity }) => (
                <li key={`${trait_type}\n${value}`} className="panel">
                  <span className="muted">{trait_type}</span>
                  <ProjectLink to="nfts" search={{ contract: nftAddress, trait: trait_type, value }}>
                    {value}
                  </ProjectLink>
                  <span className="faint">{`${formatRatio(rarity)} have this`}</span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Section>
  )
}

const ownerColumns: Columns<Asset> = {
  owner: { label: 'Owner', cell: ({ owner }) => <WalletLink address={owner} /> },
  quantity: { label: 'Units', align: 'end' },
  reserved: { label: 'Reserved', align: 'end' },
  updateTime: 'Changed',
}

function OwnerSection({ nft }: NftProps): ReactNode {
  const query = useOwners(nft)
  return (
    <Section title={nftsTexts.owners}>
      <QueryView query={query} lines={2}>
        {({ list, isTruncated }) => (
          <>
            {list.length === 0 ? (
              <p className="muted">No owner is known.</p>
            ) : (
              <DataTable
                label={nftsTexts.owners}
                columns={ownerColumns}
                rows={list}
                getKey={({ id }) => id}
              />
            )}
            {isTruncated && (
              <p className="muted">{`The newest ${formatCount(SEARCHED_ASSETS)} holdings of the collection were searched. There may be more owners.`}</p>
            )}
          </>
        )}
      </QueryView>
    </Section>
  )
}

function NftActions({ nft }: NftProps): ReactNode {
  const { projectId } = useProject()
  const navigate = useNavigate()
  const { name, nftAddress, nftId, owner } = nft
  const remove = async () => {
    const removed = await confirm({
      operation: nfts.remove,
      input: { nftAddress, nftId },
      title: `Remove ${name}?`,
      text: 'The NFT disappears from the project, not from the chain. It can only be removed while its first owner has it and nothing of it is listed.',
      action: 'Remove',
      done: `${name} is removed`,
    })
    if (removed !== undefined) await navigate({ to: `/p/${projectId}/nfts` })
  }
  const sell = formatAssetValue({ nftAddress, nftId, seller: owner })
  return (
    <ActionButtons
      actions={[
        { label: 'Put on the shelf', to: 'market', search: { sell } },
        { label: 'Remove', onSelect: remove },
      ]}
    />
  )
}
