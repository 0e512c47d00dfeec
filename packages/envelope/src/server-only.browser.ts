/** Does nothing: pages do not read the value. Bundlers remove the calls. */
export function serverOnly(): void {}
