import { expect, it } from '@jest/globals';
import { labelsOf, metadataText, tagsText } from './labels.ts';

it('takes tags once each, and metadata with whatever value and name', () => {
  expect(labelsOf({ tag: undefined, metadata: undefined })).toEqual({ tags: undefined, metadata: undefined });
  const { tags, metadata } = labelsOf({
    tag: ['a', 'b', 'a'],
    metadata: ['id=4711', 'x==y', 'z=', '__proto__=p'],
  });
  expect(tags).toEqual(['a', 'b']);
  expect(JSON.stringify(metadata)).toBe('{"id":"4711","x":"=y","z":"","__proto__":"p"}');
  expect(() => labelsOf({ tag: undefined, metadata: ['id'] })).toThrow('--metadata must be name=value');
  expect(() => labelsOf({ tag: undefined, metadata: ['=1'] })).toThrow('--metadata must be name=value');
});

it('shows none as nothing', () => {
  expect([tagsText([]), metadataText({})]).toEqual([null, null]);
  expect([tagsText(['a', 'b']), metadataText({ a: '1', b: '2' })]).toEqual(['a, b', 'a=1, b=2']);
});
