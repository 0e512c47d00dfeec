/** What a call of the gateway needs. */
export interface GatewayProfile {
  readonly baseUrl: string
  readonly apiKey: string
  readonly secret: string
}

/** What a call of the facilitator needs. Some of its operations need no token. */
export interface FacilitatorProfile {
  readonly baseUrl: string
  readonly token?: string | undefined
}

/** The servers that a person calls. */
export interface Profile {
  readonly gateway?: GatewayProfile | undefined
  readonly facilitator?: FacilitatorProfile | undefined
}
