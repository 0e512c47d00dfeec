import { type LazyCollection, lazyMinting, type Previews } from '@mintmark/contracts'
import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import { DetailList, Section } from '../../components/detail-list.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Picture } from '../../components/picture.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { showToast } from '../../components/toast.tsx'
import { WalletLink } from '../../components/wallet-link.tsx'
import { AdaptedForm, OperationForm } from '../../form/operation-form.tsx'
import { formatRatio } from '../../format/number.ts'
import { useMayChange } from '../../session/project-context.tsx'
import { collectionTexts } from '../../texts/minting.ts'
import { componentTexts } from '../../texts/shell.ts'

const { fields: texts } = collectionTexts

interface SettingsSectionProps {
  readonly collection: LazyCollection
  readonly previews: Previews
}

/** What the project wrote about a collection, and its previews. */
export function SettingsSection({ collection, previews }: SettingsSectionProps): ReactNode {
  const mayChange = useMayChange()
  const [dialog, setDialog] = useState<'collection' | 'previews'>()
  const close = () => setDialog(undefined)
  return (
    <>
      <Section
        title="Settings"
        actions={mayChange && <Button onClick={() => setDialog('collection')}>{collectionTexts.edit}</Button>}
      >
        <CollectionDetails collection={collection} />
      </Section>
      <Section
        title={collectionTexts.previews}
        actions={
          mayChange && <Button onClick={() => setDialog('previews')}>{collectionTexts.editPreviews}</Button>
        }
      >
        <PreviewGrid previews={previews} />
      </Section>
      {dialog === 'collection' && <CollectionDialog collection={collection} onClose={close} />}
      {dialog === 'previews' && <PreviewsDialog previews={previews} onClose={close} />}
    </>
  )
}

function CollectionDetails({ collection }: { readonly collection: LazyCollection }): ReactNode {
  const { description, minter, primarySaleRecipient, royaltyRecipient, royaltyPercentage, tokenUri } =
    collection
  return (
    <DetailList
      details={[
        { label: texts.description.label, value: description },
        { label: 'Signs the mints', value: <Identifier value={minter} /> },
        { label: texts.primarySaleRecipient.label, value: <WalletLink address={primarySaleRecipient} /> },
        { label: texts.royaltyRecipient.label, value: <WalletLink address={royaltyRecipient} /> },
        { label: texts.royaltyPercentage.label, value: formatRatio(royaltyPercentage / 100) },
        { label: texts.tokenUri.label, value: <TextLink address={tokenUri} /> },
      ]}
    />
  )
}

function PreviewGrid({ previews: { items } }: { readonly previews: Previews }): ReactNode {
  if (items.length === 0) return <p className="muted">There are no previews.</p>
  return (
    <ul className="picture-grid" aria-label={collectionTexts.previews}>
      {items.map(({ url, name }) => (
        <li key={url} className="picture-tile">
          <Picture address={url} label={name || collectionTexts.previews} />
          <span className="muted">{name || url}</span>
        </li>
      ))}
    </ul>
  )
}

interface CollectionDialogProps {
  readonly collection: LazyCollection
  readonly onClose: () => void
}

function CollectionDialog({ collection, onClose }: CollectionDialogProps): ReactNode {
  const sendsEmpty = true
  return (
    <Dialog title={collectionTexts.edit} isOpen onClose={onClose} isDismissable={false}>
      <OperationForm
        operation={lazyMinting.updateCollection}
        fields={{
          name: { kind: 'text', sendsEmpty, label: 'Name', description: 'Empty: the name of the contract.' },
          description: { kind: 'multiline', sendsEmpty, ...texts.description },
          imgUrl: {
            kind: 'url',
            sendsEmpty,
            label: 'Image',
            description: 'Empty: the image of the contract.',
          },
          bannerUrl: {
            kind: 'url',
            sendsEmpty,
            label: 'Banner',
            description: 'An address that begins with https://.',
          },
          tokenUri: { kind: 'url', sendsEmpty, ...texts.tokenUri },
          primarySaleRecipient: { kind: 'address', sendsEmpty, ...texts.primarySaleRecipient },
          royaltyRecipient: { kind: 'address', sendsEmpty, ...texts.royaltyRecipient },
          royaltyPercentage: { kind: 'integer', ...texts.royaltyPercentage },
        }}
        fixed={{ nftAddress: collection.nftAddress }}
        initial={collection}
        action={componentTexts.save}
        onDone={() => {
          showToast('The settings are saved')
          onClose()
        }}
        onCancel={onClose}
      />
    </Dialog>
  )
}

interface PreviewsDialogProps {
  readonly previews: Previews
  readonly onClose: () => void
}

/** Changes the addresses of the previews. Those that stay keep their names and types. */
function PreviewsDialog({ previews: { items, nftAddress }, onClose }: PreviewsDialogProps): ReactNode {
  const toItem = (url: string) => items.find((item) => item.url === url) ?? { url }
  return (
    <Dialog title={collectionTexts.editPreviews} isOpen onClose={onClose} isDismissable={false}>
      <AdaptedForm
        operation={lazyMinting.updatePreviews}
        fields={{
          items: {
            kind: 'lines',
            label: 'Addresses',
            description: 'One address of an image in each line, at most 100.',
          },
        }}
        entered={{ items: items.map(({ url }) => url).join('\n') }}
        toOperationInput={({ items: urls = [] }) => ({
          nftAddress,
          // The field is one of lines, which are texts.
          items: (urls as readonly string[]).map(toItem),
        })}
        action={componentTexts.save}
        onDone={() => {
          showToast('The previews are saved')
          onClose()
        }}
        onCancel={onClose}
      />
    </Dialog>
  )
}
