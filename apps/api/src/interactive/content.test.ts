import { contentIn, inFixedOrder } from './content.ts';

test('the fields keep their order in JSON, whatever that of the request', () => {
  const buttons = inFixedOrder({
    fallback: 'numbered',
    buttons: [{ title: 'Yes', id: 'yes' }],
    footer: 'Thank you',
    header: 'Delivery',
    text: 'Shall we come?',
  });
  // Requests of earlier versions were compared in this order.
  expect(JSON.stringify(buttons)).toBe(
    '{"text":"Shall we come?","header":"Delivery","footer":"Thank you","buttons":[{"id":"yes","title":"Yes"}],"fallback":"numbered"}',
  );
  const link = inFixedOrder({ buttons: [{ title: 'Order', url: 'https://example.com/' }], text: 'Here.' });
  expect(JSON.stringify(link)).toBe(
    '{"text":"Here.","buttons":[{"url":"https://example.com/","title":"Order"}]}',
  );
  const list = inFixedOrder({
    list: {
      sections: [{ rows: [{ description: '9 to 12', title: 'Monday', id: 'mon' }], title: 'Week' }],
      button: 'Choose',
    },
    text: 'When?',
  });
  expect(JSON.stringify(list)).toBe(
    '{"text":"When?","list":{"button":"Choose","sections":[{"title":"Week","rows":[{"id":"mon","title":"Monday","description":"9 to 12"}]}]}}',
  );
});

test('the content of a send is told from its other fields', () => {
  const buttons = [{ id: 'yes', title: 'Yes' }];
  expect(contentIn({ to: '+15550001000', buttons, text: 'Shall we come?', tags: ['a'] })).toEqual({
    to: '+15550001000',
    tags: ['a'],
    interactive: { text: 'Shall we come?', buttons },
  });
});
