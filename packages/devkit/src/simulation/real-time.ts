/** The functions of the platform, before `simulatePlatform` replaced them. */
export const realSetImmediate = globalThis.setImmediate
export const realSetTimeout = globalThis.setTimeout
export const realClearTimeout = globalThis.clearTimeout
export const realFetch = globalThis.fetch
export const RealDate = globalThis.Date
export const realPerformanceNow = globalThis.performance.now.bind(globalThis.performance)
export const realAbortTimeout = AbortSignal.timeout.bind(AbortSignal)
