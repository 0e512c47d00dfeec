import type { ServerHealth } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { Identifier } from '../../components/copy-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Section } from '../../components/detail-list.tsx'
import { Time } from '../../components/time.tsx'
import { formatChain } from '../../format/chains.ts'
import { formatDuration } from '../../format/duration.ts'
import { formatCount } from '../../format/number.ts'
import { healthTexts } from '../../texts/operator.ts'

type DisabledWebhook = ServerHealth['disabledWebhooks'][number]
type SharedPayment = ServerHealth['sharedPayments'][number]
type BlockedSession = ServerHealth['blockedSessions'][number]
type BlockingSession = BlockedSession['blockers'][number]

const { webhooks, payments, sessions } = healthTexts

const webhookColumns: readonly Column<DisabledWebhook>[] = [
  { key: 'url', header: webhooks.columns.url, cell: ({ url }) => <span className="break">{url}</span> },
  { key: 'project', header: webhooks.columns.project, cell: ({ projectId }) => projectId },
  {
    key: 'problem',
    header: webhooks.columns.problem,
    cell: ({ problem }) => <span className="break">{problem}</span>,
  },
  {
    key: 'failed',
    header: webhooks.columns.failed,
    align: 'end',
    cell: ({ failedDeliveries }) => formatCount(failedDeliveries),
  },
  {
    key: 'since',
    header: webhooks.columns.since,
    cell: ({ failingSince }) => <Time value={failingSince} />,
  },
]

/** The webhooks of all projects that were disabled, with the reason. Nothing without any. */
export function DisabledWebhooksSection({ rows }: { readonly rows: readonly DisabledWebhook[] }): ReactNode {
  if (rows.length === 0) return null
  return (
    <Section title={webhooks.title}>
      <p className="muted">{webhooks.description}</p>
      <DataTable
        label={webhooks.title}
        columns={webhookColumns}
        rows={rows}
        getKey={({ projectId, webhookId }) => `${projectId} ${webhookId}`}
      />
    </Section>
  )
}

const paymentColumns: readonly Column<SharedPayment>[] = [
  { key: 'hash', header: payments.columns.hash, cell: ({ hash }) => <Identifier value={hash} /> },
  { key: 'chain', header: payments.columns.chain, cell: ({ chainId }) => formatChain(chainId) },
  {
    key: 'orders',
    header: payments.columns.orders,
    cell: ({ orders }) =>
      orders.map(({ projectId, orderNo }) => (
        <div key={`${projectId} ${orderNo}`}>
          <Identifier value={orderNo} /> <span className="muted">{payments.project(String(projectId))}</span>
        </div>
      )),
  },
  { key: 'time', header: payments.columns.time, cell: ({ countTime }) => <Time value={countTime} /> },
]

/** The payments that orders of several projects count. Nothing without any. */
export function SharedPaymentsSection({ rows }: { readonly rows: readonly SharedPayment[] }): ReactNode {
  if (rows.length === 0) return null
  return (
    <Section title={payments.title}>
      <p className="muted">{payments.description}</p>
      <DataTable
        label={payments.title}
        columns={paymentColumns}
        rows={rows}
        getKey={({ chainId, hash }) => `${chainId} ${hash}`}
      />
    </Section>
  )
}

const sessionColumns: readonly Column<BlockedSession>[] = [
  {
    key: 'waits',
    header: sessions.columns.waits,
    cell: ({ program, sessionId, statement }) => (
      <SessionText title={sessions.session(program, String(sessionId))} statement={statement} />
    ),
  },
  {
    key: 'age',
    header: sessions.columns.age,
    align: 'end',
    cell: ({ waitingSeconds }) => formatDuration(waitingSeconds * 1000),
  },
  {
    key: 'blockers',
    header: sessions.columns.blockers,
    cell: ({ blockers }) => blockers.map((each) => <Blocker key={each.sessionId} session={each} />),
  },
]

function Blocker({ session }: { readonly session: BlockingSession }): ReactNode {
  const { program, sessionId, state, transactionSeconds, statement } = session
  const age = transactionSeconds === undefined ? '' : formatDuration(transactionSeconds * 1000)
  const details = [state, age].filter((text) => text !== '').join(', ')
  const title = sessions.session(program, String(sessionId))
  return <SessionText title={details === '' ? title : `${title}: ${details}`} statement={statement} />
}

interface SessionTextProps {
  readonly title: string
  readonly statement: string
}

function SessionText({ title, statement }: SessionTextProps): ReactNode {
  return (
    <div>
      <div>{title}</div>
      <code className="muted break">{statement}</code>
    </div>
  )
}

/** The sessions of the database that wait for a lock, and those that have it. Nothing without any. */
export function BlockedSessionsSection({ rows }: { readonly rows: readonly BlockedSession[] }): ReactNode {
  if (rows.length === 0) return null
  return (
    <Section title={sessions.title}>
      <p className="muted">{sessions.description}</p>
      <DataTable
        label={sessions.title}
        columns={sessionColumns}
        rows={rows}
        getKey={({ sessionId }) => sessionId}
      />
    </Section>
  )
}
