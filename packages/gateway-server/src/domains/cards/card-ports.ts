/** What the operations of cards need of the server. */
export interface CardPorts {
  /** This server's public URL, without a trailing slash. */
  readonly publicUrl: string
  /** The time zone of daily limits and of the times on card pages. */
  readonly storeTimeZone: string
}
