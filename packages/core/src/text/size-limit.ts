const mebibyte = 1_048_576;
const kibibyte = 1_024;

/** A limit in bytes as people read it: in MB to a tenth, and below that in KB or bytes. Rounded down, so that it is never too high. */
export function sizeLimitText(bytes: number): string {
  if (bytes < kibibyte) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  if (bytes < mebibyte) return `${Math.floor(bytes / kibibyte)} KB`;
  return `${(Math.floor((bytes * 10) / mebibyte) / 10).toLocaleString('en')} MB`;
}
