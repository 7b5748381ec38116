import { checkTemplate, exampleParameters, renderTemplate, wantedParameters } from '../index.ts';
import type { Template, TemplateButton, TemplateHeader, TemplateParameters } from './template.ts';

const plain: Template = {
  name: 'order_shipped',
  language: 'en',
  label: null,
  category: 'utility',
  status: 'approved',
  reason: null,
  named: false,
  header: null,
  body: { text: 'Hello', variables: [] },
  footer: null,
  buttons: [],
};

const variable = (name: string) => ({ name, example: `sample ${name}` });
const positional: Partial<Template> = {
  body: { text: 'Hi {{1}}, order {{2}} left.', variables: [variable('1'), variable('2')] },
};
const named: Partial<Template> = {
  named: true,
  body: {
    text: 'Hi {{ first_name }}, {{order}} left.',
    variables: [variable('first_name'), variable('order')],
  },
};

const headers: Record<string, TemplateHeader> = {
  'a fixed text': { kind: 'text', text: 'Your order', variables: [] },
  'a text': { kind: 'text', text: 'Order {{1}}', variables: [variable('1')] },
  'an image': { kind: 'image', example: null },
  'a video': { kind: 'video', example: 'https://example.com/sample.mp4' },
  'a document': { kind: 'document', example: 'upload:4::aW' },
  'a location': { kind: 'location' },
};
const buttons: Record<string, TemplateButton> = {
  'a quick reply': { kind: 'quick-reply', text: 'Stop' },
  'a fixed address': { kind: 'url', text: 'Shop', url: 'https://example.com/', variable: null },
  'an address': { kind: 'url', text: 'Track', url: 'https://example.com/{{1}}', variable: variable('1') },
  'a coupon': { kind: 'copy-code', text: 'Copy offer code', example: '25OFF' },
  'a one-time code': { kind: 'one-time-code', text: 'Copy code' },
  'a call': { kind: 'other', text: 'Call us' },
};
const url = 'https://example.com/file';
const givenHeaders: Record<string, NonNullable<TemplateParameters['header']>> = {
  'a text': { text: 'A-7' },
  'an image': { image: { url } },
  'a video': { video: { url } },
  'a document': { document: { url, filename: 'a.pdf' } },
  'a location': { location: { latitude: 1, longitude: 2 } },
};
const givenButtons = {
  'a payload': { index: 0, payload: 'stop' },
  'a text': { index: 0, text: 'A-7' },
  'a code': { index: 0, code: '123456' },
} as const;

function faultsOf(changes: Partial<Template>, parameters: TemplateParameters): string[] {
  return checkTemplate({ ...plain, ...changes }, parameters).map(({ at }) => at);
}

const bodies = { none: {}, positional, named } as const;
const everything = Object.entries(headers).flatMap(([header, one]) =>
  Object.entries(buttons).flatMap(([button, other]) =>
    Object.entries(bodies).map(
      ([body, texts]) =>
        [header, button, body, { ...plain, ...texts, header: one, buttons: [other] }] as const,
    ),
  ),
);

test.each(everything)(
  '%s, %s, variables: %s: the example fits, and leaves nothing open',
  (_h, _b, _v, template) => {
    const example = exampleParameters(template);
    expect(checkTemplate(template, example)).toEqual([]);
    expect(renderTemplate(template, example)).not.toContain('{{');
  },
);

test.each(everything)(
  '%s, %s, variables: %s: without parameters each required one is named',
  (_h, _b, _v, template) => {
    const wanted = wantedParameters(template).filter(({ required }) => required);
    const at = wanted.map((one) => (one.at.startsWith('/buttons') ? '/buttons' : one.at));
    expect(checkTemplate(template, {}).map((fault) => fault.at)).toEqual(at);
  },
);

const headerPairs = Object.entries(headers).flatMap(([has, header]) =>
  Object.entries(givenHeaders).map(([given, parameter]) => [has, given, header, parameter] as const),
);

test.each(headerPairs)('a header of %s, given %s', (has, given, header, parameter) => {
  const [kind] = Object.keys(parameter);
  const surplus = has === 'a fixed text' ? ['/header'] : [`/header/${kind}`];
  expect(faultsOf({ header }, { header: parameter })).toEqual(has === given ? [] : surplus);
});

test.each(Object.entries(givenHeaders))('no header, given %s', (_name, header) => {
  expect(faultsOf({}, { header })).toEqual(['/header']);
});

