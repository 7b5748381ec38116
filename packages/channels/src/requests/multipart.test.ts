import { type FilePart, multipart } from './multipart.ts';

const pixels = Buffer.from([0, 13, 10, 45, 45, 255, 34]);

function fileOf(chunks: readonly Uint8Array[], changes: Partial<FilePart> = {}): FilePart {
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  return {
    name: 'photo',
    filename: 'a.png',
    mimeType: 'image/png',
    bytes,
    async *open() {
      yield* chunks;
    },
    ...changes,
  };
}

async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(body));
}

/** Parses the form with an independent implementation. */
async function readBack({ contentType, body }: ReturnType<typeof multipart>): Promise<FormData> {
  const whole = await bytesOf(body.open());
  // oxlint-disable-next-line no-deprecated -- deprecated for servers, but here it is an independent reader of a small form
  return new Response(new Uint8Array(whole), { headers: { 'content-type': contentType } }).formData();
}

test('writes each part after the boundary, with the exact length', async () => {
  const form = multipart({ chat_id: '7' }, fileOf([Buffer.from('xyz')]), 'edge');
  const wire = [
    '--edge',
    'Content-Disposition: form-data; name="chat_id"',
    '',
    '7',
    '--edge',
    'Content-Disposition: form-data; name="photo"; filename="a.png"',
    'Content-Type: image/png',
    '',
    'xyz',
    '--edge--',
    '',
  ].join('\r\n');
  expect(form.contentType).toBe('multipart/form-data; boundary=edge');
  expect((await bytesOf(form.body.open())).toString()).toBe(wire);
  expect(form.body.length).toBe(wire.length);
});

test.each([
  ['Ünïcode 😀.png', 'größe\r\n--edge\r\n"quoted" 😀'],
  ['a b;c\\d.png', ''],
])('another parser reads back %j, its caption and its bytes', async (filename, caption) => {
  const form = multipart({ caption, chat_id: '@here' }, fileOf([pixels, pixels], { filename }));
  const read = await readBack(form);
  const file = read.get('photo') as File;
  expect([...read.keys()]).toEqual(['caption', 'chat_id', 'photo']);
  expect([read.get('caption'), read.get('chat_id')]).toEqual([caption, '@here']);
  expect([file.name, file.type]).toEqual([filename, 'image/png']);
  expect(Buffer.from(await file.arrayBuffer())).toEqual(Buffer.concat([pixels, pixels]));
});

test('a name cannot break out of its header', async () => {
  const form = multipart({}, fileOf([pixels], { filename: 'a"\r\nX-Evil: 1' }), 'edge');
  const wire = (await bytesOf(form.body.open())).toString('latin1');
  expect(wire).toContain('filename="a%22%0D%0AX-Evil: 1"\r\n');
});

test.each([
  ['a\u0000b\u0001c\tbell\u0007\u007f\u0085.png', 'a_b_c_bell___.png'],
  ['C:\\files\\', 'C:\\files_'],
  ['', 'file'],
])('the name %j is %j in its header, which no parser refuses', async (filename, shown) => {
  const form = multipart({ caption: 'a\u0001\r\nb' }, fileOf([pixels], { filename }), 'edge');
  const wire = (await bytesOf(form.body.open())).toString('latin1');
  expect(wire).toContain(`; filename="${shown}"\r\n`);
  expect(wire).toContain('\r\n\r\na\u0001\r\nb\r\n--edge\r\n');
});

test('each form has its own boundary', () => {
  const file = fileOf([pixels]);
  expect(multipart({}, file).contentType).not.toBe(multipart({}, file).contentType);
});

test('reads the file only while the form is read', async () => {
  let read = 0;
  const file = fileOf([], {
    bytes: 3,
    async *open() {
      for (; read < 3; read += 1) yield Buffer.from('x');
    },
  });
  const parts = multipart({}, file).body.open()[Symbol.asyncIterator]();
  await parts.next();
  expect(read).toBe(0);
  await parts.next();
  await parts.next();
  expect(read).toBe(1);
});
