import { type EventWebhook, eventWebhooks } from '@mintmark/events'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import type { Columns } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { QueryTable } from '../../components/query-table.tsx'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { useMayChange, useProject } from '../../session/project-context.tsx'
import { webhooksTexts } from '../../texts/webhooks.ts'
import { SecretDialog } from './webhook-dialogs.tsx'
import { WebhookFormDialog } from './webhook-form.tsx'
import { formatEvents, formatRate, WebhookStatus } from './webhook-status.tsx'

const columns: Columns<EventWebhook> = {
  url: {
    label: 'Address',
    cell: ({ id, url, description }) => (
      <>
        <ProjectLink to={`webhooks/${id}`} className="row-link">
          <span className="break">{url}</span>
        </ProjectLink>
        {description !== '' && <div className="muted break">{description}</div>}
      </>
    ),
  },
  events: { label: 'Events', cell: formatEvents },
  _rate: { label: 'Rate', isWideOnly: true, cell: formatRate },
  status: { label: 'Status', cell: (webhook) => <WebhookStatus webhook={webhook} /> },
  createTime: 'Created',
}

/** The webhooks of a project. */
export function WebhooksPage(): ReactNode {
  const { projectId, projectName } = useProject()
  const mayChange = useMayChange()
  const navigate = useNavigate()
  const query = useOperation(eventWebhooks.list, {})
  const [isCreating, setIsCreating] = useState(false)
  const [created, setCreated] = useState<EventWebhook>()
  const create = mayChange && (
    <Button kind="primary" icon="plus" onClick={() => setIsCreating(true)}>
      {webhooksTexts.create}
    </Button>
  )
  const onCreated = (webhook: EventWebhook) => {
    setIsCreating(false)
    setCreated(webhook)
  }
  return (
    <>
      <PageHeader
        title={webhooksTexts.title}
        context={projectName}
        description="Addresses of your programs to which the gateway sends events as they happen."
        actions={create}
      />
      <QueryTable
        query={query}
        empty={
          <EmptyState
            icon="webhook"
            title="No webhooks yet"
            advice="Create one for the program that should react to events, such as your shop."
            adviceToRead="The programs that receive the events of the project appear here."
          />
        }
        label={webhooksTexts.title}
        columns={columns}
        getKey={({ id }) => id}
      />
      {isCreating && <WebhookFormDialog onDone={onCreated} onClose={() => setIsCreating(false)} />}
      {created !== undefined && (
        <SecretDialog
          webhook={created}
          onClose={() => void navigate({ to: `/p/${projectId}/webhooks/${created.id}` })}
        />
      )}
    </>
  )
}
