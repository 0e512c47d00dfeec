import { type Contract, contracts, nfts } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Badge } from '../../components/badge.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import { DetailList, Section } from '../../components/detail-list.tsx'
import { confirm } from '../../components/dialogs.tsx'
import { WalletLink } from '../../components/links.tsx'
import { NftGrid } from '../../components/nft-grid.tsx'
import { Picture } from '../../components/picture.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RecordPage } from '../../components/record-page.tsx'
import type { ActionContext } from '../../components/resource-definition.ts'
import { Time } from '../../components/time.tsx'
import { TransferSection } from '../../components/transfer-section.tsx'
import { findExplorerLink, formatChain } from '../../format/chains.ts'
import { t } from '../../language/translate.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { usePathParam } from '../../navigation/use-address.ts'
import { contractsTexts, nftsTexts } from '../../texts/contracts.ts'
import { componentTexts } from '../../texts/shell.ts'
import { editContract } from './contract-forms.ts'
import { IndexingSection } from './indexing-section.tsx'

/** How many NFTs the page of a contract shows. */
const SHOWN_NFTS = 12

async function removeContract({ id, name }: Contract, { go }: ActionContext): Promise<void> {
  const removed = await confirm({
    operation: contracts.remove,
    input: { id },
    title: t('Remove {name}?', { name }),
    text: t(
      'The contract disappears from the project, not from the chain. It can only be removed while it has no NFTs and nobody owns its tokens.',
    ),
    action: t('Remove'),
    done: t('{name} is removed', { name }),
  })
  if (removed !== undefined) go('contracts')
}

/** A contract with its details, its newest NFTs and its transfers. */
export function ContractPage(): ReactNode {
  const nftAddress = usePathParam('nftAddress')
  return (
    <RecordPage
      query={useOperation(contracts.get, { nftAddress })}
      list={{ to: 'contracts', title: t('Contracts') }}
      title={({ name }) => name}
      status={({ nftType }) => <Badge tone="neutral">{nftType}</Badge>}
      actions={(contract, context) => [
        { label: t('Lazy minting'), to: `minting/${nftAddress}`, isForReaders: true },
        { label: t('Edit'), onSelect: () => editContract(contract) },
        { label: t('Remove'), onSelect: () => removeContract(contract, context) },
      ]}
    >
      {(contract) => <ContractDetails contract={contract} />}
    </RecordPage>
  )
}

function ContractDetails({ contract }: { readonly contract: Contract }): ReactNode {
  const { nftAddress, chainId, name, imgUrl, description } = contract
  const details = {
    [t('Address')]: <Identifier value={nftAddress} link={findExplorerLink(chainId, 'address', nftAddress)} />,
    [t('Chain')]: formatChain(chainId),
    [t('Owner')]: <WalletLink address={contract.owner} />,
    [t('Symbol')]: contract.symbol,
    [t('Category')]: contract.contractType,
    [t('For adults only')]: contract.adult ? componentTexts.yes : componentTexts.no,
    [t('Added')]: <Time value={contract.createTime} />,
    [t('Changed')]: <Time value={contract.updateTime} />,
  }
  return (
    <>
      <div className="record-head">
        <Picture address={imgUrl} label={nftsTexts.alt(name)} size="large" />
        <div className="stack">
          {description !== '' && <p className="break">{description}</p>}
          <DetailList details={details} />
        </div>
      </div>
      <IndexingSection chainId={chainId} />
      <ContractNfts nftAddress={nftAddress} />
      <TransferSection nftAddress={nftAddress} />
    </>
  )
}

function ContractNfts({ nftAddress }: { readonly nftAddress: string }): ReactNode {
  const query = useOperation(nfts.list, { nftAddress, pageSize: SHOWN_NFTS })
  const all = (
    <ProjectLink to="nfts" search={{ contract: nftAddress }}>
      {t('Show all NFTs')}
    </ProjectLink>
  )
  return (
    <Section title={contractsTexts.nfts} actions={all}>
      <QueryView query={query}>
        {({ list }) =>
          list.length === 0 ? (
            <EmptyState
              icon="nft"
              title={t('No NFTs yet')}
              advice={t('Add an NFT, or let buyers mint them.')}
              adviceToRead={t('The NFTs of this contract appear here.')}
            />
          ) : (
            <NftGrid label={contractsTexts.nfts} nfts={list} />
          )
        }
      </QueryView>
    </Section>
  )
}
