import { type Message, words } from '@mintmark/wallet'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useRecords } from '../../api/lists.ts'
import { useWrite } from '../../api/operations.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Section } from '../../components/detail-list.tsx'
import { openForm } from '../../components/dialogs.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { ResourceSection } from '../../components/resource.tsx'
import { Time } from '../../components/time.tsx'
import { showToast } from '../../components/toast.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { shortenIdentifier } from '../../format/identifier.ts'
import { t } from '../../language/translate.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { readPageNumber } from '../../navigation/search-params.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { useBasePath, useMayChange } from '../../session/project-context.tsx'
import { messagesTexts } from '../../texts/wallets.ts'

const isRequired = true
/** The gateway returns so many conversations. */
const MAX_CONVERSATIONS = 250

interface MessagesProps {
  readonly address: string
}

/** The conversations of a wallet, or the one that the address of the page names. */
export function MessagesSection({ address }: MessagesProps): ReactNode {
  const [{ other }] = useSearchState('other')
  if (other !== undefined) return <ConversationSection key={other} address={address} other={other} />
  return <ConversationList address={address} />
}

const writeMessage = (sender: string) =>
  openForm({
    operation: words.add,
    fields: {
      recipient: {
        kind: 'address',
        isRequired,
        label: t('Recipient'),
        description: t('The address of the wallet that gets the message.'),
      },
      content: {
        kind: 'multiline',
        isRequired,
        label: t('Message'),
        description: t('1 to 4,000 characters. It is sent in the name of this wallet.'),
      },
    },
    fixed: { sender },
    title: t('New message'),
    action: messagesTexts.send,
    done: messagesTexts.sent,
  })

function ConversationList({ address }: MessagesProps): ReactNode {
  const base = useBasePath()
  const navigate = useNavigate()
  const write = async () => {
    const sent = await writeMessage(address)
    if (sent === undefined) return
    const search = { view: 'messages', other: sent.recipient }
    await navigate({ to: `${base}/wallets/${address}`, search })
  }
  return (
    <ResourceSection
      operation={words.conversations}
      input={{ address }}
      title={messagesTexts.title}
      actions={() => [{ label: t('New message'), icon: 'plus', onSelect: write }]}
      columns={{
        other: {
          label: t('Wallet'),
          cell: ({ other, name }) => (
            <ProjectLink to={`wallets/${address}`} search={{ view: 'messages', other }} className="row-link">
              {name || shortenIdentifier(other)}
            </ProjectLink>
          ),
        },
        lastMessage: {
          label: t('Newest message'),
          cell: ({ lastMessage }) => <div className="change-summary truncate">{lastMessage.content}</div>,
        },
        unreadCount: {
          label: t('Unread'),
          cell: ({ unreadCount: count }) =>
            count > 0 && <Badge tone="info">{messagesTexts.unread(count)}</Badge>,
        },
        _time: { label: t('Time'), cell: ({ lastMessage }) => <Time value={lastMessage.createTime} /> },
      }}
      getKey={({ other }) => other}
      picture={({ photo }) => photo}
      render={(rows, _isStale, table) => (
        <>
          {table}
          {rows.length === MAX_CONVERSATIONS && (
            <p className="muted">{t('The newest 250 conversations are shown.')}</p>
          )}
        </>
      )}
      empty={{
        icon: 'wallet',
        title: t('No messages yet'),
        advice: t('Conversations of this wallet appear here.'),
      }}
    />
  )
}

interface ConversationProps extends MessagesProps {
  /** The other wallet. */
  readonly other: string
}

function ConversationSection({ address, other }: ConversationProps): ReactNode {
  const mayChange = useMayChange()
  const [sentCount, setSentCount] = useState(0)
  return (
    <Section
      title={t('Messages with {other}', { other: shortenIdentifier(other) })}
      actions={
        <ProjectLink
          to={`wallets/${address}`}
          search={{ view: 'messages' }}
          className="button button-secondary"
        >
          {t('All conversations')}
        </ProjectLink>
      }
    >
      <MessageList address={address} other={other} />
      {mayChange && (
        <OperationForm
          // A new form after each message, so that it is empty.
          key={sentCount}
          operation={words.add}
          fields={{
            content: {
              kind: 'multiline',
              isRequired,
              label: t('Reply'),
              description: t('It is sent in the name of this wallet.'),
            },
          }}
          fixed={{ sender: address, recipient: other }}
          action={messagesTexts.send}
          onDone={() => {
            showToast(messagesTexts.sent)
            setSentCount(sentCount + 1)
          }}
        />
      )}
    </Section>
  )
}

function MessageList({ address, other }: ConversationProps): ReactNode {
  const [{ page }, setSearch] = useSearchState('page')
  const pageNumber = readPageNumber(page)
  const query = useRecords(words.records, { address, other }, { pageNumber })
  return (
    <QueryView query={query}>
      {({ list, lastPage }) => (
        <>
          <div className="row">
            {!lastPage && (
              <Button onClick={() => setSearch({ page: String(pageNumber + 1) })}>
                {t('Older messages')}
              </Button>
            )}
            {pageNumber > 1 && (
              <Button onClick={() => setSearch({ page: String(pageNumber - 1) })}>
                {t('Newer messages')}
              </Button>
            )}
            <MarkReadButton address={address} other={other} messages={list} />
          </div>
          {list.length === 0 ? (
            <EmptyState
              icon="wallet"
              title={t('No messages with this wallet')}
              advice={t('Write the first one below.')}
              adviceToRead={t('Messages between both wallets appear here.')}
            />
          ) : (
            <ol className="stack-small" aria-label={messagesTexts.title}>
              {list.toReversed().map((message) => (
                <MessageItem key={message.id} address={address} message={message} />
              ))}
            </ol>
          )}
        </>
      )}
    </QueryView>
  )
}

interface MarkReadButtonProps extends ConversationProps {
  readonly messages: readonly Message[]
}

/**
 * Marks the received messages as read. Opening a conversation does not, because support reads in the name of
 * others.
 */
function MarkReadButton({ address, other, messages }: MarkReadButtonProps): ReactNode {
  const mayChange = useMayChange()
  const read = useWrite(words.readAll)
  const hasUnread = messages.some((message) => message.recipient === address && !message.read)
  if (!mayChange || !hasUnread) return null
  const onSuccess = () => showToast(t('The messages are marked as read'))
  return (
    <>
      <Button
        isPending={read.isPending}
        onClick={() => read.mutate({ address, sender: other }, { onSuccess })}
      >
        {t('Mark as read')}
      </Button>
      <ErrorNotice error={read.error} />
    </>
  )
}

interface MessageItemProps extends MessagesProps {
  readonly message: Message
}

function MessageItem({ address, message }: MessageItemProps): ReactNode {
  const { sender, senderName, content, createTime, replyTo } = message
  const isOwn = sender === address
  return (
    <li className={isOwn ? 'frame message message-own' : 'frame message'}>
      <p className="faint">
        {isOwn ? t('This wallet') : senderName || shortenIdentifier(sender)} · <Time value={createTime} />
      </p>
      {replyTo !== 0 && <p className="faint">{t('Reply to message {replyTo}', { replyTo })}</p>}
      <p className="written">{content}</p>
    </li>
  )
}
