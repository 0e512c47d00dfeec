import { ForbiddenError, NotFoundError } from '@mintmark/envelope'
import { parseTimeRange, readPageQuery, refusal, toPage } from '@mintmark/server-kit'
import { words } from '@mintmark/wallet'
import { implementWithLimits } from '../../../http/context.ts'
import { ensureFound } from '../../../http/ensure-found.ts'
import { KEY, RESPONSE_ITEMS, TEXT } from '../../../http/field-limits.ts'
import * as conversations from './conversations-store.ts'
import * as messages from './messages-store.ts'

const NO_MESSAGE = 'The wallet has no message with this id'

export const wordRoutes = implementWithLimits({ content: TEXT, groupId: KEY })(words, {
  async add({ recipient, ...message }, { tenant, invalid }) {
    const { sender } = message
    if (sender === recipient) invalid('recipient', 'Expected another wallet: a wallet cannot message itself')
    return await tenant.transaction(async (trx) => {
      await conversations.open(trx, conversations.toSides(sender, recipient))
      const row = await messages.add(trx, message, recipient)
      if (row === undefined)
        return invalid('replyTo', 'Expected a message of this conversation that the sender can see')
      await conversations.show(trx, row)
      return messages.toMessage(row)
    })
  },
  async addToGroup({ groupId, ...message }, { tenant, invalid }) {
    const row = await messages.addToGroup(tenant, message, groupId)
    return row
      ? messages.toMessage(row)
      : invalid('replyTo', 'Expected a message of this group that is not removed')
  },
  async remove({ id, address }, { tenant }) {
    return await tenant.transaction(async (trx) => {
      const message = ensureFound(await messages.find(trx, id), NO_MESSAGE)
      const { sender, recipient } = message
      if (message.group_id !== '') {
        if (address !== sender)
          throw refusal(ForbiddenError, 'Only its sender can remove a message of a group')
      } else {
        const sides = conversations
          .toSides(sender, recipient)
          .filter(({ owner }) => address === sender || owner === address)
        if (sides.length === 0) throw refusal(NotFoundError, NO_MESSAGE)
        await conversations.lock(trx, sides)
        const formerOwners = await conversations.hide(trx, id, sides)
        if (!formerOwners.includes(address)) throw refusal(NotFoundError, NO_MESSAGE)
      }
      // Of two concurrent removals, the second finds no message.
      if (address === sender && !(await messages.markRemoved(trx, id)))
        throw refusal(NotFoundError, NO_MESSAGE)
      return {}
    })
  },
  async groupRecords(input, { tenant, invalid }) {
    const query = readPageQuery(input, messages.MESSAGE_ORDERS, invalid)
    const filter = { group: input.groupId, ...parseTimeRange(input) }
    return toPage(query, await messages.listByGroup(tenant, filter, query), messages.toMessage)
  },
  async conversations({ address }, { tenant }) {
    const rows = await conversations.listByOwner(tenant, address, RESPONSE_ITEMS.conversations)
    const lastMessages = await messages.findByIds(
      tenant,
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
  async list(input, { tenant, invalid }) {
    const query = readPageQuery(input, messages.MESSAGE_ORDERS, invalid)
    const filter = { owner: input.address, ...parseTimeRange(input) }
    const page = await messages.listByOwner(tenant, filter, query)
    return toPage(query, page, messages.toMessage)
  },
  async readAll({ address, sender }, { tenant }) {
    const count = await tenant.transaction((trx) => conversations.readAll(trx, address, sender))
    return { count }
  },
  async records(input, { tenant, invalid }) {
    const query = readPageQuery(input, messages.MESSAGE_ORDERS, invalid)
    const filter = { owner: input.address, other: input.other, ...parseTimeRange(input) }
    const page = await messages.listByOwner(tenant, filter, query)
    return toPage(query, page, messages.toMessage)
  },
})
