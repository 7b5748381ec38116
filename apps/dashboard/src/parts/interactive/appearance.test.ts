import { appearanceOf, numberedAppearance } from './appearance.ts';

const list = {
  text: 'When shall we come?',
  header: 'Your order',
  footer: 'Bakery Mia',
  list: {
    button: 'Choose a day',
    sections: [
      { title: 'This week', rows: [{ id: 'mon', title: 'Monday', description: '9 to 12' }] },
      { title: 'Next week', rows: [{ id: 'tue', title: 'Tuesday' }] },
    ],
  },
};

test('WhatsApp has a place for each part', () => {
  expect(appearanceOf(list, 'whatsapp')).toEqual({
    header: 'Your order',
    text: 'When shall we come?',
    footer: 'Bakery Mia',
    buttons: [],
    list: list.list,
  });
});

test('on Telegram the text says what the buttons cannot, and rows are buttons', () => {
  expect(appearanceOf(list, 'telegram')).toEqual({
    header: null,
    text: [
      'Your order',
      'When shall we come?',
      'This week:\n• Monday: 9 to 12',
      'Next week:\n• Tuesday',
      'Bakery Mia',
    ].join('\n\n'),
    footer: null,
    buttons: [
      { title: 'Monday', url: null },
      { title: 'Tuesday', url: null },
    ],
    list: null,
  });
});

test('a link is told apart from a press', () => {
  const content = { text: 'Hello', buttons: [{ title: 'Track', url: 'https://a.example/1' }] };
  expect(appearanceOf(content, 'whatsapp').buttons).toEqual([{ title: 'Track', url: 'https://a.example/1' }]);
  expect(numberedAppearance(content)).toMatchObject({
    text: 'Hello\n\nTrack: https://a.example/1',
    buttons: [],
  });
});
