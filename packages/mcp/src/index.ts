export {
  createMcpApplication,
  type McpApplication,
  type McpApplicationOptions,
  type PaymentSettings,
} from './application.ts'
export type { ClientSettings, FacilitatorSettings, GatewaySettings } from './clients.ts'
export { type HttpOptions, type RunningHttpServer, serveHttp } from './http/serve-http.ts'
export { SettingsError } from './settings-error.ts'
export type { AssetAmounts, BudgetLimits } from './state/budgets.ts'
