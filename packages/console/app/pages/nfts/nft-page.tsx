import { type Asset, assets, type Nft, nfts } from '@mintmark/contracts'
import { MAX_PAGE_SIZE } from '@mintmark/envelope'
import { offers } from '@mintmark/market'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Badge } from '../../components/badge.tsx'
import { type Columns, DataTable } from '../../components/data-table.tsx'
import { DetailList, type Details, Section } from '../../components/detail-list.tsx'
import { confirm } from '../../components/dialogs.tsx'
import { TextLink, WalletLink } from '../../components/links.tsx'
import { OfferButtons, offerColumns } from '../../components/offers/offer-table.tsx'
import { Picture } from '../../components/picture.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RecordPage } from '../../components/record-page.tsx'
import { ResourceSection } from '../../components/resource.tsx'
import type { ActionContext } from '../../components/resource-definition.ts'
import { Time } from '../../components/time.tsx'
import { TransferSection } from '../../components/transfer-section.tsx'
import { formatChain } from '../../format/chains.ts'
import { shortenIdentifier } from '../../format/identifier.ts'
import { formatCount, formatRatio } from '../../format/number.ts'
import { formatAssetValue } from '../../format/sold-token.ts'
import { t } from '../../language/translate.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { usePathParam } from '../../navigation/use-address.ts'
import { useProjectGateway } from '../../session/project-context.tsx'
import { nftsTexts } from '../../texts/contracts.ts'

interface NftProps {
  readonly nft: Nft
}

async function removeNft({ name, nftAddress, nftId }: Nft, { go }: ActionContext): Promise<void> {
  const removed = await confirm({
    operation: nfts.remove,
    input: { nftAddress, nftId },
    title: t('Remove {name}?', { name }),
    text: t(
      'The NFT disappears from the project, not from the chain. It can only be removed while its first owner has it and nothing of it is listed.',
    ),
    action: t('Remove'),
    done: t('{name} is removed', { name }),
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
      list={{ to: 'nfts', title: 'NFTs' }}
      title={({ name }) => name}
      status={({ nftType }) => <Badge tone="neutral">{nftType}</Badge>}
      actions={(nft, context) => [
        {
          label: t('Put on the shelf'),
          to: 'market',
          search: { sell: formatAssetValue({ nftAddress, nftId, seller: nft.owner }) },
        },
        { label: t('Remove'), onSelect: () => removeNft(nft, context) },
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

function listDetails(nft: Nft): Details {
  return {
    [t('Token id')]: <code className="break">{nft.nftId}</code>,
    [nftsTexts.fields.nftAddress.label]: (
      <ProjectLink to={`contracts/${nft.nftAddress}`}>
        <code title={nft.nftAddress}>{shortenIdentifier(nft.nftAddress)}</code>
      </ProjectLink>
    ),
    [t('Chain')]: formatChain(nft.chainId),
    [t('Owner')]: <WalletLink address={nft.owner} />,
    [t('Creator')]: <WalletLink address={nft.creator} />,
    [t('Units')]: formatCount(nft.quantity),
    [t('Royalty')]: formatRatio(nft.royaltyPercentage / 100),
    [t('Metadata')]: <TextLink address={nft.tokenUri} />,
    [t('Media file')]: <TextLink address={nft.mediaFileUrl} />,
    [t('Added')]: <Time value={nft.createTime} />,
  }
}

function Properties({ nft: { nftAddress, nftId } }: NftProps): ReactNode {
  const query = useOperation(nfts.properties, { nftAddress, nftId })
  return (
    <Section title={t('Properties')}>
      <QueryView query={query}>
        {(properties) =>
          properties.length === 0 ? (
            <p className="muted">{t('This NFT has no properties.')}</p>
          ) : (
            <ul className="tile-grid">
              {properties.map(({ trait_type, value, rarity }) => (
                <li key={`${trait_type}\n${value}`} className="panel tile">
                  <span className="muted">{trait_type}</span>
                  <ProjectLink to="nfts" search={{ contract: nftAddress, trait: trait_type, value }}>
                    {value}
                  </ProjectLink>
                  <span className="faint">{t('{rarity} have this', { rarity: formatRatio(rarity) })}</span>
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
  owner: { label: t('Owner'), cell: ({ owner }) => <WalletLink address={owner} /> },
  quantity: { label: t('Units'), align: 'end' },
  reserved: { label: t('Reserved'), align: 'end' },
  updateTime: t('Changed'),
}

function OwnerSection({ nft }: NftProps): ReactNode {
  const query = useOwners(nft)
  return (
    <Section title={nftsTexts.owners}>
      <QueryView query={query}>
        {({ list, isTruncated }) => (
          <>
            {list.length === 0 ? (
              <p className="muted">{t('No owner is known.')}</p>
            ) : (
              <DataTable label={nftsTexts.owners} columns={ownerColumns} rows={list} />
            )}
            {isTruncated && (
              <p className="muted">
                {t('The newest {count} holdings of the collection were searched. There may be more owners.', {
                  count: formatCount(SEARCHED_ASSETS),
                })}
              </p>
            )}
          </>
        )}
      </QueryView>
    </Section>
  )
}

interface NftOffersProps {
  readonly nftAddress: string
  readonly nftId: string
  /** The wallet that would accept or reject them. */
  readonly owner: string
}

/** The open offers for a token. */
function NftOffers({ nftAddress, nftId, owner }: NftOffersProps): ReactNode {
  return (
    <ResourceSection
      operation={offers.forNft}
      input={{ nftAddress, nftId }}
      title={t('Offers')}
      columns={offerColumns}
      renderActions={(offer) => <OfferButtons offer={offer} wallet={owner} side="received" />}
      empty={{
        icon: 'market',
        title: t('No open offers'),
        advice: t('Offers of buyers for this NFT appear here.'),
      }}
    />
  )
}

/** How many assets of a collection are searched for the owners of one token: no list has those of a token alone. */
const SEARCHED_ASSETS = 500

/** The wallets that own units of a token. */
interface Owners {
  readonly list: readonly Asset[]
  /** Whether the collection has more assets than were searched. */
  readonly isTruncated: boolean
}

/** Reads the owners of a token. */
function useOwners({ nftAddress, nftId }: Pick<Nft, 'nftAddress' | 'nftId'>): UseQueryResult<Owners> {
  const { gateway, projectId } = useProjectGateway()
  return useQuery({
    // The form of a key of `getReadKey`, so that `invalidation.ts` refreshes it like a list of assets.
    queryKey: ['operation', projectId ?? null, 'assets.owners', { nftAddress, nftId }],
    queryFn: async ({ signal }): Promise<Owners> => {
      const list: Asset[] = []
      let searched = 0
      const input = { nftAddress, pageSize: MAX_PAGE_SIZE }
      for await (const asset of assets.list.items(gateway, input, { signal })) {
        if (searched === SEARCHED_ASSETS) return { list, isTruncated: true }
        searched += 1
        if (asset.nftId === nftId) list.push(asset)
      }
      return { list, isTruncated: false }
    },
  })
}
