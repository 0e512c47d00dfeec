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

/** The servers that a person calls, with the credentials. */
export interface Profile {
  readonly gateway?: GatewayProfile | undefined
  readonly facilitator?: FacilitatorProfile | undefined
}

/** A gateway whose secret is in the keychain. */
export interface KeychainGateway {
  readonly baseUrl: string
  readonly apiKey: string
  /** The keychain's account, such as `gateway/live`. */
  readonly keychain: string
}

/** A facilitator whose token is in the keychain. */
export interface KeychainFacilitator {
  readonly baseUrl: string
  /** The keychain's account, such as `facilitator/live`. */
  readonly keychain: string
}

/** A wallet that `mintmark try` created. */
export interface StoredWallet {
  readonly address: string
  readonly privateKey: string
}

export type StoredGateway = GatewayProfile | KeychainGateway
export type StoredFacilitator = FacilitatorProfile | KeychainFacilitator

/** Whether a facilitator has a token, wherever that is stored. */
export const hasToken = (facilitator: StoredFacilitator): boolean =>
  'keychain' in facilitator || facilitator.token !== undefined

/** A profile as it is stored. Its secrets may be in the keychain. */
export interface StoredProfile {
  readonly gateway?: StoredGateway | undefined
  readonly facilitator?: StoredFacilitator | undefined
  /** The wallet of the facilitator's account. Its key is in the file. */
  readonly wallet?: StoredWallet | undefined
}
