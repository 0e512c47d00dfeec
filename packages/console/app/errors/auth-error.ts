/** An error of sign-in, of the account or of an invitation. */
export class AuthError extends Error {
  override readonly name = 'AuthError'
  /**
   * The code of the authentication library, such as `INVALID_EMAIL_OR_PASSWORD`; `''` if it returned none.
   */
  readonly code: string
  /** The HTTP status; 0 if there was no response. */
  readonly status: number
  /** Seconds to wait, when the server limits attempts. */
  readonly retryAfter: number | undefined

  constructor(
    message: string,
    details: { readonly code: string; readonly status: number; readonly retryAfter?: number | undefined },
  ) {
    super(message)
    this.code = details.code
    this.status = details.status
    this.retryAfter = details.retryAfter
  }
}
