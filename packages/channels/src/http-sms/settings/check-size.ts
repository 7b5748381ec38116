import { textLimits } from '@notify/core';
import { gatewayOf } from '../gateways/profiles.ts';
import { lifetimePlaceholders } from '../request/lifetime-values.ts';
import { accountValues, type Draft, probingDraft, templatesOf } from '../request/request.ts';
import {
  maxRequestBytes,
  type Measure,
  measureOf,
  mostBytesOfCharacter,
  placeSizes,
  type PlaceSize,
  totalBytes,
} from '../request/request-size.ts';
import { jsonEscaped, urlEncoded } from '../request/template.ts';
import type { HttpSmsSettings } from './settings.ts';

type Fault = { readonly at: string; readonly message: string };

/** The most characters that a segment holds (GSM-7, alone in its message). */
const charactersOfSegment = 160;

/** The most characters of the other values that depend on a message. */
const lengths: ReadonlyMap<string, number> = new Map([
  ['to', 20],
  ['id', 40],
  ['dlr_url', 800],
  ['part', 3],
  ['parts', 3],
  ...lifetimePlaceholders.map((name) => [name, 20] as const),
]);

/** The place that contributes most to a request that could become too large with the longest text. */
export function checkSize(settings: HttpSmsSettings): Fault[] {
  const gateway = gatewayOf(settings);
  const sending = placeSizes(templatesOf(gateway), longest(gateway));
  const faults = tooLarge(sending);
  if (faults.length > 0 || settings.verifyUrl === undefined) return faults;
  const draft: Draft = probingDraft(gateway, gateway.probe);
  const probing = placeSizes(templatesOf(draft), measureOf(draft.values));
  return tooLarge(probing.map((size) => (size.at === '/url' ? { ...size, at: '/verifyUrl' } : size)));
}

function tooLarge(sizes: readonly PlaceSize[]): Fault[] {
  const bytes = totalBytes(sizes);
  if (bytes <= maxRequestBytes) return [];
  const { at } = sizes.reduce((largest, one) => (one.bytes > largest.bytes ? one : largest));
  return [{ at, message: `makes requests too large: ${described(bytes)}` }];
}

/** Says how large a request would be, and how large it may be. */
export function described(bytes: number): string {
  return `they can have ${kilobytes(bytes)} KB, and at most ${kilobytes(maxRequestBytes)} KB are sent`;
}

function kilobytes(bytes: number): string {
  return Math.ceil(bytes / 1_024).toLocaleString('en');
}

/** The bytes of a value where it takes the most. */
function bytesAtMost(value: string): number {
  return Math.max(Buffer.byteLength(urlEncoded(value)), Buffer.byteLength(jsonEscaped(value)));
}

/** Measures the values of the longest message that an account can send. */
function longest(gateway: ReturnType<typeof gatewayOf>): Measure {
  const { gsm7, ucs2 } = gateway.coding;
  const coding = gsm7.length > ucs2.length ? gsm7 : ucs2;
  const senders = [gateway.from, ...gateway.senders.map(({ from }) => from)];
  const sender = senders.reduce((most, one) => (bytesAtMost(one) > bytesAtMost(most) ? one : most));
  const ofAccount = measureOf(new Map([...accountValues(gateway), ['coding', coding], ['from', sender]]));
  const text = Math.min(textLimits.text, charactersOfSegment * gateway.maxSegments);
  return (name, encode) => {
    const length = name === 'text' ? text : lengths.get(name);
    return length === undefined ? ofAccount(name, encode) : length * mostBytesOfCharacter(encode);
  };
}
