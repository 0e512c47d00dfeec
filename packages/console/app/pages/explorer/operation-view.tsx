import type { Issue } from '@mintmark/envelope'
import { inputIssues } from '@mintmark/operation'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { ErrorNotice, Notice } from '../../components/notice.tsx'
import { BackLink } from '../../components/page-header.tsx'
import { focusFirstInvalid } from '../../form/focus-first-invalid.ts'
import { markSaved } from '../../form/unsaved-input.ts'
import { useProject, useRole, useSession } from '../../session/project-context.tsx'
import { explorerTexts as texts } from '../../texts/explorer.ts'
import type { DocumentedOperation } from './api-document.ts'
import { CallResult } from './call-result.tsx'
import type { CatalogueEntry } from './catalogue.ts'
import { CodePanel } from './code-panel.tsx'
import { type EnteredInput, parseInputText, toCallInput, toForm } from './input-fields.ts'
import { InputForm } from './input-form.tsx'
import { isOfOperators, mayCallOperation } from './permission.ts'
import { useCall } from './use-call.ts'

interface OperationViewProps {
  readonly entry: CatalogueEntry
  /** Undefined if the server does not document the operation, or its document could not be read. */
  readonly documented: DocumentedOperation | undefined
}

/** One operation: what it does, its input, its result and its code. */
export function OperationView({ entry, documented }: OperationViewProps): ReactNode {
  const { operation } = entry
  const input = useOperationInput(entry, documented)
  const [isAsking, setIsAsking] = useState(false)
  const call = useCall(operation)
  const form = useRef<HTMLFormElement>(null)
  const send = () =>
    call.mutate(input.value, {
      onSuccess: ({ error }) => error === undefined && markSaved(form.current),
      onSettled: () => setIsAsking(false),
    })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!input.check()) return focusFirstInvalid(event.currentTarget)
    if (call.isPending) return
    if (operation.effect === 'write') setIsAsking(true)
    else send()
  }
  return (
    <div className="stack">
      <OperationHeader entry={entry} documented={documented} />
      <div className="explorer-columns">
        <form ref={form} className="stack" onSubmit={submit} noValidate>
          <InputForm
            documented={documented}
            entered={input.entered}
            text={input.text}
            issues={input.issues}
            onEnter={input.enter}
            onText={input.write}
          />
          <SendButton entry={entry} isPending={call.isPending} />
        </form>
        <CodePanel entry={entry} input={input.value} />
      </div>
      <ErrorNotice error={call.error} />
      {call.data !== undefined && <CallResult outcome={call.data} />}
      {isAsking && (
        <ConfirmCall
          entry={entry}
          input={input.value}
          isPending={call.isPending}
          onConfirm={send}
          onClose={() => setIsAsking(false)}
        />
      )}
    </div>
  )
}

/** The input of a call, which is entered in a form or as JSON. */
function useOperationInput({ operation }: CatalogueEntry, documented: DocumentedOperation | undefined) {
  const fields = documented?.fields ?? []
  const [entered, setEntered] = useState<EnteredInput>({})
  // Undefined while the form is used.
  const [text, setText] = useState<string | undefined>(documented === undefined ? '' : undefined)
  const [isChecked, setIsChecked] = useState(false)
  // Why what was entered as JSON cannot be shown in the form.
  const [formProblem, setFormProblem] = useState<string>()
  const fromForm = toCallInput(fields, entered)
  const fromText = text === undefined ? undefined : parseInputText(text)
  const value = text === undefined ? fromForm.input : (fromText ?? {})
  const findIssues = (): readonly Issue[] => {
    if (text !== undefined && fromText === undefined) return [{ path: '', message: texts.notJson }]
    return fromForm.issues.length > 0 && text === undefined ? fromForm.issues : inputIssues(operation, value)
  }
  const changeToForm = (json: string) => {
    const form = toForm(fields, json)
    if ('message' in form) return setFormProblem(form.message)
    setEntered(form.entered)
    setText(undefined)
  }
  const listIssues = () => (isChecked ? findIssues() : [])
  return {
    entered,
    text,
    value,
    issues: formProblem === undefined ? listIssues() : [{ path: '', message: formProblem }],
    enter: (name: string, entry: string) => setEntered((previous) => ({ ...previous, [name]: entry })),
    /** Writes the input as JSON; undefined changes to the form if it can show the input. */
    write: (next: string | undefined) => {
      setFormProblem(undefined)
      if (next === undefined) changeToForm(text ?? '')
      else setText(next)
    },
    /** Shows what is wrong. Returns whether nothing is. */
    check: () => {
      setFormProblem(undefined)
      setIsChecked(true)
      return findIssues().length === 0
    },
  }
}

