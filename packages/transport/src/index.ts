export {
  type CallOptions,
  type CallResult,
  type Client,
  type FacilitatorClient,
  type GatewayClient,
  isErrorOf,
} from '@mintmark/operation'
export { callPath, type PathRequest } from './call-path.ts'
export {
  MissingCredentialsError,
  readFacilitatorOptions,
  readGatewayOptions,
  readVariables,
  type ServerOptions,
  type Variables,
} from './environment.ts'
export { createFacilitator, type FacilitatorOptions } from './facilitator.ts'
export { createGateway, type GatewayOptions } from './gateway.ts'
export {
  type AttemptEvent,
  type ClientOptions,
  type Deviation,
  type Hooks,
  type Route,
  reroute,
} from './options.ts'
export { withResponse } from './with-response.ts'
