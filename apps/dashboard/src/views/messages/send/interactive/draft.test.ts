import { numberedText } from '@notify/core';
import { contentOf, type Draft, emptyDraft, emptyRow, takesRow, withWords } from './draft.ts';
import { draftFaults, draftFields, draftPlace } from './draft-faults.ts';

const asked: Draft = {
  ...emptyDraft,
  text: 'Shall we come?',
  buttons: [
    { title: 'Yes', id: '' },
    { title: 'No', id: 'never' },
  ],
  link: { title: 'Track', url: ' https://a.example/1 ' },
  list: {
    button: 'Choose a day',
    sections: [
      { title: 'This week', rows: [{ title: 'Monday', id: '', description: '9 to 12' }] },
      { title: 'Next week', rows: [{ title: 'Monday', id: '', description: '' }] },
    ],
  },
};

test('each shape sends its own fields only', () => {
  expect(contentOf(asked)).toEqual({
    text: 'Shall we come?',
    buttons: [
      { id: 'yes', title: 'Yes' },
      { id: 'never', title: 'No' },
    ],
  });
  expect(contentOf({ ...asked, shape: 'link', header: 'Order 7', footer: 'Mia' })).toEqual({
    text: 'Shall we come?',
    header: 'Order 7',
    footer: 'Mia',
    buttons: [{ url: 'https://a.example/1', title: 'Track' }],
  });
  expect(contentOf({ ...asked, shape: 'list', numbered: true })).toEqual({
    text: 'Shall we come?',
    list: {
      button: 'Choose a day',
      sections: [
        { title: 'This week', rows: [{ id: 'monday', title: 'Monday', description: '9 to 12' }] },
        { title: 'Next week', rows: [{ id: 'monday-2', title: 'Monday' }] },
      ],
    },
    fallback: 'numbered',
  });
});

test.each(['buttons', 'link', 'list'] as const)('a whole draft with %s has no faults', (shape) => {
  expect(draftFaults({ ...asked, shape }, true)).toEqual({});
});

test('what is missing or too long is told at its field', () => {
  expect(draftFaults(emptyDraft, true)).toEqual({
    'interactive.text': 'Enter a text.',
    'interactive.buttons.0.title': 'Enter a title.',
  });
  expect(draftFaults({ ...emptyDraft, text: 'Hi', shape: 'link' }, true)).toEqual({
    'interactive.link.title': 'Enter a title.',
    'interactive.link.url': 'Enter an http or https URL.',
  });
  const long: Draft = {
    ...asked,
    text: '👍'.repeat(1_025),
    header: 'x'.repeat(61),
    footer: '👍'.repeat(60),
    buttons: [
      { title: 'x'.repeat(21), id: 'ж'.repeat(33) },
      { title: 'Yes', id: 'a' },
      { title: 'Yes', id: 'a' },
    ],
  };
  expect(draftFaults(long, true)).toEqual({
    'interactive.text': 'At most 1,024 characters.',
    'interactive.header': 'At most 60 characters.',
    'interactive.buttons.0.title': 'At most 20 characters.',
    'interactive.buttons.0.id': 'At most 64 bytes. This has 66.',
    'interactive.buttons.2.title': 'Another button has this title.',
    'interactive.buttons.2.id': 'Another one has this ID.',
  });
});

test('a list names the section and the row of a fault', () => {
  const [first] = asked.list.sections;
  const list = {
    button: '',
    sections: [first!, { title: '', rows: [{ title: '', id: 'monday', description: 'x'.repeat(73) }] }],
  };
  expect(draftFaults({ ...asked, shape: 'list', list }, true)).toEqual({
    'interactive.list.button': 'Enter a title.',
    'interactive.list.sections.1.title': 'Enter a title. Only a single section needs none.',
    'interactive.list.sections.1.rows.0.title': 'Enter a title.',
    'interactive.list.sections.1.rows.0.description': 'At most 72 characters.',
  });
  const alone = { ...list, button: 'Choose', sections: [{ ...first!, title: '' }] };
  expect(draftFaults({ ...asked, shape: 'list', list: alone }, true)).toEqual({});
});

test('an account without buttons takes a draft only as a numbered text', () => {
  expect(draftFaults(asked, false)).toEqual({
    'interactive.numbered': 'This account has no buttons. Choose this, or another account.',
  });
  expect(draftFaults({ ...asked, numbered: true }, false)).toEqual({});
});

test('a list takes ten rows in all', () => {
  const withRows = (...counts: readonly number[]) => ({
    list: {
      button: '',
      sections: counts.map((count) => ({ title: '', rows: Array.from({ length: count }, () => emptyRow) })),
    },
  });
  expect(takesRow(withRows(4, 5))).toBe(true);
  expect(takesRow(withRows(4, 6))).toBe(false);
});

test('the preview of an empty draft has words in every place', () => {
  expect(numberedText(contentOf(withWords(emptyDraft)))).toBe('Your text\n\nReply 1 for Button 1');
  const list = { ...emptyDraft, shape: 'list' as const };
  expect(contentOf(withWords(list)).list).toMatchObject({
    button: 'Choose',
    sections: [{ rows: [{ title: 'Row 1' }] }],
  });
});

test('errors of the api have a place in the form', () => {
  expect(draftPlace('body/interactive', asked)).toBe('body/interactive/numbered');
  const title = 'body/interactive/buttons/0/title';
  expect(draftPlace(title, asked)).toBe(title);
  expect(draftPlace(title, { ...asked, shape: 'link' })).toBe('body/interactive/link/title');
  expect(draftFields({ ...asked, shape: 'list' })).toContain(
    'interactive.list.sections.1.rows.0.description',
  );
  expect(draftFields(asked)).toEqual([
    'interactive.text',
    'interactive.header',
    'interactive.footer',
    'interactive.buttons.0.title',
    'interactive.buttons.0.id',
    'interactive.buttons.1.title',
    'interactive.buttons.1.id',
    'interactive.numbered',
  ]);
});
