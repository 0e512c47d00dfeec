/** Some wallets end a signature with 0 or 1, which contracts that take it as bytes do not accept. */
export function withUsualParity(signature: string): string {
  const last = Number.parseInt(signature.slice(130), 16)
  return signature.length === 132 && last < 27
    ? signature.slice(0, 130) + (last + 27).toString(16)
    : signature
}
