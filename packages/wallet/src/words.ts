import {
  creationTimeQuery,
  Empty,
  ForbiddenError,
  Id,
  Integer,
  NotFoundError,
  record,
  type Schema,
  Text,
} from '@mintmark/envelope'
import { type DataOf, gatewayOperation, type InputOf, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { recordFields } from './record-fields.ts'

const message = record({
  /** The text of the message. */
  content: v.string(),
  ...recordFields,
  /** The group that the message was posted to; `''` for a message to one wallet. */
  groupId: v.string(),
  /** Whether `readAll` has marked the message as read; false for a group message. */
  read: v.boolean(),
  /**
   * The recipient's address, in lower case; `''` for a group message, like the recipient's name and photo.
   */
  recipient: v.string(),
  /** Reserved. Always empty. */
  recipientGrade: v.string(),
  /** Reserved. Always false. */
  recipientIsNftImage: v.boolean(),
  /** The recipient's name when the message was sent. */
  recipientName: v.string(),
  /** URL of the recipient's profile picture when the message was sent. */
  recipientPhoto: v.string(),
  /** The id of the message that this one replies to; 0 if it is not a reply. */
  replyTo: Integer,
  /** The sender's address, in lower case. */
  sender: v.string(),
  /** Reserved. Always empty. */
  senderGrade: v.string(),
  /** Reserved. Always false. */
  senderIsNftImage: v.boolean(),
  /** The sender's name when the message was sent. */
  senderName: v.string(),
  /** URL of the sender's profile picture when the message was sent. */
  senderPhoto: v.string(),
})
/** A message from one wallet to another, or to a group. */
export interface Message extends v.InferOutput<typeof message> {}
export const Message: Schema<Message> = message

const conversation = record({
  /** The newest message of the conversation that is not removed. */
  lastMessage: Message,
  /** The other wallet's current name; `''` if it has none. */
  name: v.string(),
  /** The other wallet's address, in lower case. */
  other: v.string(),
  /** URL of the other wallet's profile picture; `''` if it has none. */
  photo: v.string(),
  /** The number of unread messages from the other wallet. */
  unreadCount: Integer,
})
/** The messages between two wallets, as one of them sees them. */
export interface Conversation extends v.InferOutput<typeof conversation> {}
export const Conversation: Schema<Conversation> = conversation

const messageFields = {
  /** The sender's address; case does not matter. */
  sender: Text,
  /** The text, 1 to 4,000 Unicode code points. */
  content: Text,
  /**
   * The id of the message that this one replies to, of the same conversation or group. The sender must be
   * able to see it.
   */
  replyTo: v.optional(Id),
}
const address = {
  /** The wallet whose messages to return; case does not matter. */
  address: Text,
}

/**
 * Sends a message to another wallet. A wallet cannot send a message to itself.
 *
 * @example
 * const message = await words.add(gateway, {
 *   sender: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
 *   recipient: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
 *   content: 'Is the print still for sale?',
 * })
 */
export const add = gatewayOperation({
  id: 'words.add',
  method: 'POST',
  path: '/api/v1/wallet/words/add',
  source: 'name',
  scope: 'wallet:write',
  body: {
    ...messageFields,
    /** The recipient's address; case does not matter. */
    recipient: Text,
  },
  data: Message,
})
export type AddWordsInput = InputOf<typeof add>

/**
 * Hides a message from a wallet. If the wallet is the sender, hides it from everyone. NotFoundError if the
 * wallet cannot see the message. ForbiddenError if another wallet posted it to a group.
 *
 * @example
 * await words.remove(gateway, { id: 7, address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
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
    /** The wallet that removes the message; case does not matter. */
    address: Text,
  },
  data: Empty,
  errors: [ForbiddenError, NotFoundError],
})
export type RemoveMessageInput = InputOf<typeof remove>

/**
 * Posts a message to a group. Everyone who knows the group's id can read it.
 *
 * @example
 * const sender = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * await words.addToGroup(gateway, { sender, groupId: 'drop-2026', content: 'Good morning' })
 */
export const addToGroup = gatewayOperation({
  id: 'words.addToGroup',
  method: 'POST',
  path: '/api/v1/wallet/words/group/add',
  source: 'name',
  scope: 'wallet:write',
  body: {
    ...messageFields,
    /** The group's id: your own text of at most 128 characters. The first message creates the group. */
    groupId: Text,
  },
  data: Message,
})
export type AddWordsToGroupInput = InputOf<typeof addToGroup>

/**
 * Lists the messages of a group, newest first.
 *
 * @example
 * for await (const message of words.groupRecords.items(gateway, { groupId: 'drop-2026' })) console.log(message.content)
 */
export const groupRecords = pagedGatewayOperation({
  id: 'words.groupRecords',
  method: 'GET',
  path: '/api/v1/wallet/words/group/records',
  source: 'name',
  scope: 'wallet:read',
  query: {
    /** The group's id. */
    groupId: Text,
    ...creationTimeQuery,
  },
  item: Message,
})
export type ListGroupWordsRecordsInput = InputOf<typeof groupRecords>

/**
 * Returns the conversations of a wallet, at most 250, ordered by their newest message.
 *
 * @example
 * const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * const conversations = await words.conversations(gateway, { address })
 * for (const { name, unreadCount } of conversations) console.log(name, unreadCount)
 */
export const conversations = gatewayOperation({
  id: 'words.conversations',
  method: 'GET',
  path: '/api/v1/wallet/words/list',
  source: 'name',
  scope: 'wallet:read',
  query: address,
  data: v.array(Conversation),
})
export type ListConversationsInput = InputOf<typeof conversations>

/**
 * Lists all messages that a wallet sent to other wallets or received from them, newest first.
 *
 * @example
 * const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * const page = await words.list(gateway, { address, pageSize: 20 })
 */
export const list = pagedGatewayOperation({
  id: 'words.list',
  method: 'GET',
  path: '/api/v1/wallet/words/page',
  source: 'name',
  scope: 'wallet:read',
  query: { ...address, ...creationTimeQuery },
  item: Message,
})
export type ListMessagesInput = InputOf<typeof list>

/**
 * Marks the messages that a wallet has received so far as read, from one sender or from all. Returns the
 * number of messages that were unread. Idempotent: repeating the call returns 0.
 *
 * @example
 * const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * const { count } = await words.readAll(gateway, { address })
 */
export const readAll = gatewayOperation({
  id: 'words.readAll',
  method: 'POST',
  path: '/api/v1/wallet/words/readAll',
  source: 'name',
  idempotent: true,
  scope: 'wallet:write',
  body: {
    /** The wallet that has read the messages; case does not matter. */
    address: Text,
    /** The sender of the messages; case does not matter. Default: all senders. */
    sender: v.optional(Text),
  },
  data: record({
    /** The number of messages that were unread. */
    count: Integer,
  }),
})
export type ReadAllMessagesInput = InputOf<typeof readAll>
export type ReadAllMessagesResult = DataOf<typeof readAll>

/**
 * Lists the messages between two wallets that the wallet `address` can see, newest first.
 *
 * @example
 * const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
 * for await (const message of words.records.items(gateway, { address, other })) console.log(message.content)
 */
export const records = pagedGatewayOperation({
  id: 'words.records',
  method: 'GET',
  path: '/api/v1/wallet/words/records',
  source: 'name',
  scope: 'wallet:read',
  query: {
    ...address,
    /** The other wallet; case does not matter. */
    other: Text,
    ...creationTimeQuery,
  },
  item: Message,
})
export type ListWordsRecordsInput = InputOf<typeof records>
