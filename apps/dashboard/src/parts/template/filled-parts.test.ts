import type { TemplateButton } from '@notify/core';
import { bodyValues, codeOf, fillAddress, fillHeader } from './filled-parts.ts';

test('the first item of an array fills the variable 1, an object fills by name', () => {
  expect(['1', '2', '3'].map(bodyValues({ body: ['a', 'b'] }))).toEqual(['a', 'b', undefined]);
  expect(['first_name', 'last_name'].map(bodyValues({ body: { first_name: 'Ada' } }))).toEqual([
    'Ada',
    undefined,
  ]);
  expect(bodyValues({})('2')).toBeUndefined();
});

test('a file header shows the name of the file, or the end of its address', () => {
  const header = { kind: 'document', example: null } as const;
  const url = 'https://files.example/2026/bill.pdf?key=1';
  expect(fillHeader(header, { header: { document: { url } } })).toEqual({
    kind: 'document',
    name: 'bill.pdf',
  });
  expect(fillHeader(header, { header: { document: { url, filename: 'May.pdf' } } })).toMatchObject({
    name: 'May.pdf',
  });
  expect(fillHeader(header, { header: { document: { url: '' } } })).toMatchObject({ name: null });
  expect(fillHeader(header, { header: { image: { url } } })).toMatchObject({ name: null });
});

test('a location header shows its name and address as far as they are given', () => {
  const location = { latitude: 52.5, longitude: 13.4, name: 'Shop', address: '' };
  expect(fillHeader({ kind: 'location' }, { header: { location } })).toEqual({
    kind: 'location',
    name: 'Shop',
    address: null,
  });
});

test('the end of an address is filled', () => {
  const button: Extract<TemplateButton, { kind: 'url' }> = {
    kind: 'url',
    text: 'Track',
    url: 'https://a.example/{{1}}',
    variable: { name: '1', example: 'A-7' },
  };
  const body = { text: '', variables: [{ name: '2', example: 'Ada' }] };
  const parameters = { body: ['x', 'Grace'], buttons: [{ index: 1, text: 'B-9' }] };
  const words = (one: typeof button, index: number): string =>
    fillAddress(one, index, { body }, parameters)
      .map(({ text, from }) => `${text}[${from}]`)
      .join('');
  expect(words(button, 1)).toBe('https://a.example/[fixed]B-9[given]');
  expect(words(button, 0)).toBe('https://a.example/[fixed]A-7[sample]');
  const byBody = { ...button, url: 'https://a.example/{{2}}', variable: null };
  expect(words(byBody, 1)).toBe('https://a.example/[fixed]Grace[given]');
  expect(words({ ...button, variable: null }, 1)).toBe('https://a.example/{{1}}[fixed]');
});

test('a code is the given one, else the sample', () => {
  expect(codeOf('SAVE10', 0, { buttons: [{ index: 0, code: 'SAVE20' }] })).toBe('SAVE20');
  expect(codeOf('SAVE10', 0, { buttons: [{ index: 0, code: '' }] })).toBe('SAVE10');
  expect(codeOf(null, 0, {})).toBeNull();
});
