export type { Bytes } from './bytes.ts'
export {
  type BearerCredentials,
  type CredentialsSource,
  type GatewayCredentials,
  resolveCredentials,
  type SecretCredentials,
  type SigningCredentials,
} from './credentials.ts'
export { equalInConstantTime } from './digest.ts'
export {
  canonicalQuery,
  concatenated,
  encodeRfc3986,
  type SignableRequest,
  type SignatureScheme,
  v1,
} from './scheme.ts'
export {
  createSigner,
  type SignatureHeaders,
  type Signer,
  type SignerOptions,
  type UnsignedRequest,
} from './signer.ts'
export {
  createVerifier,
  type SignedRequest,
  type Verification,
  type VerificationFailure,
  type VerificationKey,
  type Verifier,
  type VerifierOptions,
} from './verifier.ts'
