import type { OperationShape } from '@mintmark/operation'
import { type KeyboardEvent, memo, type ReactNode, type SyntheticEvent, useRef, useState } from 'react'
import { EmptyState } from '../../components/placeholders.tsx'
import { explorerTexts as texts } from '../../texts/explorer.ts'
import { componentTexts } from '../../texts/shell.ts'
import type { CatalogueSection } from './catalogue.ts'
import { findOptionByKey, findOptionByText } from './list-keys.ts'

/** Letters that follow each other within this time are one word. */
const TYPING_MS = 1000

interface OperationListProps {
  readonly sections: readonly CatalogueSection[]
  /** The id of the shown operation. */
  readonly current: string | undefined
  readonly onSelect: (id: string) => void
}

/**
 * The operations as one stop of the keyboard: the arrow keys, Home, End and typing move within it. It has hundreds of options, so that it handles their events itself: the
 * list box of React Aria takes four times as long to show them.
 */
export function OperationList({ sections, current, onSelect }: OperationListProps): ReactNode {
  const list = useRef<HTMLDivElement>(null)
  const typed = useRef({ text: '', time: Number.NEGATIVE_INFINITY })
  const [last, setLast] = useState<string>()
  const ids = sections.flatMap(({ entries }) => entries.map(({ operation }) => operation.id))
  if (ids.length === 0) {
    return (
      <EmptyState icon="search" title={componentTexts.notFoundTitle} advice={componentTexts.notFoundAdvice} />
    )
  }
  const stop = [last, current].find((id) => id !== undefined && ids.includes(id)) ?? ids[0]
  const select = ({ target }: SyntheticEvent) => {
    const id = readOption(target)
    if (id !== undefined) onSelect(id)
  }
  function addTyped({ key, timeStamp }: KeyboardEvent): string {
    const { text, time } = typed.current
    typed.current = { text: timeStamp - time < TYPING_MS ? text + key : key, time: timeStamp }
    return typed.current.text
  }
  function onKeyDown(event: KeyboardEvent): void {
    const { key, target } = event
    const id = readOption(target)
    if (id === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    if (key === 'Enter' || key === ' ') select(event)
    else {
      const isLetter = /^[\w.]$/.test(key)
      const next = isLetter ? findOptionByText(ids, id, addTyped(event)) : findOptionByKey(ids, id, key)
      if (next === undefined && !isLetter) return
      list.current?.querySelector<HTMLElement>(`[data-option="${next}"]`)?.focus()
    }
    // Letters are no shortcuts here.
    event.stopPropagation()
    event.preventDefault()
  }
  return (
    <div
      ref={list}
      role="listbox"
      aria-label={texts.operations}
      tabIndex={-1}
      className="explorer-sections"
      onClick={select}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => setLast(readOption(target))}
    >
      {sections.map(({ heading, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list box.
        <div key={heading} role="group" aria-label={heading} className="stack-small">
          <div className="navigation-title" aria-hidden="true">
            {heading}
          </div>
          {entries.map(({ operation: { id, effect } }) => (
            <Option key={id} id={id} effect={effect} isCurrent={id === current} isStop={id === stop} />
          ))}
        </div>
      ))}
    </div>
  )
}

/** Returns the id of the option that an event is about. */
function readOption(target: EventTarget): string | undefined {
  const option = target instanceof Element ? target.closest<HTMLElement>('[data-option]') : null
  return option?.dataset.option
}

interface OptionProps {
  readonly id: string
  readonly effect: OperationShape['effect']
  readonly isCurrent: boolean
  /** Whether Tab leads to this option of the list. */
  readonly isStop: boolean
}

const Option = memo(function Option({ id, effect, isCurrent, isStop }: OptionProps): ReactNode {
  return (
    <div
      role="option"
      aria-selected={isCurrent}
      tabIndex={isStop ? 0 : -1}
      data-option={id}
      className="explorer-link"
    >
      <code className="break">{id}</code>
      {effect === 'write' && <span className="explorer-dot" title={texts.effect.write} />}
    </div>
  )
})
