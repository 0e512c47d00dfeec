import type { ReactNode } from 'react'
import { componentTexts } from '../texts/shell.ts'
import { CopyButton } from './copy-button.tsx'

interface JsonViewProps {
  /** What the value is, for screen readers. */
  readonly label: string
  readonly value: unknown
}

/** Shows a value as formatted JSON, with a button that copies it. */
export function JsonView({ label, value }: JsonViewProps): ReactNode {
  const text = JSON.stringify(value, null, 2) ?? componentTexts.none
  return (
    <section className="json-view" aria-label={label}>
      <CopyButton text={text} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll the text. */}
      <pre tabIndex={0}>{text}</pre>
    </section>
  )
}
