import type { ServerHealth } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { Identifier } from '../../components/copy-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Section } from '../../components/detail-list.tsx'
import { Time } from '../../components/time.tsx'
import { formatChain } from '../../format/chains.ts'
import { formatCount } from '../../format/number.ts'
import { healthTexts } from '../../texts/operator.ts'

type DisabledWebhook = ServerHealth['disabledWebhooks'][number]
type SharedPayment = ServerHealth['sharedPayments'][number]

const { webhooks, payments } = healthTexts

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
