import { type Encoder, headerSafe, literalOf, placeholdersIn, urlEncoded, verbatim } from './template.ts';

/** The most bytes that a request to a gateway may have: address, headers and body. */
export const maxRequestBytes = 262_144;

/** The bytes of a placeholder's value as an encoder writes it. */
export type Measure = (name: string, encode: Encoder) => number;

/** The templates of one request, and how the values in them are encoded. */
export interface Templates {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: { readonly template: string; readonly encode: Encoder } | null;
}

/** The bytes that one template becomes. `at` is its place in the settings. */
export interface PlaceSize {
  readonly at: string;
  readonly bytes: number;
}

/** The bytes that each template becomes, computed without filling any. A field that is left out counts, too. */
export function placeSizes({ url, headers, fields, body }: Templates, measure: Measure): PlaceSize[] {
  const inHeader = (value: string) => filledBytes(value, headerSafe, verbatim, measure);
  const inField = (value: string) => filledBytes(value, urlEncoded, urlEncoded, measure);
  return [
    { at: '/url', bytes: filledBytes(url, urlEncoded, verbatim, measure) },
    ...Object.entries(headers).map(([name, value]) => ({
      at: `/headers/${name}`,
      bytes: Buffer.byteLength(name) + ': \r\n'.length + inHeader(value),
    })),
    ...Object.entries(fields).map(([name, value]) => ({
      at: `/body/fields/${name}`,
      bytes: Buffer.byteLength(urlEncoded(name)) + '&='.length + inField(value),
    })),
    ...(body === null
      ? []
      : [{ at: '/body/template', bytes: filledBytes(body.template, body.encode, verbatim, measure) }]),
  ];
}

/** The bytes of the whole request. */
export function totalBytes(sizes: readonly PlaceSize[]): number {
  return sizes.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Measures values that are known. Each is encoded once for each encoder, however often a template has it. */
export function measureOf(values: ReadonlyMap<string, string>): Measure {
  const known = new Map<Encoder, Map<string, number>>();
  return (name, encode) => {
    const ofEncoder = known.get(encode) ?? new Map<string, number>();
    known.set(encode, ofEncoder);
    const bytes = ofEncoder.get(name) ?? Buffer.byteLength(encode(values.get(name) ?? ''));
    ofEncoder.set(name, bytes);
    return bytes;
  };
}

function filledBytes(template: string, ofValue: Encoder, ofLiteral: Encoder, measure: Measure): number {
  const literal = Buffer.byteLength(ofLiteral(literalOf(template)));
  return placeholdersIn(template).reduce((sum, name) => sum + measure(name, ofValue), literal);
}

/** The bytes that a character takes at most in a place: a control character in JSON, or one of four bytes elsewhere. */
export function mostBytesOfCharacter(encode: Encoder): number {
  return Math.max(...['\u0001', '€', '😀'].map((character) => Buffer.byteLength(encode(character))));
}
