/** Does nothing: the page was refused in development. Bundlers remove the calls. */
export function refuseSecretInPage(): void {}
