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
  expect(fileFault({ type: mimeType, size }, type, 100 * mebibyte)).toBe(fault);
});

test('an upload has the limit of the installation, if that is lower', () => {
  const file = { type: 'application/pdf', size: 16 * mebibyte + 1 };
  const fault = 'A document may have at most 16 MB. This file has 16.1 MB.';
  expect(fileFault(file, 'document', 16 * mebibyte)).toBe(fault);
  expect(fileFault({ ...file, size: 16 * mebibyte }, 'document', 16 * mebibyte)).toBeNull();
  expect(limitOf('document', 16 * mebibyte)).toBe('PDF, DOCX, XLSX and others, at most 16 MB.');
  expect(limitOf('document')).toBe('PDF, DOCX, XLSX and others, at most 100 MB.');
  expect(limitOf('image', 16 * mebibyte)).toBe('JPEG, PNG or WebP, at most 5 MB.');
});

test('limits and sizes are told in the same unit', () => {
  expect(limitOf('image')).toBe('JPEG, PNG or WebP, at most 5 MB.');
  expect([inMegabytes(1), inMegabytes(mebibyte), inMegabytes(1.21 * mebibyte)]).toEqual([
    '0.1 MB',
    '1.0 MB',
    '1.3 MB',
  ]);
});
