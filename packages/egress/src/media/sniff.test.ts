import { sniff } from './sniff.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const ftyp = (brand: string) => bytes(`\0\0\0\x18ftyp${brand}\0\0\0\0${brand}mp42`);

test.each<[string, Buffer, string]>([
  ['JPEG', bytes('\xff\xd8\xff\xe0\0\x10JFIF\0'), 'image/jpeg'],
  [
    'PNG',
    bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\0IDAT'),
    'image/png',
  ],
  ['WebP', bytes('RIFF\x1a\0\0\0WEBPVP8L'), 'image/webp'],
  ['GIF', bytes('GIF89a\x01\0\x01\0'), 'image/gif'],
  ['MP4', ftyp('isom'), 'video/mp4'],
  ['M4V, which is MP4', ftyp('M4V '), 'video/mp4'],
  ['3GP', ftyp('3gp5'), 'video/3gpp'],
  ['M4A, which is AAC in MP4', ftyp('M4A '), 'audio/mp4'],
  ['MP3', bytes(`ID3\x03\0\0\0\0\0\0\xff\xfb\x90\x64${'\0'.repeat(2_000)}`), 'audio/mpeg'],
  [
    'OGG with Opus',
    bytes(`OggS\0\x02${'\0'.repeat(20)}\x01\x13OpusHead\x01${'\0'.repeat(30)}`),
    'audio/ogg; codecs=opus',
  ],
  ['AAC', bytes(`\xff\xf1\x50\x80\x02\x1f\xfc${'\0'.repeat(200)}`), 'audio/aac'],
  ['PDF', bytes('%PDF-1.7\n'), 'application/pdf'],
  ['an executable', bytes('MZ\x90\0'), 'application/x-msdownload'],
  ['text', Buffer.from('Grüße 😀,\t1\r\n'), 'text/plain'],
  ['text whose last character is cut off', Buffer.from('Grüße 😀').subarray(0, -1), 'text/plain'],
  ['HTML without a prologue', bytes('<!doctype html><p>hi'), 'text/plain'],
  ['SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'text/plain'],
  ['noise', bytes('\x01\x02\x03\x04\xfe\xff\x00'), 'application/octet-stream'],
  ['a picture cut off after its magic', bytes('\x89PNG\r\n\x1a\n'), 'application/octet-stream'],
  ['nothing', Buffer.alloc(0), 'application/x-empty'],
])('%s', async (_, head, mimeType) => {
  expect(await sniff(head)).toBe(mimeType);
});
