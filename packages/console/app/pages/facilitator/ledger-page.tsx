import { type LedgerCheck, operatorLedger } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import type { Columns } from '../../components/data-table.tsx'
import { DetailSection } from '../../components/detail-list.tsx'
import { ErrorNotice, Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState, Skeleton } from '../../components/placeholders.tsx'
import { TableSection } from '../../components/table-section.tsx'
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
        title="Ledger"
        description="Whether the entries of the ledger, the balances and the treasury agree."
        actions={
          <Button kind="primary" onClick={check} isPending={isFetching}>
            Check now
          </Button>
        }
      />
      <ErrorNotice error={error} onRetry={check} isRetrying={isFetching} />
      {data !== undefined && <CheckResult check={data} />}
      {data === undefined && isFetching && <Skeleton />}
      {data === undefined && !isFetching && error === null && (
        <EmptyState
          icon="audit"
          title="Not checked yet"
          advice="A check reads whole tables, which takes some seconds. Further checks at the same time share one."
        />
      )}
      <DecisionsSection />
    </>
  )
}

const columns: Columns<LedgerProblem> = {
  invariant: {
    label: 'Rule that does not hold',
    cell: ({ invariant }) => <strong className="break">{invariant}</strong>,
  },
  detail: 'What was found',
}

function CheckResult({ check }: { readonly check: LedgerCheck }): ReactNode {
  const { problems, time } = check
  const count = formatQuantity(problems.length, texts.problem)
  return (
    <>
      <div className="section" role="status">
        {problems.length === 0 ? (
          <Notice
            tone="success"
            title="The ledger is correct"
            advice="All entries, balances and charges agree."
          />
        ) : (
          <Notice
            tone="danger"
            title={`${count} found`}
            advice="Read “Ledger check” in the guide on running the servers before you change anything."
          />
        )}
        {listMissingComparisons(check).map((missing) => (
          <Notice key={missing.title} tone="warning" {...missing} />
        ))}
        <p className="faint">
          As of <Time value={time} />
        </p>
      </div>
      {problems.length > 0 && (
        <TableSection
          title="Problems of the ledger"
          columns={columns}
          rows={problems}
          getKey={({ invariant, detail }) => `${invariant} ${detail}`}
        />
      )}
      <Totals check={check} />
    </>
  )
}

function Totals({ check }: { readonly check: LedgerCheck }): ReactNode {
  return <DetailSection title={texts.totals.title} details={listTotals(check)} />
}
