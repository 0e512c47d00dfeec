import type { ServerHealth } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { Identifier } from '../../components/copy-button.tsx'
import type { Columns } from '../../components/data-table.tsx'
import { TableSection } from '../../components/table-section.tsx'
import { Time } from '../../components/time.tsx'
import { formatChain } from '../../format/chains.ts'

type DisabledWebhook = ServerHealth['disabledWebhooks'][number]
type SharedPayment = ServerHealth['sharedPayments'][number]

const webhookColumns: Columns<DisabledWebhook> = {
  url: 'Receiver',
  projectId: { label: 'Project', cell: ({ projectId }) => projectId },
  problem: 'Newest failure',
  failedDeliveries: 'Failed deliveries',
  failingSince: { label: 'Fails since', cell: ({ failingSince }) => <Time value={failingSince} /> },
}

/** The webhooks of all projects that were disabled, with the reason. Nothing without any. */
export function DisabledWebhooksSection({ rows }: { readonly rows: readonly DisabledWebhook[] }): ReactNode {
  return (
    <TableSection
      title="Disabled webhooks"
      description="Their receivers failed for five days. The project enables each one again on its page Webhooks, after the receiver is fixed, and sends again what it missed."
      columns={webhookColumns}
      rows={rows}
      getKey={({ projectId, webhookId }) => `${projectId} ${webhookId}`}
    />
  )
}

const paymentColumns: Columns<SharedPayment> = {
  hash: 'Transaction',
  chainId: { label: 'Chain', cell: ({ chainId }) => formatChain(chainId) },
  orders: {
    label: 'Orders',
    cell: ({ orders }) =>
      orders.map(({ projectId, orderNo }) => (
        <div key={`${projectId} ${orderNo}`}>
          <Identifier value={orderNo} /> <span className="muted">{`project ${String(projectId)}`}</span>
        </div>
      )),
  },
  countTime: 'Counted',
}

/** The payments that orders of several projects count. Nothing without any. */
export function SharedPaymentsSection({ rows }: { readonly rows: readonly SharedPayment[] }): ReactNode {
  return (
    <TableSection
      title="Payments that several projects count"
      description="Either the same buyer paid the same seller once for two orders, or somebody places orders between other people’s wallets. The list has the last seven days."
      columns={paymentColumns}
      rows={rows}
      getKey={({ chainId, hash }) => `${chainId} ${hash}`}
    />
  )
}
