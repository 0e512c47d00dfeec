import { type ReactNode, useState } from 'react'
import { toImageAddress } from '../format/web-address.ts'
import { Icon } from './icon.tsx'

interface PictureProps {
  /** The address of the image, as a tenant wrote it. Anything but https shows the fallback. */
  readonly address: string
  /** What the image shows. `''` if a text beside it says so. */
  readonly label: string
  /**
   * `card` fills its card, `thumbnail` fits a row of a table, `large` is for the page of one record. Default:
   * `card`.
   */
  readonly size?: 'card' | 'thumbnail' | 'large'
}

/**
 * Shows an image as a square, so that nothing moves when it arrives. It loads when it is about to be seen;
 * without an image, an icon is shown.
 */
export function Picture({ address, label, size = 'card' }: PictureProps): ReactNode {
  const source = toImageAddress(address)
  const [failed, setFailed] = useState<string>()
  return (
    <span className={`picture picture-${size}`}>
      {source === undefined || source === failed ? (
        <Icon name="nft" {...(label !== '' && { label })} />
      ) : (
        <img
          src={source}
          alt={label}
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setFailed(source)}
        />
      )}
    </span>
  )
}

interface TitledPictureProps {
  readonly address: string
  /** The title, such as a link. */
  readonly children: ReactNode
}

/** Shows a small image beside a title, in a list. */
export function TitledPicture({ address, children }: TitledPictureProps): ReactNode {
  return (
    <span className="titled-picture">
      <Picture address={address} label="" size="thumbnail" />
      <span className="break">{children}</span>
    </span>
  )
}
