/** The name of a job. The span of its run begins the trace. */
export const JOB_ATTRIBUTE = 'mintmark.job'

/** The request id of a call, as the semantic conventions name a header of the response. */
export const REQUEST_ID_ATTRIBUTE = 'http.response.header.x-request-id'
