export { createFacilitator, type FacilitatorOptions } from './facilitator.ts'
export { createGateway, type GatewayOptions } from './gateway.ts'
export * from './operation.ts'
export {
  type AttemptEvent,
  type ClientOptions,
  type Deviation,
  type Hooks,
  type Route,
  reroute,
} from './options.ts'
