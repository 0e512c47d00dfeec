import {
  Empty,
  ForbiddenError,
  Id,
  Integer,
  NotFoundError,
  record,
  type Schema,
  Text,
} from '@mintmark/envelope'
import { gatewayOperation, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { recordFields } from './record-fields.ts'

const message = record({
  /** What was written. */
  content: v.string(),
  ...recordFields,
  /** The group it was left on; `''` for a message to one wallet. */
  groupId: v.string(),
  /** Whether the recipient has read it, as `readAll` notes it; false for a message left on a group. */
  read: v.boolean(),
  /** Who it was sent to, in lower case; `''` for a message left on a group, as are the other fields of the recipient. */
  recipient: v.string(),
  /** `''`: nothing gives it a value yet. */
  recipientGrade: v.string(),
  /** Whether the recipient's photo is of an NFT; false: nothing says so yet. */
  recipientIsNftImage: v.boolean(),
  /** The recipient's name when it was sent. */
  recipientName: v.string(),
  /** URL of the recipient's profile picture when it was sent. */
  recipientPhoto: v.string(),
  /** The id of the message it replies to; 0 for none. */
  replyTo: Integer,
  /** Who sent it, in lower case. */
  sender: v.string(),
  /** `''`: nothing gives it a value yet. */
  senderGrade: v.string(),
  /** Whether the sender's photo is of an NFT; false: nothing says so yet. */
  senderIsNftImage: v.boolean(),
  /** The sender's name when it was sent. */
  senderName: v.string(),
  /** URL of the sender's profile picture when it was sent. */
  senderPhoto: v.string(),
})
/** A message from one wallet to another, or one left on a group. */
export interface Message extends v.InferOutput<typeof message> {}
export const Message: Schema<Message> = message

const conversation = record({
  /** The newest message between the two that is not removed. */
  lastMessage: Message,
  /** The other party's name as it is now; `''` for none. */
  name: v.string(),
  /** The other party's address, in lower case. */
  other: v.string(),
  /** URL of the other party's profile picture; `''` for none. */
  photo: v.string(),
  /** How many messages of the other party are not read. */
  unreadCount: Integer,
})
/** What a wallet and another one wrote each other, as the first of them sees it. */
export interface Conversation extends v.InferOutput<typeof conversation> {}
export const Conversation: Schema<Conversation> = conversation

const words = {
  /** Who writes; case does not matter. */
  sender: Text,
  /** 1 to 4,000 characters: code points, so that an emoji of one code point counts once. */
  content: Text,
  /** The id of a message of the same conversation or group that the sender sees: what this one replies to. */
  replyTo: v.optional(Id),
}
const address = {
  /** The wallet whose messages they are; case does not matter. */
  address: Text,
}

/** Sends a message to another wallet; no wallet writes to itself. */
export const add = gatewayOperation({
  id: 'words.add',
  method: 'POST',
  path: '/api/v1/wallet/words/add',
  source: 'name',
  scope: 'wallet:write',
  body: {
    ...words,
    /** Who it is for; case does not matter. */
    recipient: Text,
  },
  data: Message,
})

/**
 * Delete message/reply records: hides a message from a wallet; when it is the sender's, from everybody. NotFoundError when the wallet does
 * not see it, Forbidden when it was left on a group by somebody else.
 */
export const remove = gatewayOperation({
  id: 'words.remove',
  method: 'DELETE',
  path: '/api/v1/wallet/words/{id}',
  source: 'name',
  scope: 'wallet:write',
  params: {
    /** The message's id. */
    id: Id,
  },
  query: {
    /** The wallet that removes it; case does not matter. */
    address: Text,
  },
  data: Empty,
  errors: [ForbiddenError, NotFoundError],
})

/** Leave message on group add: leaves a message that everybody who knows the group can read. */
export const addToGroup = gatewayOperation({
  id: 'words.addToGroup',
  method: 'POST',
  path: '/api/v1/wallet/words/group/add',
  source: 'name',
  scope: 'wallet:write',
  body: {
    ...words,
    /** The group: a text of yours, at most 128 characters. A group begins with its first message. */
    groupId: Text,
  },
  data: Message,
})

/** Group records: the messages left on a group, the newest first. */
export const groupRecords = pagedGatewayOperation({
  id: 'words.groupRecords',
  method: 'GET',
  path: '/api/v1/wallet/words/group/records',
  source: 'name',
  scope: 'wallet:read',
  query: {
    /** The group. */
    groupId: Text,
  },
  item: Message,
})

/** List: the conversations of a wallet, the one with the newest message first; at most 250. */
export const conversations = gatewayOperation({
  id: 'words.conversations',
  method: 'GET',
  path: '/api/v1/wallet/words/list',
  source: 'name',
  scope: 'wallet:read',
  query: address,
  data: v.array(Conversation),
})

/** Page list: all messages that a wallet sent to others and received from them, the newest first. */
export const list = pagedGatewayOperation({
  id: 'words.list',
  method: 'GET',
  path: '/api/v1/wallet/words/page',
  source: 'name',
  scope: 'wallet:read',
  query: address,
  item: Message,
})

/**
 * Read all: marks what a wallet received as read, up to this moment; from one sender, or from all. Answers how many messages that were
 * not read became so: 0, when it is called again.
 */
export const readAll = gatewayOperation({
  id: 'words.readAll',
  method: 'POST',
  path: '/api/v1/wallet/words/readAll',
  source: 'name',
  idempotent: true,
  scope: 'wallet:write',
  body: {
    /** The wallet that has read; case does not matter. */
    address: Text,
    /** Whose messages; none: everybody's. Case does not matter. */
    sender: v.optional(Text),
  },
  data: record({
    /** How many messages became read. */
    count: Integer,
  }),
})

/** Records: the messages between a wallet and another one that the first of them sees, the newest first. */
export const records = pagedGatewayOperation({
  id: 'words.records',
  method: 'GET',
  path: '/api/v1/wallet/words/records',
  source: 'name',
  scope: 'wallet:read',
  query: {
    ...address,
    /** The other party; case does not matter. */
    other: Text,
  },
  item: Message,
})
