import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { shellTexts } from '../texts/shell.ts'
import { Icon, type IconName } from './icon.tsx'

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'type'> {
  /**
   * `primary` for the main action of a page, `danger` for what cannot be undone, `plain` inside of lists.
   * Default: `secondary`.
   */
  readonly kind?: 'primary' | 'secondary' | 'danger' | 'plain'
  readonly icon?: IconName
  /** Whether the action is running. The button keeps the focus and ignores presses. */
  readonly isPending?: boolean
  readonly type?: 'button' | 'submit'
  readonly ref?: Ref<HTMLButtonElement>
  readonly children: ReactNode
}

/** A button with a text. It is the browser's own, which handles touch, keys and forms. */
export function Button(props: ButtonProps): ReactNode {
  const { kind = 'secondary', icon, isPending = false, type = 'button', children, onClick, ...rest } = props
  return (
    <button
      {...rest}
      type={type}
      className={`button button-${kind}`}
      aria-disabled={isPending || undefined}
      onClick={(event) => {
        if (isPending) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {isPending ? <Spinner /> : icon !== undefined && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  )
}

interface IconButtonProps
  extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'type' | 'aria-label'> {
  readonly icon: IconName
  /** The name of the button, which is shown when it is pointed at. */
  readonly label: string
  readonly ref?: Ref<HTMLButtonElement>
}

/** A button that shows only an icon. */
export function IconButton({ icon, label, ...rest }: IconButtonProps): ReactNode {
  return (
    <button {...rest} type="button" className="icon-button" aria-label={label} title={label}>
      <Icon name={icon} />
    </button>
  )
}

/** Shows that something is running. */
export function Spinner(): ReactNode {
  return (
    <span className="spinner" role="status">
      <span className="visually-hidden">{shellTexts.loading}</span>
    </span>
  )
}
