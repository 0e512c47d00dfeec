import { ForbiddenError, NotFoundError } from '@mintmark/envelope'
import { pageOf, readPageQuery, transaction } from '@mintmark/server-kit'
import { words } from '@mintmark/wallet'
import { implementWithLimits } from '../../context.ts'
import { storedAddress } from '../address-rules.ts'
import { ANSWER_ITEMS, KEY, TEXT } from '../field-limits.ts'
import * as conversations from './conversations-store.ts'
import * as messages from './messages-store.ts'

/** A list without pages has an end all the same. */
const NONE = 'The wallet sees no message with this id'

export const wordRoutes = implementWithLimits({ content: TEXT, groupId: KEY })(words, {
  async add({ content, replyTo, ...input }, { db, project, invalid }) {
    const sender = storedAddress('sender', input.sender, invalid)
    const recipient = storedAddress('recipient', input.recipient, invalid)
    if (sender === recipient) invalid('recipient', 'Expected another wallet: none writes to itself')
    return await transaction(db, async (trx) => {
      await conversations.open(trx, project, conversations.sidesOf(sender, recipient))
      const message = await messages.add(trx, project, { sender, content, replyTo }, recipient)
      if (message === undefined)
        return invalid('replyTo', 'Expected a message of this conversation that the sender sees')
      await conversations.show(trx, project, message)
      return messages.messageOf(message)
    })
  },
  async addToGroup({ content, replyTo, groupId, ...input }, { db, project, invalid }) {
    const sender = storedAddress('sender', input.sender, invalid)
    const message = await messages.addToGroup(db, project, { sender, content, replyTo }, groupId)
    return message
      ? messages.messageOf(message)
      : invalid('replyTo', 'Expected a message of this group that was not removed')
  },
  async remove({ id, ...input }, { db, project, refuse }) {
    const address = input.address.toLowerCase()
    return await transaction(db, async (trx) => {
      const message = await messages.find(trx, project, id)
      if (message === undefined) return refuse(NotFoundError, NONE)
      const { sender, recipient } = message
      if (message.group_id !== '') {
        if (address !== sender) refuse(ForbiddenError, 'Only its sender removes a message left on a group')
      } else {
        const sides = conversations
          .sidesOf(sender, recipient)
          .filter(({ owner }) => address === sender || owner === address)
        if (sides.length === 0) refuse(NotFoundError, NONE)
        await conversations.lock(trx, project, sides)
        const hidden = await conversations.hide(trx, project, id, sides)
        if (!hidden.includes(address)) refuse(NotFoundError, NONE)
      }
      // For the second of two that remove it at once it is gone.
      if (address === sender && !(await messages.markRemoved(trx, project, id))) refuse(NotFoundError, NONE)
      return {}
    })
  },
  async groupRecords(input, { db, project, invalid }) {
    const query = readPageQuery(input, messages.MESSAGE_ORDERS, invalid)
    return pageOf(query, await messages.pageByGroup(db, project, input.groupId, query), messages.messageOf)
  },
  async conversations({ address }, { db, project }) {
    const rows = await conversations.listByOwner(
      db,
      project,
      address.toLowerCase(),
      ANSWER_ITEMS.conversations,
    )
    const last = await messages.byIds(
      db,
      project,
      rows.map((row) => row.last_message_id),
    )
    return rows.flatMap((row) => {
      const message = last.get(row.last_message_id)
      return message === undefined
        ? []
        : {
            lastMessage: messages.messageOf(message),
            name: row.name,
            other: row.other,
            photo: row.photo,
            unreadCount: row.unread,
          }
    })
  },
  async list(input, { db, project, invalid }) {
    const query = readPageQuery(input, messages.MESSAGE_ORDERS, invalid)
    const owner = input.address.toLowerCase()
    return pageOf(query, await messages.pageByOwner(db, project, owner, undefined, query), messages.messageOf)
  },
  async readAll({ address, sender }, { db, project }) {
    const count = await transaction(db, (trx) =>
      conversations.readAll(trx, project, address.toLowerCase(), sender?.toLowerCase()),
    )
    return { count }
  },
  async records(input, { db, project, invalid }) {
    const query = readPageQuery(input, messages.MESSAGE_ORDERS, invalid)
    const [owner, other] = [input.address.toLowerCase(), input.other.toLowerCase()]
    return pageOf(query, await messages.pageByOwner(db, project, owner, other, query), messages.messageOf)
  },
})
