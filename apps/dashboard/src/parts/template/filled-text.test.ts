import { fillText } from './filled-text.ts';

const order = {
  text: 'Hi {{1}}, order {{2}} left. {{3}}',
  variables: [
    { name: '1', example: 'Ada' },
    { name: '2', example: null },
  ],
};

test('a value comes before the sample, and a place with neither stays visible', () => {
  expect(fillText(order, () => undefined)).toEqual([
    { text: 'Hi ', from: 'fixed' },
    { text: 'Ada', from: 'sample' },
    { text: ', order ', from: 'fixed' },
    { text: '{{2}}', from: 'open' },
    { text: ' left. {{3}}', from: 'fixed' },
  ]);
  expect(fillText(order, (name) => ({ 1: 'Grace', 2: 'A-7' })[name])).toEqual([
    { text: 'Hi ', from: 'fixed' },
    { text: 'Grace', from: 'given' },
    { text: ', order ', from: 'fixed' },
    { text: 'A-7', from: 'given' },
    { text: ' left. {{3}}', from: 'fixed' },
  ]);
});

test('an empty value counts as none, and a value is never filled again', () => {
  expect(fillText(order, () => '')[1]).toEqual({ text: 'Ada', from: 'sample' });
  expect(fillText(order, () => '{{2}}')[1]).toEqual({ text: '{{2}}', from: 'given' });
});

test('named variables, and a text without any', () => {
  const named = { text: '{{ first_name }}!', variables: [{ name: 'first_name', example: 'Ada' }] };
  expect(fillText(named, () => undefined)).toEqual([
    { text: 'Ada', from: 'sample' },
    { text: '!', from: 'fixed' },
  ]);
  expect(fillText({ text: 'Hello', variables: [] }, () => 'x')).toEqual([{ text: 'Hello', from: 'fixed' }]);
  expect(fillText({ text: '', variables: [] }, () => 'x')).toEqual([]);
});
