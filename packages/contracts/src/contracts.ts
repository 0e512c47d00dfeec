import {
  ConflictError,
  creationTimeQuery,
  Empty,
  Id,
  Integer,
  type NftType,
  NotFoundError,
  OpenNftType,
  record,
  referenceField,
  referenceInput,
  referenceQuery,
  type Schema,
  Text,
  Timestamp,
} from '@mintmark/envelope'
import { gatewayOperation, type InputOf, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'

const contract = record({
  /** Whether the content is for adults only. */
  adult: v.boolean(),
  /** The chain as a decimal text, such as `84532`. */
  chainId: v.string(),
  /** The origin of the record, set by the gateway. */
  channel: v.string(),
  /** The project's own category, such as `collection`; `''` if not set. */
  contractType: v.string(),
  /** When the contract was registered. */
  createTime: Timestamp,
  /** The registration time in milliseconds since the epoch. */
  createTimeLong: Integer,
  /** Whether the contract was removed. */
  deleted: v.boolean(),
  /** The description; `''` if not set. */
  description: v.string(),
  /** The record's id. */
  id: Integer,
  /** URL of the image; `''` if not set. */
  imgUrl: v.string(),
  /** The project's own text; `''` if not set. */
  metadata: v.string(),
  /** The contract's name. */
  name: v.string(),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** `ERC721` or `ERC1155`. */
  nftType: OpenNftType,
  /** The owner's address. */
  owner: v.string(),
  /** The project that the contract belongs to. */
  projectId: Integer,
  ...referenceField,
  /** The contract's symbol, such as `PRINT`; `''` if not set. */
  symbol: v.string(),
  /** When the record was last changed. */
  updateTime: Timestamp,
})
/** A registered contract (specification, "Contract"). */
export interface Contract extends v.InferOutput<typeof contract> {}
export const Contract: Schema<Contract> = contract

const contractExtension = record({
  /** The data that the project stores with the contract: any JSON object; `{}` by default. */
  extension: v.looseObject({}),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
})
/** The data that a project stores with a contract. */
export interface ContractExtension extends v.InferOutput<typeof contractExtension> {}
export const ContractExtension: Schema<ContractExtension> = contractExtension

const address = {
  /** The contract's address; case does not matter. */
  nftAddress: Text,
}

const details = {
  /** Whether the content is for adults only. */
  adult: v.optional(v.boolean()),
  /** Your own category, such as `collection`. */
  contractType: v.optional(v.string()),
  /** The description. */
  description: v.optional(v.string()),
  /** URL of the image. */
  imgUrl: v.optional(v.string()),
  /** Your own text, at most 65,536 characters. */
  metadata: v.optional(v.string()),
  /** The owner's address: the creator of its cards and NFTs. */
  owner: v.optional(v.string()),
  /** The contract's symbol, such as `PRINT`. */
  symbol: v.optional(v.string()),
  ...referenceInput,
}

/**
 * Returns the contract that is registered for an address. NotFoundError if the address is not registered.
 *
 * @example
 * const contract = await contracts.get(gateway, { nftAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3' })
 * console.log(contract.name, contract.nftType, contract.chainId)
 */
export const get = gatewayOperation({
  id: 'contracts.get',
  method: 'GET',
  path: '/api/v1/contract/info',
  source: 'stated',
  scope: 'contracts:read',
  publishable: true,
  query: address,
  data: Contract,
  errors: [NotFoundError],
})
export type GetContractInput = InputOf<typeof get>

/**
 * Registers a contract. ConflictError if the address is already registered on this chain.
 *
 * @example
 * const contract = await contracts.add(gateway, {
 *   nftAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *   chainId: '84532',
 *   nftType: 'ERC721',
 *   name: 'Prints',
 * })
 */
export const add = gatewayOperation({
  id: 'contracts.add',
  method: 'POST',
  path: '/api/v1/contract/add',
  source: 'name',
  scope: 'contracts:write',
  body: {
    ...address,
    ...details,
    /**
     * Registers the contract even if the gateway has no access to its chain. Tokens cannot be sold or minted
     * until the operator adds the chain to CHAINS. Default: false.
     */
    allowUnknownChain: v.optional(v.boolean()),
    /**
     * The chain as a decimal text, such as `84532`. The gateway must have access to it unless
     * `allowUnknownChain` is true.
     */
    chainId: Text,
    /**
     * Whether the server indexes the contract's transfers, so that the chain determines who owns its tokens.
     * Cannot be changed later. Default: false.
     */
    index: v.optional(v.boolean()),
    /** The contract's name; at most 200 characters. */
    name: Text,
    /** `ERC721` or `ERC1155`. */
    nftType: Text as Schema<NftType | (string & {})>,
  },
  data: Contract,
  errors: [ConflictError],
})
export type AddContractInput = InputOf<typeof add>

/**
 * Replaces the given fields of a contract and keeps the others. The chain and the token type cannot change.
 * NotFoundError if the contract is not registered.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * await contracts.update(gateway, { nftAddress, description: 'Prints of 2026' })
 */
export const update = gatewayOperation({
  id: 'contracts.update',
  method: 'POST',
  path: '/api/v1/contract/update',
  source: 'name',
  idempotent: true,
  scope: 'contracts:write',
  body: {
    ...address,
    ...details,
    /** The contract's name; at most 200 characters. */
    name: v.optional(Text),
  },
  data: Contract,
  errors: [NotFoundError],
})
export type UpdateContractInput = InputOf<typeof update>

/**
 * Removes a contract, and the assets of its tokens. NotFoundError if it does not exist. ConflictError while
 * it has NFTs or open mints, or some of its tokens are reserved.
 *
 * @example
 * await contracts.remove(gateway, { id: 7 })
 */
export const remove = gatewayOperation({
  id: 'contracts.remove',
  method: 'DELETE',
  path: '/api/v1/contract/{id}',
  source: 'name',
  scope: 'contracts:write',
  params: {
    /** The contract's id. */
    id: Id,
  },
  data: Empty,
  errors: [ConflictError, NotFoundError],
})
export type RemoveContractInput = InputOf<typeof remove>

/**
 * Lists contracts by owner, token type and keyword. Newest first by default; `orderBy` accepts id, createTime
 * and name.
 *
 * @example
 * for await (const contract of contracts.list.items(gateway, { nftType: 'ERC1155' })) console.log(contract.name)
 */
export const list = pagedGatewayOperation({
  id: 'contracts.list',
  method: 'GET',
  path: '/api/v1/contract/page',
  source: 'name',
  scope: 'contracts:read',
  publishable: true,
  query: {
    /** The owner's address; case does not matter. */
    owner: v.optional(v.string()),
    /** `ERC721` or `ERC1155`. */
    nftType: v.optional(OpenNftType),
    /** Part of a name, a symbol or an address; case does not matter. */
    keyword: v.optional(v.string()),
    ...creationTimeQuery,
    ...referenceQuery,
  },
  orders: ['id', 'createTime', 'name'],
  item: Contract,
})
export type ListContractsInput = InputOf<typeof list>

/**
 * Returns the data that the project stores with a contract. NotFoundError if the contract is not registered.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const { extension } = await contracts.extension(gateway, { nftAddress })
 */
export const extension = gatewayOperation({
  id: 'contracts.extension',
  method: 'GET',
  path: '/api/v1/contract/extension',
  source: 'name',
  scope: 'contracts:read',
  query: address,
  data: ContractExtension,
  errors: [NotFoundError],
})
export type GetContractExtensionInput = InputOf<typeof extension>

/**
 * Replaces the data that the project stores with a contract. NotFoundError if the contract is not registered.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * await contracts.updateExtension(gateway, { nftAddress, extension: { theme: 'dark' } })
 */
export const updateExtension = gatewayOperation({
  id: 'contracts.updateExtension',
  method: 'POST',
  path: '/api/v1/contract/extension',
  source: 'name',
  idempotent: true,
  scope: 'contracts:write',
  body: {
    ...address,
    /** A JSON object whose text has at most 65,536 bytes. */
    extension: v.looseObject({}),
  },
  data: ContractExtension,
  errors: [NotFoundError],
})
export type UpdateContractExtensionInput = InputOf<typeof updateExtension>
