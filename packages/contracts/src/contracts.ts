import { Integer, NotFound, record, type Schema, Text, Timestamp } from '@mintmark/envelope'
import { gatewayOperation } from '@mintmark/transport/operation'
import * as v from 'valibot'

const contract = record({
  /** Meant for adults. */
  adult: v.boolean(),
  /** The chain as a decimal text, such as `84532`. */
  chainId: v.string(),
  /** Where the record came from; the gateway's own word. */
  channel: v.string(),
  contractType: v.string(),
  createTime: Timestamp,
  /** Milliseconds since the epoch. */
  createTimeLong: Integer,
  deleted: v.boolean(),
  description: v.string(),
  id: Integer,
  imgUrl: v.string(),
  metadata: v.string(),
  name: v.string(),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** `ERC721` or `ERC1155`. */
  nftType: v.string(),
  /** The owner's address. */
  owner: v.string(),
  projectId: Integer,
  symbol: v.string(),
  updateTime: Timestamp,
})
/** A registered contract (specification, "Contract"). */
export interface Contract extends v.InferOutput<typeof contract> {}
export const Contract: Schema<Contract> = contract

/** Query contract info: the contract registered for an address. */
export const get = gatewayOperation({
  id: 'contracts.get',
  method: 'GET',
  path: '/api/v1/contract/info',
  source: 'stated',
  scope: 'contracts:read',
  query: {
    /** The contract's address; case does not matter. */
    nftAddress: Text,
  },
  data: Contract,
  errors: [NotFound],
})
