import { fileFault, inMegabytes, limitOf } from './file-choice.ts';

const mebibyte = 1_048_576;

test.each([
  ['image', 'image/png', 5 * mebibyte, null],
  ['image', 'image/png', 5 * mebibyte + 1, 'An image may have at most 5 MB. This file has 5.1 MB.'],
  ['image', 'image/gif', 10, 'An image must be JPEG, PNG or WebP. This file is image/gif.'],
  ['video', 'video/mp4', 16 * mebibyte, null],
  ['audio', '', 10, null],
  ['document', 'application/x-own', 10, null],
  ['document', 'text/plain', 101 * mebibyte, 'A document may have at most 100 MB. This file has 101.0 MB.'],
  ['document', 'text/plain', 0, 'This file is empty.'],
] as const)('as %s, %s of %d bytes: %s', (type, mimeType, size, fault) => {
  expect(fileFault({ type: mimeType, size }, type)).toBe(fault);
});

test('limits and sizes are told in the same unit', () => {
  expect(limitOf('image')).toBe('JPEG, PNG or WebP, at most 5 MB.');
  expect([inMegabytes(1), inMegabytes(mebibyte), inMegabytes(1.21 * mebibyte)]).toEqual([
    '0.1 MB',
    '1.0 MB',
    '1.3 MB',
  ]);
});
