import type { ReactNode } from 'react'
import { componentTexts } from '../texts/shell.ts'
import { CopyButton } from './copy-button.tsx'

interface CodeViewProps {
  /** What the text is, for screen readers. */
  readonly label: string
  readonly text: string
  /** The name of the button that copies it. */
  readonly copyLabel?: string
}

/** Shows a long text as it is, with a button that copies it. */
export function CodeView({ label, text, copyLabel = componentTexts.copy }: CodeViewProps): ReactNode {
  return (
    <section className="json-view" aria-label={label}>
      <CopyButton text={text} label={copyLabel} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll the text. */}
      <pre tabIndex={0}>{text}</pre>
    </section>
  )
}

/** Shows a value as formatted JSON. */
export function JsonView({ label, value }: { readonly label: string; readonly value: unknown }): ReactNode {
  return <CodeView label={label} text={JSON.stringify(value, null, 2) ?? componentTexts.none} />
}
