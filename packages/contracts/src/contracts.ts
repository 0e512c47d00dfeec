import {
  ConflictError,
  Empty,
  Id,
  Integer,
  NotFoundError,
  record,
  type Schema,
  Text,
  Timestamp,
} from '@mintmark/envelope'
import { gatewayOperation, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'

const contract = record({
  /** Meant for adults. */
  adult: v.boolean(),
  /** The chain as a decimal text, such as `84532`. */
  chainId: v.string(),
  /** Where the record came from; the gateway's own word. */
  channel: v.string(),
  /** A word of the project's own, such as `collection`; `''` for none. */
  contractType: v.string(),
  /** When it was registered. */
  createTime: Timestamp,
  /** Milliseconds since the epoch. */
  createTimeLong: Integer,
  /** Whether it was removed. */
  deleted: v.boolean(),
  /** What is said of it; `''` for nothing. */
  description: v.string(),
  /** Its id. */
  id: Integer,
  /** URL of its picture; `''` for none. */
  imgUrl: v.string(),
  /** A text of the project's own; `''` for none. */
  metadata: v.string(),
  /** The contract's name. */
  name: v.string(),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** `ERC721` or `ERC1155`. */
  nftType: v.string(),
  /** The owner's address. */
  owner: v.string(),
  /** The project that it belongs to. */
  projectId: Integer,
  /** The contract's symbol, such as `PRINT`; `''` for none. */
  symbol: v.string(),
  /** When it was last changed. */
  updateTime: Timestamp,
})
/** A registered contract (specification, "Contract"). */
export interface Contract extends v.InferOutput<typeof contract> {}
export const Contract: Schema<Contract> = contract

const contractExtension = record({
  /** What a project keeps with a contract: any JSON object; `{}` where nothing was kept. */
  extension: v.looseObject({}),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
})
/** A project's own words on a contract. */
export interface ContractExtension extends v.InferOutput<typeof contractExtension> {}
export const ContractExtension: Schema<ContractExtension> = contractExtension

const address = {
  /** The contract's address; case does not matter. */
  nftAddress: Text,
}

const details = {
  /** Meant for adults. */
  adult: v.optional(v.boolean()),
  /** A word of the project's own, such as `collection`. */
  contractType: v.optional(v.string()),
  /** What is said of it. */
  description: v.optional(v.string()),
  /** URL of its picture. */
  imgUrl: v.optional(v.string()),
  /** A text of the project's own, at most 65,536 characters. */
  metadata: v.optional(v.string()),
  /** The owner's address: the creator of its cards and NFTs. */
  owner: v.optional(v.string()),
  /** The contract's symbol, such as `PRINT`. */
  symbol: v.optional(v.string()),
}

/** Query contract info: the contract registered for an address. */
export const get = gatewayOperation({
  id: 'contracts.get',
  method: 'GET',
  path: '/api/v1/contract/info',
  source: 'stated',
  scope: 'contracts:read',
  query: address,
  data: Contract,
  errors: [NotFoundError],
})

/** Registers a contract. Conflict when its address is registered on this chain. */
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
     * Registers the contract although the gateway has no access to its chain; default false. Nothing can be sold or minted there until
     * the operator adds the chain to CHAINS.
     */
    allowUnknownChain: v.optional(v.boolean()),
    /** The chain as a decimal text, such as `84532`; one that the gateway has access to, unless `allowUnknownChain` is set. */
    chainId: Text,
    /**
     * Whether the chain alone says who owns the contract's tokens, whose transfers the server then reads; default false. It cannot be
     * changed later.
     */
    index: v.optional(v.boolean()),
    /** At most 200 characters. */
    name: Text,
    /** `ERC721` or `ERC1155`. */
    nftType: Text,
  },
  data: Contract,
  errors: [ConflictError],
})

/** Modifies a contract: replaces the fields that are given and keeps the others. Its chain and type stay. */
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
    /** At most 200 characters. */
    name: v.optional(Text),
  },
  data: Contract,
  errors: [NotFoundError],
})

/**
 * Removes a contract. Conflict while it has NFTs or somebody owns its tokens; of an indexed contract, while somebody has promised its
 * tokens.
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

/** Query by pagination: contracts, the newest first unless `orderBy` (id, createTime, name) says otherwise. */
export const list = pagedGatewayOperation({
  id: 'contracts.list',
  method: 'GET',
  path: '/api/v1/contract/page',
  source: 'name',
  scope: 'contracts:read',
  query: {
    /** The owner's address; case does not matter. */
    owner: v.optional(v.string()),
    /** `ERC721` or `ERC1155`. */
    nftType: v.optional(v.string()),
    /** Part of a name, a symbol or an address; case does not matter. */
    keyword: v.optional(v.string()),
  },
  item: Contract,
})

/** Query extension information: what the project keeps with a contract. */
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

/** Modify extension: replaces what the project keeps with a contract. */
export const updateExtension = gatewayOperation({
  id: 'contracts.updateExtension',
  method: 'POST',
  path: '/api/v1/contract/extension',
  source: 'name',
  idempotent: true,
  scope: 'contracts:write',
  body: {
    ...address,
    /** A JSON object whose text has at most 65,536 bytes; it replaces the one before. */
    extension: v.looseObject({}),
  },
  data: ContractExtension,
  errors: [NotFoundError],
})
