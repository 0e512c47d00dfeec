import encodeQR from 'qr'
import { type ReactNode, useMemo } from 'react'
import { t } from '../language/translate.ts'

interface QrCodeProps {
  readonly content: string
  /** What the code contains, for screen readers. Default: the content, which may be a secret. */
  readonly label?: string
}

/** The quiet zone around a code that scanners need, in modules. */
const QUIET_ZONE = 2

/** Shows a QR code as SVG: dark on light in both themes, because many scanners read nothing else. */
export function QrCode({ content, label = content }: QrCodeProps): ReactNode {
  const { path, size } = useMemo(() => drawQrCode(content), [content])
  return (
    <svg
      className="qr-code"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={t('QR code of {label}', { label })}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  )
}

/** Draws the dark modules of a QR code as one path, a rectangle for each run in a row. */
export function drawQrCode(content: string): { readonly path: string; readonly size: number } {
  const rows = encodeQR(content, 'raw', { border: QUIET_ZONE })
  const path = rows.flatMap((row, y) =>
    listRuns(row).map(({ x, width }) => `M${x} ${y}h${width}v1h-${width}z`),
  )
  return { path: path.join(''), size: rows.length }
}

function listRuns(row: readonly boolean[]): readonly { readonly x: number; readonly width: number }[] {
  const runs: { x: number; width: number }[] = []
  row.forEach((isDark, x) => {
    if (!isDark) return
    const last = runs.at(-1)
    if (last !== undefined && last.x + last.width === x) last.width += 1
    else runs.push({ x, width: 1 })
  })
  return runs
}
