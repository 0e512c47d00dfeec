import type { AnyOperation, CallResult, DataOf, InputOf, OperationShape } from '@mintmark/operation'
import type { DemoCredentials } from '@mintmark/sandbox'
import {
  createFacilitator,
  createGateway,
  type FacilitatorClient,
  type GatewayClient,
} from '@mintmark/transport'
import { createTourPayments, type TourPayments } from './payments.ts'
import type { Report } from './report.ts'

/** What a call is printed with: an operation, or another address. */
export type Target = Pick<OperationShape, 'id' | 'path'> & { readonly method: string }

/** The tour of a running sandbox. Each call is reported with a title and its response. */
export interface Tour {
  readonly credentials: DemoCredentials
  readonly gateway: GatewayClient
  readonly facilitator: FacilitatorClient
  readonly payments: TourPayments
  /** Calls an operation. Returns its data. */
  call<O extends AnyOperation>(title: string, operation: O, input: InputOf<O>): Promise<DataOf<O>>
  /** Does anything else that counts as a call. Reports the returned result, and returns its data. */
  step<Data>(title: string, target: Target, work: () => Promise<StepResult<Data>>): Promise<Data>
  /** The numbers of calls so far. */
  readonly counts: { readonly started: number; readonly succeeded: number }
}

export interface StepResult<Data> extends Pick<CallResult<Data>, 'status' | 'data'> {
  /** Is reported instead of the data. */
  readonly printed?: unknown
}

/** Thrown by a call that failed. Its error has been reported. */
export class FailedCallError extends Error {
  override name = 'FailedCallError'
}

export function createTour(credentials: DemoCredentials, dataDir: string, report: Report): Tour {
  const { apiKey, secret, baseUrl } = credentials.gateway
  const { token, baseUrl: facilitatorUrl } = credentials.facilitator
  const gateway = createGateway({ baseUrl, credentials: { apiKey, secret } })
  const facilitator = createFacilitator({ baseUrl: facilitatorUrl, credentials: { token } })
  const counts = { started: 0, succeeded: 0 }
  const step: Tour['step'] = async (title, target, work) => {
    counts.started += 1
    report.title(counts.started, title, target)
    try {
      const { status, data, printed = data } = await work()
      report.response(target, status, printed)
      counts.succeeded += 1
      return data
    } catch (error) {
      report.failure(target, error)
      throw new FailedCallError(title, { cause: error })
    }
  }
  return {
    credentials,
    gateway,
    facilitator,
    payments: createTourPayments(credentials, dataDir),
    counts,
    step,
    call<O extends AnyOperation>(title: string, operation: O, input: InputOf<O>) {
      const client = operation.service === 'gateway' ? gateway : facilitator
      // The client has checked the data against the operation's schema.
      return step(
        title,
        operation,
        async () => (await client.call(operation, input)) as CallResult<DataOf<O>>,
      )
    },
  }
}
