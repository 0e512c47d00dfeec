import { type AnyMintmarkError, isMintmarkError } from '@mintmark/envelope'
import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import { CopiedText } from '../../components/copy-button.tsx'
import { DetailList, Section } from '../../components/detail-list.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { formatCount } from '../../format/number.ts'
import type { CallOutcome } from './use-call.ts'

/** Shows how a call ended: its status, time and request id, and its data or its error. */
export function CallResult({ outcome }: { readonly outcome: CallOutcome }): ReactNode {
  const { status, durationMs, requestId, data, error } = outcome
  const isDone = error === undefined
  return (
    <Section title="Response">
      <div role="status">
        <DetailList
          details={{
            Status: (
              <Badge tone={isDone ? 'success' : 'danger'}>{status === 0 ? 'No response' : status}</Badge>
            ),
            Time: `${formatCount(durationMs)} ms`,
            'Request id': requestId !== undefined && (
              <CopiedText text={requestId} label="Copy the request id" />
            ),
          }}
        />
      </div>
      <ErrorNotice error={error} />
      {isDone ? (
        <JsonView label="Data of the response" value={data} />
      ) : (
        isMintmarkError(error) && <JsonView label="Error of the response" value={toRecord(error)} />
      )}
    </Section>
  )
}

/** Selects what a program reads of an error. */
function toRecord(error: AnyMintmarkError): object {
  const { kind, reason, code, message } = error
  return { kind, reason, code, message, ...(error.kind === 'InvalidInput' && { issues: error.issues }) }
}
