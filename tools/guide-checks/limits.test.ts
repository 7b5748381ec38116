import { readFileSync } from 'node:fs';
import path from 'node:path';
import { mediaLimits } from '@notify/channels';
import {
  CreateApiKey,
  CreateWebhook,
  EventsQuery,
  problems,
  RotateApiKey,
  SendBulk,
  SendMedia,
  SendText,
} from '@notify/contract';
import { countedTags, longestLabel, longestMetadataValue, textLimits } from '@notify/core';
import { readGuide } from '@notify/testkit';

const guide = readGuide('limits');
const config = readFileSync(path.resolve(import.meta.dirname, '../../docs/config.md'), 'utf8');

/** The cells of every row of the guide's tables, without marks and separators of thousands. */
const rows = [...guide.text.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) =>
  row.split('|').map((cell) => cell.replaceAll(/[`,]/g, '').trim()),
);

/** Settings that bound something, with their defaults as docs/config.md writes them. */
const settings = new Map(
  [...config.matchAll(/^- `(\w+)` \(`(\d+)`;/gm)]
    .map(([, name = '', value = '']): [string, string] => [name, value])
    .filter(([name]) => /_PER_|^MAX_|_DAYS$|_SLOTS$|^RECEIPT_WAIT/.test(name)),
);

test('the guide has every limit that is a setting, with its default', () => {
  const told = rows
    .filter(([, , name = '']) => /^[A-Z][A-Z_]+$/.test(name))
    .map(([, value, name]) => [name, value]);
  expect(settings.size).toBeGreaterThan(15);
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(settings));
});

const megabytes = ({ maxBytes }: { maxBytes: number }) => maxBytes / 1_048_576;

/** A keyword of a JSON Schema. */
function limit(
  schema: object,
  keyword: 'maxLength' | 'maxItems' | 'maxProperties' | 'minimum' | 'default' | 'maximum',
): number {
  return (schema as Readonly<Record<string, number>>)[keyword] ?? NaN;
}

const text = SendText.properties;
const media = SendMedia.properties;
const key = CreateApiKey.properties;
const webhook = CreateWebhook.properties;

const fixed: Readonly<Record<string, number>> = {
  'Characters of a text': textLimits.text,
  'Characters of a caption': textLimits.caption,
  'Characters of a formatted text with its markup': limit(text.text, 'maxLength'),
  'Characters of a formatted caption with its markup': limit(media.caption, 'maxLength'),
  'Characters of a file name': limit(media.filename, 'maxLength'),
  'Characters of an idempotency key': limit(text.idempotencyKey, 'maxLength'),
  'Characters of a URL of a file or a webhook': limit(media.url, 'maxLength'),
  'Tags of a message': limit(text.tags, 'maxItems'),
  'Characters of a tag or a name in metadata': longestLabel,
  'Pairs in the metadata of a message': limit(text.metadata, 'maxProperties'),
  'Characters of a value in metadata': longestMetadataValue,
  'Tags of a tenant with figures on a day (UTC); others count as other': countedTags,
  'Items of a bulk call': limit(SendBulk.properties.messages, 'maxItems'),
  'Items of a page': limit(EventsQuery.properties.limit, 'maximum'),
  'Accounts of a narrowed key': limit(key.channelAccountIds, 'maxItems'),
  'Accounts in a filter of a webhook': limit(webhook.channelAccountIds.anyOf[0], 'maxItems'),
  'Tags in a filter of a webhook': limit(webhook.tags.anyOf[0], 'maxItems'),
  'Addresses of a narrowed key or token': limit(key.allowedIps, 'maxItems'),
  'Seconds until a message expires at least': limit(text.expiresInSeconds, 'minimum'),
  'Seconds until a message expires by default': limit(text.expiresInSeconds, 'default'),
  'Seconds until a message expires at most': limit(text.expiresInSeconds, 'maximum'),
  'Seconds that a rotated key still works at most': limit(RotateApiKey.properties.overlapSeconds, 'maximum'),
  'Megabytes of an image (JPEG PNG WebP)': megabytes(mediaLimits.image),
  'Megabytes of a video (MP4 3GP)': megabytes(mediaLimits.video),
  'Megabytes of audio (MP3 OGG AAC)': megabytes(mediaLimits.audio),
  'Megabytes of a document': megabytes(mediaLimits.document),
};

test('the guide has the limits of the contract', () => {
  const told = Object.keys(fixed).map((name) => [name, Number(rows.find(([one]) => one === name)?.[1])]);
  expect(Object.fromEntries(told)).toEqual(fixed);
  expect(limit(CreateWebhook.properties.url, 'maxLength')).toBe(limit(media.url, 'maxLength'));
});

test('the guide has the sizes of requests', () => {
  const { help } = problems['too-large'];
  expect(help).toMatch(/limit is 1 MB.*6 MB.*16 KB/s);
  expect(guide.text).toContain('1 MB, a bulk call 6 MB, and a request without a credential 16 KB');
});
