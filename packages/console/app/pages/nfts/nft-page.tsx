import { type Asset, type Nft, nfts } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Badge } from '../../components/badge.tsx'
import { type Columns, DataTable } from '../../components/data-table.tsx'
import { DetailList, Section } from '../../components/detail-list.tsx'
import { confirm } from '../../components/dialogs.tsx'
import { NftOffers } from '../../components/offers/nft-offers.tsx'
import { Picture } from '../../components/picture.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RecordPage } from '../../components/record-page.tsx'
import type { ActionContext } from '../../components/resource-definition.ts'
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
import { nftsTexts } from '../../texts/contracts.ts'
import { SEARCHED_ASSETS, useOwners } from './owners.ts'

interface NftProps {
  readonly nft: Nft
}

async function removeNft({ name, nftAddress, nftId }: Nft, { go }: ActionContext): Promise<void> {
  const removed = await confirm({
    operation: nfts.remove,
    input: { nftAddress, nftId },
    title: `Remove ${name}?`,
    text: 'The NFT disappears from the project, not from the chain. It can only be removed while its first owner has it and nothing of it is listed.',
    action: 'Remove',
    done: `${name} is removed`,
  })
  if (removed !== undefined) go('nfts')
}

/** A token with its properties, owners, offers and transfers. */
export function NftPage(): ReactNode {
  const nftAddress = usePathParam('nftAddress')
  const nftId = usePathParam('nftId')
  return (
    <RecordPage
      query={useOperation(nfts.get, { nftAddress, nftId })}
      list={{ to: 'nfts', title: nftsTexts.title }}
      title={({ name }) => name}
      status={({ nftType }) => <Badge tone="neutral">{nftType}</Badge>}
      actions={(nft, context) => [
        {
          label: 'Put on the shelf',
          to: 'market',
          search: { sell: formatAssetValue({ nftAddress, nftId, seller: nft.owner }) },
        },
        { label: 'Remove', onSelect: () => removeNft(nft, context) },
      ]}
    >
      {(nft) => <NftDetails nft={nft} />}
    </RecordPage>
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
