export const deliveryStatuses = {
  PENDING: ['Pending', 'info'],
  DELIVERED: ['Delivered', 'success'],
  FAILED: ['Failed', 'danger'],
} as const

/** What the receiver responded. */
interface Result {
  /** 0 without a response. */
  readonly responseStatus: number
  readonly error: string
}

/** Formats the response of a receiver, and why the attempt failed; `''` before the first attempt. */
export function formatResponse({ responseStatus, error }: Result): string {
  if (responseStatus === 0 && error === '') return ''
  const status = responseStatus === 0 ? 'No response' : `HTTP ${responseStatus}`
  return error === '' ? status : `${status}: ${error}`
}
