import { expect, it } from '@jest/globals';
import { contentOf, type ContentOptions } from './content.ts';

const nothing: ContentOptions = {
  text: undefined,
  fileUrl: undefined,
  file: undefined,
  fileId: undefined,
  fileType: undefined,
  caption: undefined,
  filename: undefined,
  template: undefined,
  language: undefined,
  param: undefined,
  parameters: undefined,
  button: undefined,
  header: undefined,
  footer: undefined,
  numbered: undefined,
  interactive: undefined,
  telegramFormat: undefined,
  telegramThread: undefined,
  telegramSilent: undefined,
  telegramNoPreview: undefined,
};

it('fills the variables of a template in order or by name', () => {
  const template = { ...nothing, template: 'order', language: 'en' };
  const parametersOf = (param: string[]) => contentOf({ ...template, param }).template;
  expect(parametersOf(['Ada', 'a, b'])).toEqual({
    name: 'order',
    language: 'en',
    parameters: { body: ['Ada', 'a, b'] },
  });
  expect(parametersOf(['name=Ada', 'sum=a=b'])).toMatchObject({
    parameters: { body: { name: 'Ada', sum: 'a=b' } },
  });
  expect(() => parametersOf(['name=Ada', 'A-7'])).toThrow('all name=value, or all values');
  expect(contentOf(template).template).toEqual({ name: 'order', language: 'en', parameters: undefined });
});

it.each([
  ['https://example.com/a.jpeg', 'image'],
  ['https://example.com/a.MP4?b=c.png', 'video'],
  ['https://example.com/a.ogg', 'audio'],
  ['https://example.com/a.pdf', 'document'],
  ['https://example.com/', 'document'],
])('takes %s for a file of the type %s', (fileUrl, type) => {
  expect(contentOf({ ...nothing, fileUrl }).type).toBe(type);
  expect(contentOf({ ...nothing, fileUrl, fileType: 'document' }).type).toBe('document');
});

it('takes exactly one content, and options with their owner only', () => {
  expect(() => contentOf({ ...nothing, text: 'a', template: 'b' })).toThrow('one of --text, --file,');
  expect(() => contentOf({ ...nothing, text: 'a', language: 'en' })).toThrow(
    '--language goes with --template only',
  );
  expect(() => contentOf({ ...nothing, text: 'a', fileType: 'image' })).toThrow(
    '--file-type goes with --file, --file-id or --file-url only',
  );
});

it('makes buttons of titles with an ID or an address', () => {
  const text = { ...nothing, text: 'Shall we come?' };
  expect(contentOf({ ...text, button: ['Yes=a=b', 'No=no'], header: 'Delivery', numbered: true })).toEqual({
    interactive: {
      text: 'Shall we come?',
      header: 'Delivery',
      buttons: [
        { id: 'a=b', title: 'Yes' },
        { id: 'no', title: 'No' },
      ],
      fallback: 'numbered',
    },
  });
  expect(contentOf({ ...text, button: ['Open=https://example.com/?a=b'] })).toEqual({
    interactive: {
      text: 'Shall we come?',
      buttons: [{ url: 'https://example.com/?a=b', title: 'Open' }],
    },
  });
  expect(() => contentOf({ ...text, button: ['Yes'] })).toThrow('--button must be title=id');
  expect(() => contentOf({ ...text, header: 'Delivery' })).toThrow('--header goes with --button only');
  expect(() => contentOf({ ...text, numbered: true })).toThrow('--numbered goes with --button only');
  expect(() => contentOf({ ...nothing, interactive: {}, button: ['a=b'] })).toThrow(
    '--button goes with --text only',
  );
});

it('names an uploaded file by its ID, or a path that is still to be uploaded', () => {
  expect(contentOf({ ...nothing, file: './a.JPG', caption: 'A' })).toEqual({
    type: 'image',
    file: './a.JPG',
    caption: 'A',
  });
  expect(contentOf({ ...nothing, fileId: 'file_1', fileType: 'video' })).toEqual({
    type: 'video',
    fileId: 'file_1',
  });
  expect(() => contentOf({ ...nothing, file: 'a', fileUrl: 'b' })).toThrow('one of --text, --file,');
});

it('says only what was given of the options of Telegram, and not with a template', () => {
  const text = { ...nothing, text: 'Hi' };
  expect(contentOf(text).telegram).toBeUndefined();
  const options = {
    telegramFormat: 'html',
    telegramThread: 4,
    telegramSilent: true,
    telegramNoPreview: true,
  } as const;
  expect(contentOf({ ...text, ...options }).telegram).toEqual({
    format: 'html',
    threadId: 4,
    silent: true,
    preview: false,
  });
  const template = { ...nothing, template: 'order', language: 'en', telegramSilent: true };
  expect(() => contentOf(template)).toThrow('a text or a file only');
});
