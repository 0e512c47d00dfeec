import { type ReactNode, useEffect, useState } from 'react'
import { shortenIdentifier } from '../format/identifier.ts'
import { t } from '../language/translate.ts'
import { componentTexts } from '../texts/shell.ts'
import { Icon } from './icon.tsx'

const SHOWN_MS = 1500

interface CopyButtonProps {
  readonly text: string
  /** The name of the button. Default: `Copy`. */
  readonly label?: string
}

/** Copies a text, and shows for a moment that it did. */
export function CopyButton({ text, label = componentTexts.copy }: CopyButtonProps): ReactNode {
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <button
      type="button"
      className="copy-button"
      aria-label={label}
      title={label}
      onClick={(event) => {
        // A row around the button may be a link.
        event.preventDefault()
        event.stopPropagation()
        navigator.clipboard.writeText(text).then(
          () => setIsCopied(true),
          () => window.prompt(label, text),
        )
      }}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
      <span role="status" className="visually-hidden">
        {isCopied ? t('Copied') : ''}
      </span>
    </button>
  )
}

/**
 * Shows a whole text with a button that copies it. However narrow the place is, the button is beside the
 * text.
 */
export function CopiedText({ text, label }: CopyButtonProps): ReactNode {
  return (
    <span className="copied-text">
      <code className="break">{text}</code>
      <CopyButton text={text} {...(label !== undefined && { label })} />
    </span>
  )
}

interface IdentifierProps {
  /** An address, a hash or another long id. An empty one is shown as a dash. */
  readonly value: string
  /** The name of the button that copies it. */
  readonly copyLabel?: string
  /** A page of the block explorer. */
  readonly link?: string | undefined
}

/**
 * Shows the beginning and the end of a long id, the whole id when it is pointed at, and a button that copies
 * it.
 */
export function Identifier({ value, copyLabel, link }: IdentifierProps): ReactNode {
  if (value === '') return <span className="faint">{componentTexts.none}</span>
  const short = <code title={value}>{shortenIdentifier(value)}</code>
  return (
    <span className="identifier">
      {short}
      <CopyButton text={value} label={copyLabel ?? `${componentTexts.copy} ${value}`} />
      {link !== undefined && (
        <a
          className="copy-button"
          href={link}
          target="_blank"
          rel="noreferrer noopener"
          aria-label={componentTexts.openInExplorer}
          title={componentTexts.openInExplorer}
        >
          <Icon name="external" />
        </a>
      )}
    </span>
  )
}
