import type { ServerHealth, serverHealth } from '@mintmark/admin'
import type { operatorHealth } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { formatDuration } from '../../format/time.ts'
import { Button } from '../button.tsx'
import { confirm } from '../dialogs.tsx'
import { TableSection } from '../table-section.tsx'

/** Both servers have the same record and the same input. */
type BlockedSession = ServerHealth['blockedSessions'][number]
type EndOperation = typeof serverHealth.endSession | typeof operatorHealth.endSession
type BlockingSession = BlockedSession['blockers'][number]

const nameSession = ({ program, sessionId }: { readonly program: string; readonly sessionId: number }) =>
  `${program === '' ? 'Session' : program} ${String(sessionId)}`

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
  return (
    <TableSection
      title="Sessions that wait"
      description="Statements that wait for a lock of the database, and the sessions that have it."
      columns={{
        _waits: {
          label: 'Waits',
          cell: (session) => <SessionText title={nameSession(session)} statement={session.statement} />,
        },
        waitingSeconds: 'For',
        blockers: {
          label: 'For the session',
          cell: ({ blockers }) =>
            blockers.map((each) => (
              <Blocker key={each.sessionId} session={each} onEnd={() => endSession(each, operation)} />
            )),
        },
      }}
      rows={rows}
      getKey={({ sessionId }) => sessionId}
    />
  )
}

/**
 * Asks before a session is ended. The question stays when the session blocks nothing any more, and shows why
 * nothing was done.
 */
function endSession(session: BlockingSession, operation: EndOperation): void {
  const { sessionId, startTime = '' } = session
  const name = nameSession(session)
  void confirm<EndOperation>({
    operation,
    input: { sessionId, startTime },
    title: `End the session ${name}?`,
    text: 'Its transaction is rolled back, and its program loses the connection. Do it when the program hangs, or works on something that can be repeated: what it had not committed is lost. A server of Mintmark connects again by itself.',
    action: 'End session',
    done: ({ hasEnded }) =>
      hasEnded ? `${name} was ended` : `${name} ends as soon as the database can end it`,
  })
}

interface BlockerProps {
  readonly session: BlockingSession
  readonly onEnd: () => void
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
          <Button aria-label={`End session ${name}`} onClick={onEnd}>
            End session
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
