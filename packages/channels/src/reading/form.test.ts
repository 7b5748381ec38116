import fc from 'fast-check';
import { maxValueBytes, openForm } from './form.ts';

/** ASCII only: Node's `URLSearchParams` misreads escapes beside other characters (`😀%4%e2%82%ac`). */
const parts = ['a', 'b=', '=', '&', '+', '%', '%4', '%41', '%e2%82%ac', '%zz', '%a%41'];
const written = fc.array(fc.constantFrom(...parts), { maxLength: 20 }).map((some) => some.join(''));

test('a form has the names and values that the URL standard gives it', () => {
  fc.assert(
    fc.property(written, (encoded) => {
      const form = openForm(Buffer.from(encoded));
      const expected = new URLSearchParams(encoded);
      expect([...form]).toEqual([...expected]);
      // No name that is asked for has bytes that are not UTF-8, which the list of names replaces.
      const names = [...expected.keys()].filter((name) => !name.includes('\ufffd'));
      expect(names.map((name) => form.get(name))).toEqual(names.map((name) => expected.get(name)));
      expect(form.get('absent')).toBeNull();
    }),
  );
});

test('the bytes of a value are those that were sent, whatever their charset', () => {
  const form = openForm(Buffer.from('a=%FF%FE&%74ext=%d8%3d+%2B&b'));
  expect(form.bytes('text')).toEqual(Buffer.from([0xd8, 0x3d, 0x20, 0x2b]));
  expect(openForm(Buffer.from('ü%=%C3😀')).get('ü%')).toBe('\ufffd😀');
  expect(form.bytes('b')).toEqual(Buffer.alloc(0));
  expect(form.bytes('c')).toBeNull();
});

test('a value is cut before it is decoded', () => {
  for (const unit of ['x', '%41', '+', '%'])
    expect(openForm(Buffer.from(`a=${unit.repeat(1_000_000)}`)).bytes('a')).toHaveLength(maxValueBytes);
});
