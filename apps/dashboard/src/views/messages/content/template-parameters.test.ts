import { parameterLines } from './template-parameters.ts';

const parameters = {
  header: { document: { url: 'https://a.example/bill.pdf', filename: 'May.pdf' } },
  body: ['Ada', 'A-7'],
  buttons: [
    { index: 0, payload: 'thanks' },
    { index: 2, text: 'a-7' },
  ],
};

test('beside a text stands only what it does not show', () => {
  expect(parameterLines(parameters, true)).toEqual([
    ['Document', 'May.pdf · https://a.example/bill.pdf'],
    ['Button 1', 'thanks'],
    ['Button 3', 'a-7'],
  ]);
});

test('without a text every parameter is shown, positional or named', () => {
  expect(parameterLines({ header: { text: 'A-7' }, body: ['Ada'] }, false)).toEqual([
    ['Header', 'A-7'],
    ['Variable 1', 'Ada'],
  ]);
  expect(parameterLines({ body: { first_name: 'Ada' } }, false)).toEqual([['first_name', 'Ada']]);
  expect(parameterLines({}, false)).toEqual([]);
});

test('a place is shown with what is known of it', () => {
  const location = { latitude: 52.5, longitude: 13.4, name: 'Shop' };
  expect(parameterLines({ header: { location } }, true)).toEqual([['Location', 'Shop · 52.5, 13.4']]);
});
