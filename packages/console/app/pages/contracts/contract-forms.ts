import { type Contract, contracts, NftType } from '@mintmark/contracts'
import { openForm } from '../../components/dialogs.tsx'
import { imageField } from '../../form/nft-fields.ts'
import { t } from '../../language/translate.ts'
import { contractsTexts } from '../../texts/contracts.ts'

const isRequired = true

const typeOptions = Object.values(NftType).map((value) => ({ value, label: contractsTexts.types[value] }))

/** The fields that can be changed later, by the names of the input. */
const details = {
  symbol: { kind: 'text', sendsEmpty: true, label: t('Symbol'), description: t('Such as PRINT.') },
  owner: { kind: 'address', label: t('Owner'), description: t('The wallet that created the collection.') },
  contractType: {
    kind: 'text',
    sendsEmpty: true,
    label: t('Category'),
    description: t('Your own word, such as collection.'),
  },
  description: { kind: 'multiline', sendsEmpty: true, label: t('Description') },
  imgUrl: imageField,
  adult: { kind: 'boolean', label: t('For adults only') },
} as const

const name = {
  kind: 'text',
  isRequired,
  label: t('Name'),
  description: t('What buyers see, at most 200 characters.'),
} as const

/** Registers a contract. */
export const addContract = (): Promise<Contract | undefined> =>
  openForm({
    operation: contracts.add,
    fields: {
      name,
      nftAddress: {
        kind: 'address',
        isRequired,
        label: t('Address'),
        description: t('The address of the contract on its chain.'),
      },
      chainId: {
        kind: 'code',
        isRequired,
        label: t('Chain id'),
        description: t('A number, such as 8453 for Base.'),
      },
      nftType: { kind: 'select', isRequired, options: typeOptions, label: t('Type of the tokens') },
      index: {
        kind: 'boolean',
        label: t('Follow transfers on the chain'),
        description: t(
          'The chain then determines who owns the tokens. This cannot be changed later. Without it, ownership changes only by sales here.',
        ),
      },
      ...details,
      allowUnknownChain: {
        kind: 'boolean',
        label: t('Add it even if the gateway cannot read the chain'),
        description: t('Tokens cannot be sold or minted until an operator connects the chain.'),
      },
    },
    initial: { nftType: NftType.ERC721 },
    title: t('Add contract'),
    done: (added) => t('{name} is added', { name: added.name }),
  })

/** Changes what the project wrote about a contract. */
export const editContract = (contract: Contract): Promise<Contract | undefined> =>
  openForm({
    operation: contracts.update,
    fields: { name, ...details },
    fixed: { nftAddress: contract.nftAddress },
    initial: contract,
    title: t('Edit {name}', { name: contract.name }),
    action: t('Save'),
    done: (saved) => t('{name} is saved', { name: saved.name }),
  })
