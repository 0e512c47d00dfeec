import { type LedgerCheck, operatorLedger } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { DetailList, Section } from '../../components/detail-list.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState, Skeleton } from '../../components/placeholders.tsx'
import { Time } from '../../components/time.tsx'
import { formatQuantity } from '../../format/number.ts'
import { ledgerTexts as texts } from '../../texts/facilitator.ts'
import { DecisionsSection } from './decisions-section.tsx'
import { listMissingComparisons, listTotals } from './ledger-totals.ts'

type LedgerProblem = LedgerCheck['problems'][number]

/** Checks the ledger when a person presses a button, because it reads whole tables. */
export function LedgerPage(): ReactNode {
  const { data, error, refetch, isFetching } = useOperation(operatorLedger.check, {}, { enabled: false })
  const check = () => void refetch()
  return (
    <>
      <PageHeader
        title={texts.title}
        context={texts.context}
        description={texts.description}
        actions={
          <Button kind="primary" onClick={check} isPending={isFetching}>
            {texts.check}
          </Button>
        }
      />
      <ErrorNotice error={error} onRetry={check} isRetrying={isFetching} />
      {data !== undefined && <CheckResult check={data} />}
      {data === undefined && isFetching && <Skeleton lines={8} />}
      {data === undefined && !isFetching && error === null && <EmptyState icon="audit" {...texts.advice} />}
      <DecisionsSection />
    </>
  )
}

const columns: readonly Column<LedgerProblem>[] = [
  {
    key: 'invariant',
    header: texts.columns.invariant,
    cell: ({ invariant }) => <strong className="break">{invariant}</strong>,
  },
  {
    key: 'detail',
    header: texts.columns.detail,
    cell: ({ detail }) => <span className="break">{detail}</span>,
  },
]

function CheckResult({ check }: { readonly check: LedgerCheck }): ReactNode {
  const { problems, time } = check
  const count = formatQuantity(problems.length, texts.problem)
  return (
    <>
      <div className="section" role="status">
        {problems.length === 0 ? (
          <Notice tone="success" {...texts.fine} />
        ) : (
          <Notice tone="danger" title={texts.problems(count)} advice={texts.problemsAdvice} />
        )}
        {listMissingComparisons(check).map((missing) => (
          <Notice key={missing.title} tone="warning" {...missing} />
        ))}
        <p className="faint">
          {texts.asOf} <Time value={time} />
        </p>
      </div>
      {problems.length > 0 && (
        <Section title={texts.problemsLabel}>
          <DataTable
            label={texts.problemsLabel}
            columns={columns}
            rows={problems}
            getKey={({ invariant, detail }) => `${invariant} ${detail}`}
          />
        </Section>
      )}
      <Totals check={check} />
    </>
  )
}

function Totals({ check }: { readonly check: LedgerCheck }): ReactNode {
  return (
    <Section title={texts.totals.title}>
      <div className="panel">
        <DetailList details={listTotals(check)} />
      </div>
    </Section>
  )
}
