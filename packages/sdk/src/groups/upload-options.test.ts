import { uploadOptions } from './upload-options.ts';

test('an upload has ten minutes, unless its caller says otherwise', () => {
  expect(uploadOptions({})).toMatchObject({ timeoutMs: 600_000, repeatable: true });
  expect(uploadOptions({ timeoutMs: 5_000 })).toMatchObject({ timeoutMs: 5_000 });
  expect(uploadOptions({ timeoutMs: undefined, filename: 'a b.pdf' })).toMatchObject({
    timeoutMs: 600_000,
    headers: { 'content-disposition': `attachment; filename*=UTF-8''a%20b.pdf` },
  });
});
