import type { ReactNode } from 'react'
import { Picture } from './picture.tsx'

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
