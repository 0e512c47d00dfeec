import { nfts } from '@mintmark/contracts'
import { useContractOptions } from '../../api/contract-options.ts'
import { openLoadedForm } from '../../components/dialogs.tsx'
import { Empty } from '../../components/empty.tsx'
import { Picture } from '../../components/picture.tsx'
import type { FormValues } from '../../form/form-values.ts'
import { metadataField, propertiesField, royaltyField } from '../../form/nft-fields.ts'
import { toImageAddress } from '../../format/web-address.ts'
import { t } from '../../language/translate.ts'
import { useProject } from '../../session/project-context.tsx'
import { nftsTexts } from '../../texts/contracts.ts'

const { fields: texts } = nftsTexts
const isRequired = true

/**
 * Adds a token of a contract, with a preview of its image.
 *
 * @param nftAddress The contract that is selected first. Default: the newest.
 */
export const addNft = (nftAddress?: string) =>
  openLoadedForm<typeof nfts.add>(nftsTexts.add, () => useNftForm(nftAddress))

function useNftForm(nftAddress: string | undefined) {
  const { wallet } = useProject()
  const options = useContractOptions()
  const [newest] = options
  if (newest === undefined) {
    const text = (
      <Empty
        icon="contract"
        title={t('Add a contract first')}
        advice={t('An NFT is a token of a contract. Add the contract of your collection.')}
        action={{ label: t('Go to contracts'), kind: 'primary', to: 'contracts' }}
      />
    )
    return { text }
  }
  return {
    operation: nfts.add,
    fields: {
      nftAddress: { kind: 'select', isRequired, options, ...texts.nftAddress },
      nftId: {
        kind: 'code',
        isRequired,
        label: t('Token id'),
        description: t('The number of the token in its contract.'),
      },
      name: {
        kind: 'text',
        isRequired,
        label: t('Name'),
        description: t('What buyers see, at most 200 characters.'),
      },
      imgUrl: { kind: 'url', label: t('Image'), description: t('An address that begins with https://.') },
      owner: {
        kind: 'address',
        isRequired,
        label: t('First owner'),
        description: t('The wallet that has the token now.'),
      },
      quantity: {
        kind: 'integer',
        isRequired,
        label: t('Units'),
        description: t('1 for ERC-721. For ERC-1155, the size of the edition.'),
      },
      description: { kind: 'multiline', label: t('Description') },
      properties: propertiesField,
      royaltyPercentage: royaltyField,
      tokenUri: metadataField,
    },
    initial: { nftAddress: nftAddress ?? newest.value, owner: wallet, quantity: 1 },
    preview: ({ imgUrl }: FormValues) =>
      typeof imgUrl === 'string' &&
      toImageAddress(imgUrl) !== undefined && (
        <Picture address={imgUrl} label={t('Preview of the image')} size="large" />
      ),
  } as const
}
