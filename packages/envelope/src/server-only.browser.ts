/** Does nothing: pages do not read the value. Bundlers remove the calls. */
/* @__NO_SIDE_EFFECTS__ */
export function serverOnly(): void {}