function OperationHeader({ entry, documented }: OperationViewProps): ReactNode {
  const { id, method, path, effect, scope } = entry.operation
  return (
    <header className="stack-small">
      <div className="explorer-back">
        <BackLink to="explorer">All operations</BackLink>
      </div>
      <h2 className="break">{id}</h2>
      <p className="row">
        <code className="break">
          {method} {path}
        </code>
        <Badge tone={effect === 'write' ? 'warning' : 'neutral'}>{texts.effect[effect]}</Badge>
        <Badge tone="neutral">{scope === undefined ? 'No scope needed' : `Scope ${scope}`}</Badge>
      </p>
      {documented !== undefined && <DocText text={documented.description} />}
    </header>
  )
}

interface SendButtonProps {
  readonly entry: CatalogueEntry
  readonly isPending: boolean
}

/** Sends the call, or explains why it cannot be sent. */
function SendButton({ entry: { operation }, isPending }: SendButtonProps): ReactNode {
  const role = useRole()
  const { isOperator } = useSession()
  if (operation.result === 'event-stream')
    return (
      <Notice
        tone="info"
        title="This operation is a stream without an end"
        advice="The page “Events” shows it live. Copy the code to follow it in a program."
      />
    )
  const mayCall = mayCallOperation(operation, { role, isOperator })
  return (
    <>
      {!mayCall && (
        <Notice
          tone="warning"
          title="Your role may not call this operation"
          advice="The server would refuse it. You can still copy the code."
        />
      )}
      <div>
        <Button kind="primary" type="submit" isPending={isPending} disabled={!mayCall}>
          Send
        </Button>
      </div>
    </>
  )
}

interface ConfirmCallProps {
  readonly entry: CatalogueEntry
  readonly input: Readonly<Record<string, unknown>>
  readonly isPending: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before a call that changes something. */
function ConfirmCall({ entry, input, ...dialog }: ConfirmCallProps): ReactNode {
  const { projectName } = useProject()
  return (
    <ConfirmDialog title={`Call ${entry.operation.id}?`} action="Send the call" {...dialog}>
      <p>
        {isOfOperators(entry.operation)
          ? 'It changes something of the server, not only of this project. The call is real, and is in the audit log of the server with your name.'
          : `It changes something in ${projectName}. The call is real, and is in the audit log with your name.`}
      </p>
      <JsonView label="Input of the call" value={input} />
    </ConfirmDialog>
  )
}

interface DocTextProps {
  /** A docstring: paragraphs with code between backticks. */
  readonly text: string
}

/** Shows a docstring. Nothing without one. */
function DocText({ text }: DocTextProps): ReactNode {
  const paragraphs = text.split('\n\n').filter((paragraph) => paragraph.trim() !== '')
  return paragraphs.map((paragraph) => (
    <p key={paragraph} className="muted">
      <InlineCode text={paragraph} />
    </p>
  ))
}

/** Shows a text with what is between backticks as code. */
function InlineCode({ text }: DocTextProps): ReactNode {
  return text.split('`').map((part, index) => {
    const key = `${index} ${part}`
    return index % 2 === 1 ? (
      <code key={key} className="break">
        {part}
      </code>
    ) : (
      <span key={key}>{part}</span>
    )
  })
}
