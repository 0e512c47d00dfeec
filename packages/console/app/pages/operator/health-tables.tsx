import { type ServerHealth, serverHealth } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { ActionButtons } from '../../components/actions.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import type { Columns } from '../../components/data-table.tsx'
import { confirm } from '../../components/dialogs.tsx'
import { chainColumns } from '../../components/health/chain-columns.tsx'
import { defineTable, TableSection } from '../../components/table-section.tsx'
import { Time } from '../../components/time.tsx'
import { formatCount, formatQuantity } from '../../format/number.ts'
import { formatDuration } from '../../format/time.ts'
import { healthTexts } from '../../texts/operator.ts'

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

type UnreportedChange = ServerHealth['unreported'][number]

const columns: Columns<UnreportedChange> = {
  table: { label: 'Table', cell: ({ table }) => <code>{table}</code> },
  row: { label: 'Row', cell: ({ row }) => <code className="break">{row}</code> },
  projectId: 'Project',
  changeTime: 'Changed',
  problem: 'Problem',
}

const formatChanges = (count: number) => formatQuantity(count, healthTexts.change)

const retryChanges = (count: number) =>
  confirm({
    operation: serverHealth.retryUnreported,
    input: {},
    title: `Retry ${formatChanges(count)}?`,
    text: 'Do it when the cause is removed. The events get numbers after those that are in the feed already.',
    action: 'Retry all',
    done: ({ retried }) => `${formatChanges(retried)} are retried`,
  })

/** The changes that could not be reported as events, with a button that retries them. Nothing without any. */
export function UnreportedSection({ changes }: { readonly changes: readonly UnreportedChange[] }): ReactNode {
  const retry = { label: 'Retry all', onSelect: () => retryChanges(changes.length) }
  return (
    <TableSection
      title="Changes that could not be reported"
      actions={<ActionButtons actions={[retry]} />}
      columns={columns}
      rows={changes}
      getKey={({ change }) => change}
    />
  )
}

type ChainHealth = ServerHealth['chains'][number]

function formatLag({ lagBlocks, lagSeconds = 0 }: ChainHealth): string {
  if (lagBlocks === undefined) return 'Nothing indexed'
  return lagBlocks === 0
    ? 'Up to date'
    : `${formatCount(lagBlocks)} blocks, ${formatDuration(lagSeconds * 1000)}`
}

/** The chains of the server. */
export const ChainsSection = defineTable<ChainHealth>({
  title: 'Chains',
  columns: { ...chainColumns, lagBlocks: { label: 'Index behind', align: 'end', cell: formatLag } },
  getKey: ({ chainId }) => chainId,
  empty: {
    icon: 'info',
    title: 'No chains',
    advice: 'CHAINS names the chains of this server and their nodes.',
  },
})
