import type { ServerHealth } from '@mintmark/admin'
import { Identifier } from '../../components/copy-button.tsx'
import { defineTable } from '../../components/table-section.tsx'
import { Time } from '../../components/time.tsx'

type DisabledWebhook = ServerHealth['disabledWebhooks'][number]
type SharedPayment = ServerHealth['sharedPayments'][number]

/** The webhooks of all projects that were disabled, with the reason. Nothing without any. */
export const DisabledWebhooksSection = defineTable<DisabledWebhook>({
  title: 'Disabled webhooks',
  description:
    'Their receivers failed for five days. The project enables each one again on its page Webhooks, after the receiver is fixed, and sends again what it missed.',
  columns: {
    url: 'Receiver',
    projectId: 'Project',
    problem: 'Newest failure',
    failedDeliveries: 'Failed deliveries',
    failingSince: { label: 'Fails since', cell: ({ failingSince }) => <Time value={failingSince} /> },
  },
  getKey: ({ projectId, webhookId }) => `${projectId} ${webhookId}`,
})

/** The payments that orders of several projects count. Nothing without any. */
export const SharedPaymentsSection = defineTable<SharedPayment>({
  title: 'Payments that several projects count',
  description:
    'Either the same buyer paid the same seller once for two orders, or somebody places orders between other people’s wallets. The list has the last seven days.',
  columns: {
    hash: 'Transaction',
    chainId: 'Chain',
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
  },
  getKey: ({ chainId, hash }) => `${chainId} ${hash}`,
})
