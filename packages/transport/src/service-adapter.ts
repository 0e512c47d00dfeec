import type { UnknownOutcomeDetails } from '@mintmark/envelope'
import type { OperationShape } from '@mintmark/operation'
import type { Payload } from './check-data.ts'
import type { Received } from './received.ts'
import type { WireRequest } from './request.ts'

/** What differs between the gateway and the facilitator. */
export interface ServiceAdapter {
  /** Creates the headers that authenticate one attempt. */
  headers(request: WireRequest): Promise<Record<string, string>>
  /** Corrects the clock after a response. Returns true when the attempt must be signed and sent again. */
  correctClock?(response: Received, sentAt: number): boolean
  /** Finds the transaction of a response that reports that the outcome is still unknown. */
  pending?(response: Received): Pick<UnknownOutcomeDetails, 'transaction'> | undefined
  /** Finds the data of a response; undefined when the response reports a failure. */
  payload(operation: OperationShape, response: Received): Payload | undefined
}
