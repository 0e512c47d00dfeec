/** Why a payment is refused. */
export interface Problem {
  readonly reason: string
  readonly message: string
}
