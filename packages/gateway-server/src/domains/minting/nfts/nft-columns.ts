import { toColumns } from '../../../http/record-mapping.ts'

/** Returns the columns that an input writes to an NFT that can be minted. */
export function toNftColumns<Input extends { readonly properties?: readonly object[] | undefined }>(
  input: Input,
) {
  return { ...toColumns(input), properties: input.properties && JSON.stringify(input.properties) }
}
