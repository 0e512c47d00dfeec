import type { ReactNode } from 'react'

interface DocTextProps {
  /** A docstring: paragraphs with code between backticks. */
  readonly text: string
}

/** Shows a docstring. Nothing without one. */
export function DocText({ text }: DocTextProps): ReactNode {
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
