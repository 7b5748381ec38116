import { matching, readFilter, writeFilter } from './filter.ts';

const of = (
  name: string,
  language: string,
  status: 'approved' | 'paused' = 'approved',
  label: string | null = null,
) => ({
  name,
  language,
  status,
  label,
});
const templates = [
  of('order_shipped', 'en_US'),
  of('HX0123', 'en', 'paused', 'Appointment reminder'),
  of('order_shipped', 'de'),
  of('order_late', 'de', 'paused'),
];

function found(search: string, status: 'approved' | 'paused' | null = null): string[] {
  return matching(templates, { search, status }).map(({ name, language }) => `${name} ${language}`);
}

test('all templates come in the order of what they are called, then of their language', () => {
  expect(found('')).toEqual(['HX0123 en', 'order_late de', 'order_shipped de', 'order_shipped en_US']);
});

test('a search finds parts of names, labels and languages, in any case', () => {
  expect(found('SHIPPED  en')).toEqual(['order_shipped en_US']);
  expect(found(' reminder')).toEqual(['HX0123 en']);
  expect(found('hx01')).toEqual(['HX0123 en']);
  expect(found('order', 'paused')).toEqual(['order_late de']);
  expect(found('missing')).toEqual([]);
});

test('a filter survives the address, and unknown words are ignored', () => {
  const filter = { search: 'order de', status: 'paused' } as const;
  expect(readFilter(writeFilter(filter))).toEqual(filter);
  expect(writeFilter({ search: '', status: null }).toString()).toBe('');
  expect(readFilter(new URLSearchParams('status=lost'))).toEqual({ search: '', status: null });
});
