import { chineseDigit } from '@notify/core';
import { type FieldError, invalidRequest } from '../problems/problem.ts';

/**
 * Four digits in a row, of any script and in any form, with or without signs, spaces, marks or emoji between them. `\p{N}` also has
 * digits without a decomposition, such as ❶ (Unicode Standard 17.0, 4.6). Letters that only modify others, such as ー, look like
 * dashes.
 */
const fourDigits = /(?:\p{N}[^\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{N}]*){3}\p{N}/u;

const faults: readonly (readonly [RegExp, string])[] = [
  [/[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]/u, 'must not have line breaks or control characters'],
  [/•/, 'must not have a •, which masks the code'],
  [fourDigits, 'must have at most three digits in a row, because they could be taken for the code'],
  [/^\s|\s$/, 'must not begin or end with a space'],
];

/**
 * The brand as it may stand in a text. Throws a Problem if it could be taken for the code, or breaks the line. Looks at its
 * compatibility form, too (NFKC, Unicode Standard Annex 15), because people read １ and ① as 1.
 */
export function readBrand(brand: string | undefined): string | null {
  if (brand === undefined) return null;
  const forms = [brand, brand.normalize('NFKC'), readAsDigits(brand)];
  const errors = faults.flatMap(([fault, message]): FieldError[] =>
    forms.some((form) => fault.test(form)) ? [{ at: 'body/brand', message }] : [],
  );
  if (errors.length > 0) throw invalidRequest(...errors);
  return brand;
}

/** Invisible letters (Unicode's fillers) are left out, and Chinese digits are digits. */
function readAsDigits(brand: string): string {
  const visible = brand.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
  return visible.replaceAll(new RegExp(chineseDigit, 'gu'), '1');
}
