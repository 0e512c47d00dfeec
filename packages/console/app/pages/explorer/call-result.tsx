import { type AnyMintmarkError, isMintmarkError } from '@mintmark/envelope'
import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import { CopiedText } from '../../components/copy-button.tsx'
import { DetailList, Section } from '../../components/detail-list.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { formatCount } from '../../format/number.ts'
import { explorerTexts } from '../../texts/explorer.ts'
import type { CallOutcome } from './use-call.ts'

const { response: texts } = explorerTexts

/** Shows how a call ended: its status, time and request id, and its data or its error. */
export function CallResult({ outcome }: { readonly outcome: CallOutcome }): ReactNode {
  const { status, durationMs, requestId, data, error } = outcome
  const isDone = error === undefined
  return (
    <Section title={texts.title}>
      <div role="status">
        <DetailList
          details={[
            {
              label: texts.status,
              value: (
                <Badge tone={isDone ? 'success' : 'danger'}>{status === 0 ? texts.noStatus : status}</Badge>
              ),
            },
            { label: texts.time, value: texts.milliseconds(formatCount(durationMs)) },
            {
              label: texts.requestId,
              value: requestId !== undefined && <CopiedText text={requestId} label={texts.copyRequestId} />,
            },
          ]}
        />
      </div>
      <ErrorNotice error={error} />
      {isDone ? (
        <JsonView label={texts.data} value={data} />
      ) : (
        isMintmarkError(error) && <JsonView label={texts.error} value={toRecord(error)} />
      )}
    </Section>
  )
}

/** Selects what a program reads of an error. */
function toRecord(error: AnyMintmarkError): object {
  const { kind, reason, code, message } = error
  return { kind, reason, code, message, ...(error.kind === 'InvalidInput' && { issues: error.issues }) }
}
