import type { MediaType } from '@notify/core';
import type { OpenedFile } from '../adapter/inbound.ts';
import { textAt } from '../reading/pointer.ts';

/** The sandbox's file of each kind: a red pixel, a silent tenth of a second, a film without frames, and a page of text. */
const files: Readonly<Record<MediaType, { readonly mimeType: string; readonly content: Buffer }>> = {
  image: {
    mimeType: 'image/png',
    content: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
      'base64',
    ),
  },
  audio: { mimeType: 'audio/wav', content: silence(800) },
  video: {
    mimeType: 'video/mp4',
    content: Buffer.concat([box('ftyp', 'isom\0\0\0\0isommp42'), box('mdat', '')]),
  },
  document: { mimeType: 'text/plain', content: Buffer.from('A file from the sandbox.\n') },
};

/** Opens the built-in file of a media type, which `file` names as `type`. Fetches nothing. */
export function openFile(file: unknown): OpenedFile {
  const type = textAt(file, '/type') ?? '';
  if (!Object.hasOwn(files, type)) return { kind: 'expired', detail: 'The sandbox has no such file.' };
  const { mimeType, content } = files[type as MediaType];
  return { kind: 'file', mimeType, bytes: content.length, content: inOnePiece(content) };
}

async function* inOnePiece(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}

/** A box of MP4 (ISO/IEC 14496-12, 4.2): its length, its type, its content. */
function box(type: string, content: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(8 + content.length);
  return Buffer.concat([length, Buffer.from(type + content, 'latin1')]);
}

/** A WAV of 8-bit samples, 8,000 a second, all in the middle. */
function silence(samples: number): Buffer {
  const head = Buffer.from(
    'RIFF\0\0\0\0WAVEfmt \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0data\0\0\0\0',
    'latin1',
  );
  head.writeUInt32LE(36 + samples, 4);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8_000, 24);
  head.writeUInt32LE(8_000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.writeUInt32LE(samples, 40);
  return Buffer.concat([head, Buffer.alloc(samples, 0x80)]);
}
