export interface TotalTables {
  /** How much happened in 15 minutes. Only the sequencer writes these rows. */
  'gateway.totals': {
    project_id: number
    /** When the 15 minutes begin. */
    period: Date
    /** The type of the counted events. */
    type: string
    /** '' for events without an amount. */
    chain_id: string
    /** '' for native tokens, and for events without an amount. */
    pay_token_address: string
    pay_token_decimals: number
    events: number
    /** The sum of the amounts in base units, as decimal text. */
    amount: string
  }
}
