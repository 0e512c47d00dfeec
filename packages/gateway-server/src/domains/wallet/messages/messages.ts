import { ForbiddenError, NotFoundError } from '@mintmark/envelope'
import { readPageQuery, toPage, transaction } from '@mintmark/server-kit'
import { words } from '@mintmark/wallet'
import { implementWithLimits } from '../../../context.ts'
import { KEY, RESPONSE_ITEMS, TEXT } from '../../../http/field-limits.ts'
import * as conversations from './conversations-store.ts'
import * as messages from './messages-store.ts'

const NO_MESSAGE = 'The wallet has no message with this id'

export const wordRoutes = implementWithLimits({ content: TEXT, groupId: KEY })(words, {
  async add({ recipient, ...message }, { db, project, invalid }) {
    const { sender } = message
    if (sender === recipient) invalid('recipient', 'Expected another wallet: a wallet cannot message itself')
    return await transaction(db, async (trx) => {
      await conversations.open(trx, project, conversations.toSides(sender, recipient))
      const row = await messages.add(trx, project, message, recipient)
      if (row === undefined)
        return invalid('replyTo', 'Expected a message of this conversation that the sender can see')
      await conversations.show(trx, project, row)
      return messages.toMessage(row)
    })
  },
  async addToGroup({ groupId, ...message }, { db, project, invalid }) {
    const row = await messages.addToGroup(db, project, message, groupId)
    return row
      ? messages.toMessage(row)
      : invalid('replyTo', 'Expected a message of this group that is not removed')
  },
  async remove({ id, address }, { db, project, refuse }) {
    return await transaction(db, async (trx) => {
      const message = await messages.find(trx, project, id)
      if (message === undefined) return refuse(NotFoundError, NO_MESSAGE)
      const { sender, recipient } = message
      if (message.group_id !== '') {
        if (address !== sender) refuse(ForbiddenError, 'Only its sender can remove a message of a group')
      } else {
        const sides = conversations
          .toSides(sender, recipient)
          .filter(({ owner }) => address === sender || owner === address)
        if (sides.length === 0) refuse(NotFoundError, NO_MESSAGE)
        await conversations.lock(trx, project, sides)
        const formerOwners = await conversations.hide(trx, project, id, sides)
        if (!formerOwners.includes(address)) refuse(NotFoundError, NO_MESSAGE)
      }
      // Of two concurrent removals, the second finds no message.
      if (address === sender && !(await messages.markRemoved(trx, project, id)))
        refuse(NotFoundError, NO_MESSAGE)
      return {}
    })
  },
  async groupRecords(input, { db, project, invalid }) {
    const query = readPageQuery(input, messages.MESSAGE_ORDERS, invalid)
    return toPage(query, await messages.listByGroup(db, project, input.groupId, query), messages.toMessage)
  },
  async conversations({ address }, { db, project }) {
    const rows = await conversations.listByOwner(db, project, address, RESPONSE_ITEMS.conversations)
    const lastMessages = await messages.findByIds(
      db,
      project,
      rows.map((row) => row.last_message_id),
    )
    return rows.flatMap((row) => {
      const message = lastMessages.get(row.last_message_id)
      return message === undefined
        ? []
        : {
            lastMessage: messages.toMessage(message),
            name: row.name,
            other: row.other,
            photo: row.photo,
            unreadCount: row.unread,
          }
    })
  },
  async list(input, { db, project, invalid }) {
    const query = readPageQuery(input, messages.MESSAGE_ORDERS, invalid)
    const page = await messages.listByOwner(db, project, input.address, undefined, query)
    return toPage(query, page, messages.toMessage)
  },
  async readAll({ address, sender }, { db, project }) {
    const count = await transaction(db, (trx) => conversations.readAll(trx, project, address, sender))
    return { count }
  },
  async records(input, { db, project, invalid }) {
    const query = readPageQuery(input, messages.MESSAGE_ORDERS, invalid)
    const page = await messages.listByOwner(db, project, input.address, input.other, query)
    return toPage(query, page, messages.toMessage)
  },
})
