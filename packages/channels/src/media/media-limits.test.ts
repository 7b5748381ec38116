import type { MediaFailure } from '@notify/egress';
import type { Adapter, MediaType } from '../adapter/channel.ts';
import { outcomeOfMediaFailure } from './media-failure.ts';
import { judgeMedia } from './media-limits.ts';

const megabyte = 1_048_576;
const any = { maxBytes: Infinity, mimeTypes: 'any', caption: true } as const;
const generous: Pick<Adapter, 'name' | 'media'> = {
  name: 'Generous',
  media: { image: any, video: any, audio: any, document: any },
};

/** The code of a refusal, or null. */
const judge = (type: MediaType, mimeType: string, bytes: number | null = 1_000, adapter = generous) =>
  judgeMedia(type, { mimeType, bytes }, null, adapter)?.errorCode ?? null;

test.each<[MediaType, string]>([
  ['image', 'image/jpeg'],
  ['image', 'image/png'],
  ['image', 'image/webp'],
  ['video', 'video/mp4'],
  ['video', 'video/3gpp'],
  ['audio', 'audio/mpeg'],
  ['audio', 'audio/ogg'],
  ['audio', 'audio/ogg; codecs=opus'],
  ['audio', 'audio/aac'],
  ['audio', 'audio/mp4'],
  ['document', 'application/pdf'],
  ['document', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['document', 'text/plain'],
  ['document', 'application/octet-stream'],
  ['document', 'image/gif'],
])('%s takes %s', (type, mimeType) => {
  expect(judge(type, mimeType)).toBeNull();
});

test.each<[MediaType, string]>([
  ['image', 'image/gif'],
  ['image', 'application/pdf'],
  ['image', 'text/plain'],
  ['image', 'application/octet-stream'],
  ['video', 'video/quicktime'],
  ['video', 'audio/mpeg'],
  ['audio', 'audio/wav'],
  ['audio', 'video/mp4'],
  ['audio', 'audio/amr'],
])('%s does not take %s', (type, mimeType) => {
  expect(judge(type, mimeType)).toBe('media-type-not-supported');
});

test.each<[MediaType, string, number]>([
  ['image', 'image/png', 5],
  ['video', 'video/mp4', 16],
  ['audio', 'audio/mpeg', 16],
  ['document', 'application/pdf', 100],
])('%s (%s) may have %i MB and no byte more', (type, mimeType, limit) => {
  expect(judge(type, mimeType, limit * megabyte)).toBeNull();
  expect(judge(type, mimeType, limit * megabyte + 1)).toBe('media-too-large');
  expect(judge(type, mimeType, null)).toBeNull();
});

test('refuses an empty file of any type', () => {
  expect(judge('document', 'application/x-empty', 0)).toBe('media-type-not-supported');
});

describe('stricter limits of the provider', () => {
  const meta = {
    name: 'Meta',
    media: {
      image: { maxBytes: 2 * megabyte, mimeTypes: ['image/jpeg', 'image/png'], caption: true },
      video: any,
      audio: { maxBytes: 16 * megabyte, mimeTypes: ['audio/ogg; codecs=opus'], caption: false },
      document: any,
    },
  } as const;

  test.each<[MediaType, string, number, string | null, string, string]>([
    [
      'image',
      'image/webp',
      9,
      null,
      'media-type-not-supported',
      'An image must be JPEG or PNG for Meta; the file is image/webp.',
    ],
    [
      'image',
      'image/gif',
      9,
      null,
      'media-type-not-supported',
      'An image must be JPEG, PNG or WebP for this service; the file is image/gif.',
    ],
    [
      'image',
      'image/png',
      3 * megabyte,
      null,
      'media-too-large',
      'An image may have at most 2 MB for Meta; the file has 3145728 bytes.',
    ],
    [
      'image',
      'image/png',
      6 * megabyte,
      null,
      'media-too-large',
      'An image may have at most 5 MB for this service; the file has 6291456 bytes.',
    ],
    [
      'audio',
      'audio/ogg',
      9,
      null,
      'media-type-not-supported',
      'An audio file must be OGG with Opus for Meta; the file is audio/ogg.',
    ],
    [
      'audio',
      'audio/ogg; codecs=opus',
      9,
      'listen',
      'media-caption-not-supported',
      'An audio file has no caption on Meta.',
    ],
  ])('%s %s of %i bytes, caption %s: %s', (...[type, mimeType, bytes, caption, errorCode, text]) => {
    expect(judgeMedia(type, { mimeType, bytes }, caption, meta)).toEqual({
      kind: 'rejected',
      errorCode,
      text,
    });
  });

  test('an empty caption counts as no caption', () => {
    expect(judgeMedia('audio', { mimeType: 'audio/ogg; codecs=opus', bytes: 9 }, '', meta)).toBeNull();
  });
});

describe('a file that could not be fetched', () => {
  const failure = (error: MediaFailure['error'], status: number | null = null): MediaFailure => ({
    ok: false,
    error,
    status,
    text: 'as it says',
  });

  test.each(['dns', 'refused', 'tls', 'timeout', 'reset', 'protocol', 'aborted', 'spool'] as const)(
    'is worth another try after %s',
    (error) => {
      expect(outcomeOfMediaFailure(failure(error))).toEqual({
        kind: 'retry',
        errorCode: 'media-unavailable',
        text: `The file could not be fetched (${error}): as it says`,
      });
    },
  );

  test.each(['blocked', 'redirects', 'coding'] as const)('is refused after %s', (error) => {
    expect(outcomeOfMediaFailure(failure(error))).toMatchObject({
      kind: 'rejected',
      errorCode: 'media-unavailable',
    });
  });

  test.each([
    [404, 'rejected'],
    [410, 'rejected'],
    [403, 'rejected'],
    [401, 'rejected'],
    [304, 'rejected'],
    [408, 'retry'],
    [425, 'retry'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
  ])('HTTP %i: %s', (status, kind) => {
    expect(outcomeOfMediaFailure(failure('http-status', status))).toMatchObject({ kind });
  });

  test('that grew too large is refused as such', () => {
    expect(outcomeOfMediaFailure(failure('too-large'))).toMatchObject({
      kind: 'rejected',
      errorCode: 'media-too-large',
    });
  });
});