const takes: Record<string, string | null> = {
  'a quick reply': 'a payload',
  'a fixed address': null,
  'an address': 'a text',
  'a coupon': 'a code',
  'a one-time code': 'a code',
  'a call': null,
};
const buttonPairs = Object.entries(buttons).flatMap(([has, button]) =>
  Object.entries(givenButtons).map(([given, parameter]) => [has, given, button, parameter] as const),
);

test.each(buttonPairs)('a button of %s, given %s', (has, given, button, parameter) => {
  const field = Object.keys(parameter).find((name) => name !== 'index');
  const fault = takes[has] === null ? '/buttons/0' : `/buttons/0/${field}`;
  expect(faultsOf({ buttons: [button] }, { buttons: [parameter] })).toEqual(
    takes[has] === given ? [] : [fault],
  );
});

test.each([
  ['a button that is not there', { index: 2, payload: 'x' }, ['/buttons/0/index']],
  ['an empty payload', { index: 0, payload: '' }, ['/buttons/0/payload']],
  ['an empty text', { index: 1, text: ' ' }, ['/buttons/0/text']],
  ['a line break in an address', { index: 1, text: 'a\nb' }, ['/buttons/0/text']],
  ['an address that gets too long', { index: 1, text: 'x'.repeat(1981) }, ['/buttons/0/text']],
  ['the longest address', { index: 1, text: 'x'.repeat(1980) }, []],
])('%s', (_what, parameter, expected) => {
  const two = [buttons['a quick reply']!, buttons['an address']!];
  const needed = parameter.index === 1 ? [] : [{ index: 1, text: 'x' }];
  expect(faultsOf({ buttons: two }, { buttons: [parameter, ...needed] })).toEqual(expected);
});

test('a second parameter for a button is surplus', () => {
  const given = [givenButtons['a code'], { index: 0, code: '7' }];
  expect(faultsOf({ buttons: [buttons['a coupon']!] }, { buttons: given })).toEqual(['/buttons/1/index']);
});

test.each([
  ['15 characters', '1'.repeat(15), []],
  ['16 characters', '1'.repeat(16), ['/buttons/0/code']],
  ['no characters', '', ['/buttons/0/code']],
])('a code of %s', (_what, code, expected) => {
  for (const kind of ['a coupon', 'a one-time code'])
    expect(faultsOf({ buttons: [buttons[kind]!] }, { buttons: [{ index: 0, code }] })).toEqual(expected);
});

test.each<[string, TemplateParameters['body'], string[]]>([
  ['nothing', undefined, ['/body/0', '/body/1']],
  ['an empty list', [], ['/body/0', '/body/1']],
  ['too few', ['Ada'], ['/body/1']],
  ['as many as wanted', ['Ada', 'A-7'], []],
  ['too many', ['Ada', 'A-7', 'x', 'y'], ['/body/2', '/body/3']],
  ['names', { first_name: 'Ada', order: 'A-7' }, ['/body']],
  ['numbers as names', { 1: 'Ada', 2: 'A-7' }, ['/body']],
  ['an empty value', ['Ada', ''], ['/body/1']],
  ['only spaces', ['Ada', '   '], ['/body/1']],
  ['a line break', ['Ada', 'a\nb'], ['/body/1']],
  ['a carriage return', ['Ada', 'a\rb'], ['/body/1']],
  ['a tab', ['a\tb', 'A-7'], ['/body/0']],
  ['five spaces', ['a     b', 'A-7'], ['/body/0']],
  ['four spaces', ['a    b', 'A-7'], []],
])('positional variables, given %s', (_what, body, expected) => {
  expect(faultsOf(positional, body === undefined ? {} : { body })).toEqual(expected);
});

test.each<[string, TemplateParameters['body'], string[]]>([
  ['nothing', undefined, ['/body/first_name', '/body/order']],
  ['one of two', { order: 'A-7' }, ['/body/first_name']],
  ['both', { first_name: 'Ada', order: 'A-7' }, []],
  ['an unknown name', { first_name: 'Ada', order: 'A-7', 'a/b~c': 'x' }, ['/body/a~1b~0c']],
  ['an inherited name', { first_name: 'Ada', toString: 'x' }, ['/body/toString', '/body/order']],
  ['a list', ['Ada', 'A-7'], ['/body']],
  ['an empty value', { first_name: '', order: 'A-7' }, ['/body/first_name']],
  ['a line break', { first_name: 'A\nda', order: 'A-7' }, ['/body/first_name']],
])('named variables, given %s', (_what, body, expected) => {
  expect(faultsOf(named, body === undefined ? {} : { body })).toEqual(expected);
});

