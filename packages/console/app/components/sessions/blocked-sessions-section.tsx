import type { ServerHealth, serverHealth } from '@mintmark/admin'
import type { operatorHealth } from '@mintmark/facilitator/operator'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../api/operations.ts'
import { formatDuration } from '../../format/duration.ts'
import { healthTexts } from '../../texts/operator.ts'
import { Button } from '../button.tsx'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { type Column, DataTable } from '../data-table.tsx'
import { Section } from '../detail-list.tsx'
import { showToast } from '../toast.tsx'

/** Both servers have the same record and the same input. */
type BlockedSession = ServerHealth['blockedSessions'][number]
type EndOperation = typeof serverHealth.endSession | typeof operatorHealth.endSession
type BlockingSession = BlockedSession['blockers'][number]

const { sessions: texts } = healthTexts

const nameSession = ({ program, sessionId }: { readonly program: string; readonly sessionId: number }) =>
  `${program === '' ? 'Session' : program} ${String(sessionId)}`

const listColumns = (onEnd: (session: BlockingSession) => void): readonly Column<BlockedSession>[] => [
  {
    key: 'waits',
    header: 'Waits',
    cell: (session) => <SessionText title={nameSession(session)} statement={session.statement} />,
  },
  {
    key: 'age',
    header: 'For',
    align: 'end',
    cell: ({ waitingSeconds }) => formatDuration(waitingSeconds * 1000),
  },
  {
    key: 'blockers',
    header: 'For the session',
    cell: ({ blockers }) =>
      blockers.map((each) => <Blocker key={each.sessionId} session={each} onEnd={onEnd} />),
  },
]

interface BlockerProps {
  readonly session: BlockingSession
  readonly onEnd: (session: BlockingSession) => void
}

/** A session for which others wait, with a button that ends it, or why the server may not. */
function Blocker({ session, onEnd }: BlockerProps): ReactNode {
  const { state, transactionSeconds, statement, databaseRole, isEndable } = session
  const age = transactionSeconds === undefined ? '' : formatDuration(transactionSeconds * 1000)
  const details = [state, age].filter((text) => text !== '').join(', ')
  const name = nameSession(session)
  return (
    <div className="stack-small">
      <SessionText title={details === '' ? name : `${name}: ${details}`} statement={statement} />
      {isEndable ? (
        <div>
          <Button aria-label={`End session ${name}`} onClick={() => onEnd(session)}>
            {texts.end}
          </Button>
        </div>
      ) : (
        <div className="muted">
          {databaseRole === ''
            ? 'It is a process of the database itself, which this server may not end.'
            : `This server may not end it: it belongs to the database role ${databaseRole} or to another database. End its program.`}
        </div>
      )}
    </div>
  )
}

interface SessionTextProps {
  readonly title: string
  readonly statement: string
}

function SessionText({ title, statement }: SessionTextProps): ReactNode {
  return (
    <div>
      <div>{title}</div>
      <code className="muted break">{statement}</code>
    </div>
  )
}

interface BlockedSessionsSectionProps {
  readonly rows: readonly BlockedSession[]
  /** Ends a session of the server whose sessions these are. */
  readonly operation: EndOperation
}

/**
 * The sessions of the database that wait for a lock, and those that have it, which can be ended. Nothing
 * without any.
 */
export function BlockedSessionsSection({ rows, operation }: BlockedSessionsSectionProps): ReactNode {
  const [chosen, setChosen] = useState<BlockingSession>()
  return (
    <>
      {rows.length > 0 && (
        <Section title={texts.title}>
          <p className="muted">
            Statements that wait for a lock of the database, and the sessions that have it.
          </p>
          <DataTable
            label={texts.title}
            columns={listColumns(setChosen)}
            rows={rows}
            getKey={({ sessionId }) => sessionId}
          />
        </Section>
      )}
      {chosen !== undefined && (
        <EndDialog session={chosen} operation={operation} onClose={() => setChosen(undefined)} />
      )}
    </>
  )
}

interface EndDialogProps {
  readonly session: BlockingSession
  readonly operation: EndOperation
  readonly onClose: () => void
}

/**
 * Asks before a session is ended. It stays when the session blocks nothing any more, and shows why nothing
 * was done.
 */
function EndDialog({ session, operation, onClose }: EndDialogProps): ReactNode {
  const end = useWrite(operation)
  const { sessionId, startTime = '' } = session
  const name = nameSession(session)
  const onConfirm = () =>
    end.mutate(
      { sessionId, startTime },
      {
        onSuccess: ({ hasEnded }) => {
          showToast(hasEnded ? `${name} was ended` : `${name} ends as soon as the database can end it`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title={`End the session ${name}?`}
      action={texts.end}
      isOpen
      isPending={end.isPending}
      error={end.error}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        Its transaction is rolled back, and its program loses the connection. Do it when the program hangs, or
        works on something that can be repeated: what it had not committed is lost. A server of Mintmark
        connects again by itself.
      </p>
    </ConfirmDialog>
  )
}
