import { type LazyCollection, lazyMinting, type Previews } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { ActionButtons } from '../../components/actions.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import { DetailList, Section } from '../../components/detail-list.tsx'
import { openForm } from '../../components/dialogs.tsx'
import { TextLink, WalletLink } from '../../components/links.tsx'
import { Picture } from '../../components/picture.tsx'
import { formatRatio } from '../../format/number.ts'
import { t } from '../../language/translate.ts'
import { collectionTexts } from '../../texts/minting.ts'

const { fields: texts } = collectionTexts

interface SettingsSectionProps {
  readonly collection: LazyCollection
  readonly previews: Previews
}

const sendsEmpty = true

const editCollection = (collection: LazyCollection) =>
  openForm({
    operation: lazyMinting.updateCollection,
    fields: {
      name: {
        kind: 'text',
        sendsEmpty,
        label: t('Name'),
        description: t('Empty: the name of the contract.'),
      },
      description: { kind: 'multiline', sendsEmpty, ...texts.description },
      imgUrl: {
        kind: 'url',
        sendsEmpty,
        label: t('Image'),
        description: t('Empty: the image of the contract.'),
      },
      bannerUrl: {
        kind: 'url',
        sendsEmpty,
        label: t('Banner'),
        description: t('An address that begins with https://.'),
      },
      tokenUri: { kind: 'url', sendsEmpty, ...texts.tokenUri },
      primarySaleRecipient: { kind: 'address', sendsEmpty, ...texts.primarySaleRecipient },
      royaltyRecipient: { kind: 'address', sendsEmpty, ...texts.royaltyRecipient },
      royaltyPercentage: { kind: 'integer', ...texts.royaltyPercentage },
    },
    fixed: { nftAddress: collection.nftAddress },
    initial: collection,
    title: t('Edit settings'),
    action: t('Save'),
    done: t('The settings are saved'),
  })

/** Changes the addresses of the previews. Those that stay keep their names and types. */
const editPreviews = ({ items, nftAddress }: Previews) =>
  openForm({
    operation: lazyMinting.updatePreviews,
    fields: {
      items: {
        kind: 'lines',
        label: t('Addresses'),
        description: t('One address of an image in each line, at most 100.'),
      },
    },
    entered: { items: items.map(({ url }) => url).join('\n') },
    toOperationInput: ({ items: urls = [] }) => ({
      nftAddress,
      // The field is one of lines, which are texts.
      items: (urls as readonly string[]).map((url) => items.find((item) => item.url === url) ?? { url }),
    }),
    title: t('Edit previews'),
    action: t('Save'),
    done: t('The previews are saved'),
  })

/** What the project wrote about a collection, and its previews. */
export function SettingsSection({ collection, previews }: SettingsSectionProps): ReactNode {
  const edit = { label: t('Edit settings'), onSelect: () => editCollection(collection) }
  const editImages = { label: t('Edit previews'), onSelect: () => editPreviews(previews) }
  return (
    <>
      <Section title={t('Settings')} actions={<ActionButtons actions={[edit]} />}>
        <CollectionDetails collection={collection} />
      </Section>
      <Section title={collectionTexts.previews} actions={<ActionButtons actions={[editImages]} />}>
        <PreviewGrid previews={previews} />
      </Section>
    </>
  )
}

function CollectionDetails({ collection }: { readonly collection: LazyCollection }): ReactNode {
  const { description, minter, primarySaleRecipient, royaltyRecipient, royaltyPercentage, tokenUri } =
    collection
  return (
    <DetailList
      details={{
        [texts.description.label]: description,
        [t('Signs the mints')]: <Identifier value={minter} />,
        [texts.primarySaleRecipient.label]: <WalletLink address={primarySaleRecipient} />,
        [texts.royaltyRecipient.label]: <WalletLink address={royaltyRecipient} />,
        [texts.royaltyPercentage.label]: formatRatio(royaltyPercentage / 100),
        [texts.tokenUri.label]: <TextLink address={tokenUri} />,
      }}
    />
  )
}

function PreviewGrid({ previews: { items } }: { readonly previews: Previews }): ReactNode {
  if (items.length === 0) return <p className="muted">{t('There are no previews.')}</p>
  return (
    <ul className="tile-grid" aria-label={collectionTexts.previews}>
      {items.map(({ url, name }) => (
        <li key={url} className="tile">
          <Picture address={url} label={name || collectionTexts.previews} />
          <span className="muted">{name || url}</span>
        </li>
      ))}
    </ul>
  )
}
