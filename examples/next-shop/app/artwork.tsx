export interface ArtworkProps {
  readonly name: string
  /** The image's URL; empty without an image. */
  readonly image: string
}

/**
 * The picture of a collectible. Its initials remain if the picture does not load. The name is next to it, so
 * readers skip it.
 */
export function Artwork({ name, image }: ArtworkProps) {
  const words = name.replace(/[^\p{L}\p{N} ]/gu, '').split(' ')
  const initials = words.map(([first]) => first).join('')
  return (
    <div className="artwork" aria-hidden="true">
      <span>{initials.slice(0, 4)}</span>
      <div style={toBackground(image)} />
    </div>
  )
}

/** A seller can set any URL. Parsing escapes what would end the text in CSS. */
function toBackground(image: string): { backgroundImage?: string } {
  const url = URL.parse(image)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  return isWeb ? { backgroundImage: `url(${JSON.stringify(url.href)})` } : {}
}
