/** The name of a job. The span of its run begins the trace. */
export const JOB_ATTRIBUTE = 'mintmark.job'

/** The request id of a call, as the semantic conventions name a header of the response. */
export const REQUEST_ID_ATTRIBUTE = 'http.response.header.x-request-id'

/** The type of a delivered event, such as `order.paid`. */
export const EVENT_TYPE_ATTRIBUTE = 'mintmark.event.type'

/** The id of the webhook that receives an event. */
export const WEBHOOK_ATTRIBUTE = 'mintmark.webhook.id'

/** The number of an attempt to deliver an event, from 1. */
export const WEBHOOK_ATTEMPT_ATTRIBUTE = 'mintmark.webhook.attempt'
