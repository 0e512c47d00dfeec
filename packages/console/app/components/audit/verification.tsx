import type { AuditVerification } from '@mintmark/admin'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { callOperation } from '../../api/operations.ts'
import { formatCount, formatQuantity } from '../../format/number.ts'
import { useProjectGateway } from '../../session/project-context.tsx'
import { auditTexts } from '../../texts/audit.ts'
import { Button } from '../button.tsx'
import { CopiedText } from '../copy-button.tsx'
import { ErrorNotice } from '../error-notice.tsx'
import { Notice } from '../notice.tsx'
import type { AuditSource } from './audit-log.tsx'

const { verify: texts } = auditTexts

/** Verifies the audit log when a person wants it, and explains the result. */
export function Verification({ source }: { readonly source: AuditSource }): ReactNode {
  const { gateway } = useProjectGateway()
  const verify = useMutation({ mutationFn: () => callOperation(gateway, source.verify, {}) })
  const run = () => verify.mutate()
  return (
    <section className="panel stack-small" aria-label={texts.title}>
      <div className="row">
        <Button icon="audit" onClick={run} isPending={verify.isPending}>
          {texts.action}
        </Button>
        {verify.isPending && <span className="muted">{texts.running}</span>}
      </div>
      <div role="status">
        {verify.data !== undefined && <Result verification={verify.data} project={source.project} />}
      </div>
      <ErrorNotice error={verify.error} onRetry={run} isRetrying={verify.isPending} />
    </section>
  )
}

interface ResultProps {
  readonly verification: AuditVerification
  readonly project: number
}

function Result({ verification, project }: ResultProps): ReactNode {
  const { valid, entries, headSequence, headHash, problemSequence, problem = '' } = verification
  const quantity = formatQuantity(entries, texts.entries)
  if (!valid) {
    return (
      <Notice
        tone="danger"
        title={texts.invalid(formatCount(problemSequence ?? entries + 1))}
        advice={(project === 0 ? texts.invalidServerAdvice : texts.invalidAdvice)(problem, quantity)}
      />
    )
  }
  if (headSequence === 0) return <Notice tone="info" title={texts.empty} />
  const head = `${headSequence}:${headHash}`
  return (
    <Notice
      tone="success"
      title={texts.valid(quantity)}
      advice={
        <>
          <p>
            {texts.head} <CopiedText text={head} label={texts.copyHead} />
          </p>
          <p>{texts.keep}</p>
          <p>
            <code className="break">
              mintmark-gateway audit verify --project {project} --expect {head}
            </code>
          </p>
        </>
      }
    />
  )
}
