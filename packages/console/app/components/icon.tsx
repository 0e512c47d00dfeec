import type { ReactNode } from 'react'

/** The lines of each icon, on a grid of 16 by 16. */
const paths = {
  overview: 'M2.5 8.5 8 3l5.5 5.5M4 7.5V13h3v-3h2v3h3V7.5',
  report: 'M2.5 13.5h11M4.5 11V8M8 11V3M11.5 11V5.5',
  orders: 'M3.5 2.5h9v11l-2.25-1.5L8 13.5 5.75 12 3.5 13.5zM6 6h4M6 8.75h4',
  market: 'M2.5 6 4 2.5h8L13.5 6M2.5 6v.5a2 2 0 0 0 3.7 1 2 2 0 0 0 3.6 0 2 2 0 0 0 3.7-1V6zM3.5 9v4.5h9V9',
  minting: 'M8 2.5 9.4 6.6 13.5 8 9.4 9.4 8 13.5 6.6 9.4 2.5 8l4.1-1.4z',
  card: 'M2 4.5h12v7H2zM2 7h12M4.5 9.5h3',
  scanner: 'M2.5 5.5v-3h3M10.5 2.5h3v3M13.5 10.5v3h-3M5.5 13.5h-3v-3M4.5 8h7',
  campaign: 'M2.5 6.5v3h2.5l6 3.5V3L5 6.5zM5 9.5l1 4M13.5 6.5v3',
  store:
    'M8 14c3-3 4.5-5.3 4.5-7.5a4.5 4.5 0 0 0-9 0C3.5 8.7 5 11 8 14zM9.75 6.5a1.75 1.75 0 1 1-3.5 0 1.75 1.75 0 0 1 3.5 0z',
  contract: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3M6 8.5h4M6 11h4',
  nft: 'M2.5 3.5h11v9h-11zM2.5 10.5 6 7.5l3 2.5 2-1.5 2.5 2M10.5 6.25h.01',
  wallet: 'M2.5 4.5v8h11v-7h-11a1 1 0 0 1 0-2H12M11 9h.01',
  event: 'M8.5 2 3.5 9H8l-.5 5 5-7H8z',
  webhook: 'M6.5 9.5l-2 3.2M8 5.5a2 2 0 1 1 1.8 1.1l1.9 3.2M4 11a2 2 0 1 0 2.3 2H11a2 2 0 1 0 .5-2.9',
  key: 'M9.5 6.5a3 3 0 1 1-1.2-2.4A3 3 0 0 1 9.5 6.5zM8.6 8.6l4.9 4.9M11.5 11.5l-1.25 1.25',
  people:
    'M8 5.5a2.25 2.25 0 1 1-4.5 0 2.25 2.25 0 0 1 4.5 0zM1.75 13c0-2.2 1.7-3.75 4-3.75s4 1.55 4 3.75M10.5 3.5a2.1 2.1 0 0 1 0 4M12 9.6c1.4.5 2.25 1.7 2.25 3.4',
  audit: 'M8 2 3 4v4c0 3 2 5 5 6 3-1 5-3 5-6V4zM6 8l1.5 1.5L10.25 6.5',
  explorer: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  health: 'M1.5 8.5h3L6 4l3 8 2-5 1 1.5h2.5',
  facilitator: 'M2.5 5.5h9L9 3M13.5 10.5h-9L7 13',
  project: 'M2.5 3.5h4.5L8.5 5.5h5v7h-11z',
  account: 'M10.5 5.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zM3 13.5c0-2.5 2-4 5-4s5 1.5 5 4',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  close: 'M4 4l8 8M12 4l-8 8',
  search: 'M11 7a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM10 10l3.5 3.5',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  check: 'M3 8.5 6.5 12 13 4.5',
  plus: 'M8 3v10M3 8h10',
  more: 'M3 8h.6M7.7 8h.6M12.4 8h.6',
  warning: 'M8 2.5 14 13H2zM8 6.5V9M8 11h.01',
  info: 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0zM8 7.5V11M8 5.25h.01',
  external: 'M9.5 2.5h4v4M13.5 2.5 7.5 8.5M11 9.5v4H2.5V5h4',
  chevronDown: 'M4 6l4 4 4-4',
  chevronLeft: 'M10 4 6 8l4 4',
  chevronRight: 'M6 4l4 4-4 4',
  sortUp: 'M8 12V4M5 7l3-3 3 3',
  sortDown: 'M8 4v8M5 9l3 3 3-3',
  sound: 'M3 6h2.5L9 3v10L5.5 10H3zM11 5.8a3 3 0 0 1 0 4.4M12.6 4a5.6 5.6 0 0 1 0 8',
  soundOff: 'M3 6h2.5L9 3v10L5.5 10H3zM11 6l3.5 4M14.5 6 11 10',
  clock: 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0zM8 4.5V8l2.5 1.5',
  keyboard: 'M1.5 4.5h13v7h-13zM4 7h.01M6.5 7h.01M9 7h.01M11.5 7h.01M5 9.5h6',
  language: 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0zM2 8h12M8 2c3.5 4 3.5 8 0 12M8 2c-3.5 4-3.5 8 0 12',
  passkey:
    'M7.5 5.5a2.25 2.25 0 1 1-4.5 0 2.25 2.25 0 0 1 4.5 0zM1.5 13c0-2.3 1.6-3.75 3.75-3.75 1 0 1.9.3 2.5.9M12 10.5a2 2 0 1 0-1.5 0V13l.75 1 1-1-.6-.75.6-.75z',
} as const

export type IconName = keyof typeof paths

interface IconProps {
  readonly name: IconName
  /** Text for screen readers. Without it, the icon is decoration. */
  readonly label?: string
}

/** Shows an icon of 16 by 16 pixels in the color of the text. */
export function Icon({ name, label }: IconProps): ReactNode {
  const lines = <path d={paths[name]} />
  return label === undefined ? (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      {lines}
    </svg>
  ) : (
    <svg className="icon" viewBox="0 0 16 16" role="img" aria-label={label}>
      {lines}
    </svg>
  )
}
