/* Arrays as Postgres sends them itself: it takes a Buffer as a parameter's binary form. Cheaper on both sides than text. */

/** Object ids of types (pg_type.dat). */
const uuidType = 2950;

/** Dimensions, whether elements are null, the elements' type; then of the one dimension its length and lower bound. */
const headLength = 20;

/**
 * A `uuid[]` (PostgreSQL, `array_send` and `uuid_send`). Throws a TypeError where an element is no UUID in its usual
 * form.
 */
export function uuids(ids: readonly (string | null)[]): Buffer {
  if (ids.length === 0) return emptyOf(uuidType);
  const array = Buffer.allocUnsafe(headLength + ids.length * 20);
  let at = headLength;
  let hasNull = false;
  for (const id of ids) {
    at = array.writeInt32BE(id === null ? -1 : 16, at);
    if (id === null) hasNull = true;
    else at = writeUuid(array, id, at);
  }
  writeHead(array, uuidType, ids.length, hasNull);
  return array.subarray(0, at);
}

/** The value of each hexadecimal digit by its character code; 16 for all else, so that it cannot be overlooked. */
const digits = new Uint8Array(128).fill(16);
for (const [value, digit] of Array.from('0123456789abcdef').entries()) {
  digits[digit.charCodeAt(0)] = value;
  digits[digit.toUpperCase().charCodeAt(0)] = value;
}

function writeUuid(array: Buffer, id: string, at: number): number {
  let wrong = id.length ^ 36;
  let byte = at;
  for (let place = 0; place < 36; place += 2) {
    if (place === 8 || place === 13 || place === 18 || place === 23) wrong |= id.charCodeAt(place++) ^ 45;
    const high = digits[id.charCodeAt(place)] ?? 16;
    const low = digits[id.charCodeAt(place + 1)] ?? 16;
    wrong |= (high | low) & 16;
    array[byte++] = (high << 4) | low;
  }
  if (wrong !== 0) throw new TypeError(`not a UUID: ${JSON.stringify(id)}`);
  return byte;
}

function emptyOf(type: number): Buffer {
  const array = Buffer.alloc(12);
  array.writeInt32BE(type, 8);
  return array;
}

function writeHead(array: Buffer, type: number, length: number, hasNull: boolean): void {
  array.writeInt32BE(1, 0);
  array.writeInt32BE(hasNull ? 1 : 0, 4);
  array.writeInt32BE(type, 8);
  array.writeInt32BE(length, 12);
  array.writeInt32BE(1, 16);
}
