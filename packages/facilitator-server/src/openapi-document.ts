import * as envelope from '@mintmark/envelope'
import * as facilitator from '@mintmark/facilitator'
import type { OperationShape } from '@mintmark/operation'
import { createOpenApiDocument, type Descriptions, nameSchemas } from '@mintmark/server-kit'
import { fieldLimits } from './http/context/field-limits.ts'
import { version } from './operations/version.ts'

export const FACILITATOR_TITLE = 'Mintmark micropayment facilitator'

const isOperation = (value: unknown): value is OperationShape =>
  typeof value === 'function' && 'path' in value && 'service' in value

/** Every operation of the native API. */
const allOperations = Object.values(facilitator).flatMap((group) =>
  Object.values(Object(group)).filter(isOperation),
)

/** Creates the OpenAPI document of a facilitator at `serverUrl` that has some of the operations, or all. */
export function createFacilitatorDocument(
  serverUrl: string,
  descriptions: Descriptions | undefined,
  operations: readonly OperationShape[] = allOperations,
): object {
  return createOpenApiDocument({
    title: FACILITATOR_TITLE,
    version,
    description:
      'Verifies and settles x402 payments, and bills each settle. Stock x402 software uses verify, settle and supported below /x402.',
    serverUrl,
    operations,
    getLimits: () => fieldLimits,
    descriptions,
    names: nameSchemas(envelope, facilitator),
    events: {
      event: facilitator.WebhookEvent,
      name: 'WebhookEvent',
      types: facilitator.webhookEvents,
    },
  })
}
