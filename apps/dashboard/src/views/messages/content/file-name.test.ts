import { downloadName, isPicture } from './file-name.ts';

const id = 'msg_01912d68-783e-7a52-9d3a-6c4f2b1e8a90';

test('a file keeps its name, and gets one of its kind and type if it has none', () => {
  const file = { type: 'audio', filename: null, mimeType: 'audio/ogg; codecs=opus' } as const;
  expect(downloadName({ ...file, filename: 'note.ogg' }, id, '')).toBe('note.ogg');
  expect(downloadName(file, id, '')).toBe('audio-6c4f2b1e8a90.ogg');
  expect(downloadName({ ...file, mimeType: null }, id, 'image/png')).toBe('audio-6c4f2b1e8a90.png');
  expect(downloadName({ ...file, mimeType: 'x/y' }, id, '')).toBe('audio-6c4f2b1e8a90');
});

test('only plain pictures are drawn', () => {
  expect(isPicture('image/JPEG; q=1')).toBe(true);
  expect(isPicture('image/svg+xml')).toBe(false);
  expect(isPicture('text/html')).toBe(false);
});
