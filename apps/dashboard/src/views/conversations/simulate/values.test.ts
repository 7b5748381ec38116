import { simulatedAt, simulatedBody, simulatedFaults } from './values.ts';

const values = simulatedAt({ id: 'a', channel: 'sms' });

test('a text is sent as it is, and a file with the text as its caption', () => {
  expect(simulatedBody({ ...values, from: '+1 (555) 000-1000', text: 'Hi' })).toEqual({
    from: '+15550001000',
    text: 'Hi',
  });
  expect(simulatedBody({ ...values, kind: 'image', text: 'Cake' })).toEqual({
    from: '+15550001000',
    media: { type: 'image', caption: 'Cake' },
  });
  expect(simulatedBody({ ...values, kind: 'audio', text: 'Cake' })).toMatchObject({
    media: { type: 'audio' },
  });
  expect(simulatedBody({ ...values, kind: 'document', text: ' ' })).toMatchObject({
    media: { type: 'document' },
  });
});

test('needs an address, and a text unless a file is sent', () => {
  expect(simulatedFaults(values)).toEqual({});
  expect(simulatedFaults({ ...values, from: ' ', text: '' })).toEqual({
    from: 'Enter an address.',
    text: 'Enter a text.',
  });
  expect(simulatedFaults({ ...values, kind: 'image', text: '' })).toEqual({});
});
