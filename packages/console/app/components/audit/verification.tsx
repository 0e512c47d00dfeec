import type { AuditVerification } from '@mintmark/admin'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { callOperation } from '../../api/operations.ts'
import { formatCount } from '../../format/number.ts'
import { t } from '../../language/translate.ts'
import { useProjectGateway } from '../../session/project-context.tsx'
import { auditTexts } from '../../texts/audit.ts'
import { Button } from '../button.tsx'
import { CopiedText } from '../copy-button.tsx'
import { ErrorNotice, Notice } from '../notice.tsx'
import type { AuditSource } from './audit-log.tsx'

const { verify: texts } = auditTexts

/** Verifies the audit log when a person wants it, and explains the result. */
export function Verification({ source }: { readonly source: AuditSource }): ReactNode {
  const { gateway } = useProjectGateway()
  const verify = useMutation({ mutationFn: () => callOperation(gateway, source.verify, {}) })
  const run = () => verify.mutate()
  return (
    <section className="panel stack-small" aria-label={t('Verification')}>
      <div className="row">
        <Button icon="audit" onClick={run} isPending={verify.isPending}>
          {t('Verify the log')}
        </Button>
        {verify.isPending && (
          <span className="muted">
            {t('Computing the hash of every entry. This takes about a minute for a million entries.')}
          </span>
        )}
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
  const quantity = texts.entries(entries)
  if (!valid) {
    return (
      <Notice
        tone="danger"
        title={t('The log was tampered with: entry {problemSequence} is wrong', {
          problemSequence: formatCount(problemSequence ?? entries + 1),
        })}
        advice={(project === 0 ? texts.invalidServerAdvice : texts.invalidAdvice)(problem, quantity)}
      />
    )
  }
  if (headSequence === 0) return <Notice tone="info" title={t('The log has no entries yet.')} />
  const head = `${headSequence}:${headHash}`
  return (
    <Notice
      tone="success"
      title={t('The log is complete and unchanged: {quantity}', { quantity })}
      advice={
        <>
          <p>
            {t('Head')} <CopiedText text={head} label={t('Copy the head')} />
          </p>
          <p>
            {t(
              'Keep this text where nobody who runs the database can change it, such as in a mail to yourself or in a paper file, with the date. Whoever has all rights in the database could compute every hash again; then the log no longer contains the head that you kept. This command on the server compares it:',
            )}
          </p>
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
