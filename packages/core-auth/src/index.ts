export { refuseSecretInPage } from '#page'
export { type Bytes, type Encoding, utf8 } from './bytes.ts'
export { equalInConstantTime } from './constant-time.ts'
export {
  type BearerCredentials,
  type BrowserOptions,
  type CredentialsSource,
  type GatewayCredentials,
  resolveCredentials,
  type SecretCredentials,
  type SigningCredentials,
} from './credentials.ts'
export {
  canonicalQuery,
  concatenated,
  encodeRfc3986,
  type SignableRequest,
  type SignatureScheme,
  v1,
} from './scheme.ts'
export {
  type CanonicalRequest,
  createCanonicalSigner,
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
