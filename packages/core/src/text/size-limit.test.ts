import { sizeLimitText } from './size-limit.ts';

test.each([
  [1, '1 byte'],
  [1_023, '1023 bytes'],
  [600_000, '585 KB'],
  [1_048_575, '1023 KB'],
  [1_048_576, '1 MB'],
  [16_777_216, '16 MB'],
  [16_777_215, '15.9 MB'],
  [104_857_600, '100 MB'],
  [1_073_741_824, '1,024 MB'],
])('%d bytes are %s', (bytes, text) => {
  expect(sizeLimitText(bytes)).toBe(text);
});