test.each<[string, TemplateParameters['body'], string[]]>([
  ['a list', ['x'], ['/body/0']],
  ['a name', { a: 'x' }, ['/body/a']],
  ['an empty list', [], []],
  ['an empty object', {}, []],
])('no variables, given %s', (_what, body, expected) => {
  expect(faultsOf({}, body === undefined ? {} : { body })).toEqual(expected);
});

test.each<[string, Partial<Template>, TemplateParameters, string[]]>([
  ['a header of 60', { header: headers['a text']! }, { header: { text: 'x'.repeat(54) } }, []],
  ['a header of 61', { header: headers['a text']! }, { header: { text: 'x'.repeat(55) } }, ['/header/text']],
  ['a body of 1024', { ...positional, footer: 'x' }, { body: ['x'.repeat(1006), '1'] }, []],
  ['a body of 1025', { ...positional, footer: 'x' }, { body: ['x'.repeat(1007), '1'] }, ['/body']],
  ['a lone body of 1025', positional, { body: ['x'.repeat(1007), '1'] }, []],
  ['a lone body of 32,769', positional, { body: ['x'.repeat(32_751), '1'] }, ['/body']],
  ['emoji count once', { ...positional, footer: 'x' }, { body: ['😀'.repeat(1006), '1'] }, []],
])('%s characters', (_what, changes, parameters, expected) => {
  expect(faultsOf(changes, parameters)).toEqual(expected);
});

test('line breaks and lengths are WhatsApp’s rules alone', () => {
  const template = { ...plain, ...positional, footer: 'x' };
  expect(checkTemplate(template, { body: ['a\nb', 'x'.repeat(2000)] }, 'sms')).toEqual([]);
  expect(checkTemplate(template, { body: ['a\nb', ''] }, 'sms').map(({ at }) => at)).toEqual(['/body/1']);
});

test('a text that gets far too long by a repeated value is refused on every channel', () => {
  const body = { text: '{{1}}'.repeat(300), variables: [{ name: '1', example: null }] };
  const template = { ...plain, body };
  for (const channel of ['sms', 'whatsapp'] as const)
    expect(checkTemplate(template, { body: ['x'.repeat(4_096)] }, channel).map(({ at }) => at)).toEqual([
      '/body',
    ]);
});

test('so is a header', () => {
  const header = {
    kind: 'text',
    text: '{{1}}'.repeat(300),
    variables: [{ name: '1', example: null }],
  } as const;
  for (const channel of ['sms', 'whatsapp'] as const)
    expect(
      checkTemplate({ ...plain, header }, { header: { text: 'x'.repeat(4_096) } }, channel).map(
        ({ at }) => at,
      ),
    ).toEqual(['/header/text']);
});

test('every message says what is wanted', () => {
  const template: Template = {
    ...plain,
    ...positional,
    header: headers['an image']!,
    buttons: [buttons['an address']!],
  };
  expect(checkTemplate(template, { header: { text: 'x' }, body: ['Ada', 'A-7', 'x'] })).toEqual([
    { at: '/header/text', message: 'must be an image, because the header takes one' },
    { at: '/body/2', message: 'is surplus: the body has 2 variables' },
    { at: '/buttons', message: 'must have a text for button 0, “Track”' },
  ]);
});

test('the text as the recipient reads it', () => {
  const template: Template = { ...plain, ...positional, header: headers['a text']!, footer: 'Shop Ltd' };
  const parameters = { header: { text: '$& {{1}}' }, body: ['{{2}}', '$1'] };
  expect(renderTemplate(template, parameters)).toBe('Order $& {{1}}\nHi {{2}}, order $1 left.\nShop Ltd');
  const byName: Template = { ...plain, ...named };
  expect(renderTemplate(byName, { body: { first_name: 'Ada', order: 'A-7' } })).toBe('Hi Ada, A-7 left.');
  expect(renderTemplate({ ...plain, header: headers['an image']! }, { header: { image: { url } } })).toBe(
    'Hello',
  );
});

test('braces that name no variable stay', () => {
  const template: Template = { ...plain, body: { text: '{{1}} {{2}} { {{}} }', variables: [variable('1')] } };
  expect(renderTemplate(template, { body: ['a'] })).toBe('a {{2}} { {{}} }');
});
