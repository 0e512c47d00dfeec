import { type Contract, contracts, NftType } from '@mintmark/contracts'
import { openForm } from '../../components/dialogs.tsx'
import { imageField } from '../../form/nft-fields.ts'
import { contractsTexts } from '../../texts/contracts.ts'

const isRequired = true

const typeOptions = Object.values(NftType).map((value) => ({ value, label: contractsTexts.types[value] }))

/** The fields that can be changed later, by the names of the input. */
const details = {
  symbol: { kind: 'text', sendsEmpty: true, label: 'Symbol', description: 'Such as PRINT.' },
  owner: { kind: 'address', label: 'Owner', description: 'The wallet that created the collection.' },
  contractType: {
    kind: 'text',
    sendsEmpty: true,
    label: 'Category',
    description: 'Your own word, such as collection.',
  },
  description: { kind: 'multiline', sendsEmpty: true, label: 'Description' },
  imgUrl: imageField,
  adult: { kind: 'boolean', label: 'For adults only' },
} as const

const name = {
  kind: 'text',
  isRequired,
  label: 'Name',
  description: 'What buyers see, at most 200 characters.',
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
        label: 'Address',
        description: 'The address of the contract on its chain.',
      },
      chainId: {
        kind: 'code',
        isRequired,
        label: 'Chain id',
        description: 'A number, such as 8453 for Base.',
      },
      nftType: { kind: 'select', isRequired, options: typeOptions, label: 'Type of the tokens' },
      index: {
        kind: 'boolean',
        label: 'Follow transfers on the chain',
        description:
          'The chain then determines who owns the tokens. This cannot be changed later. Without it, ownership changes only by sales here.',
      },
      ...details,
      allowUnknownChain: {
        kind: 'boolean',
        label: 'Add it even if the gateway cannot read the chain',
        description: 'Tokens cannot be sold or minted until an operator connects the chain.',
      },
    },
    initial: { nftType: NftType.ERC721 },
    title: 'Add contract',
    done: (added) => `${added.name} is added`,
  })

/** Changes what the project wrote about a contract. */
export const editContract = (contract: Contract): Promise<Contract | undefined> =>
  openForm({
    operation: contracts.update,
    fields: { name, ...details },
    fixed: { nftAddress: contract.nftAddress },
    initial: contract,
    title: `Edit ${contract.name}`,
    action: 'Save',
    done: (saved) => `${saved.name} is saved`,
  })
