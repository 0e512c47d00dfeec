export * as payments from './payments.ts'
export type {
  Health,
  PaymentPayload,
  PaymentPayloadV1,
  PaymentPayloadV2,
  PaymentRequirements,
  PaymentRequirementsV1,
  PaymentRequirementsV2,
  Settlement,
  Supported,
  VerifyResponse,
} from './x402.ts'
