/**
 * How the ids of an account's receipts differ from those of its answers. `same`: at most in case and leading zeros. `hex-to-dec`: the
 * answer has an id in hexadecimal, and the receipt has it in decimal. `dec-to-hex`: the reverse.
 */
export type ReceiptIds = 'same' | 'hex-to-dec' | 'dec-to-hex';

/** The rules, the one that most SMSCs need first. */
export const receiptIdRules: readonly ReceiptIds[] = ['same', 'hex-to-dec', 'dec-to-hex'];

/**
 * The form of an id under which a message is stored and found: in small letters, without spaces around it and leading zeros. Ids that
 * differ otherwise are never the same.
 */
export function idKey(id: string): string {
  return id
    .trim()
    .toLowerCase()
    .replace(/^0+(?=.)/, '');
}

/**
 * The key of the message that a receipt names, under one rule. Null if the rule does not apply, because the id is no number of its
 * base: such an id is never converted.
 */
export function keyOfReceipt(receiptId: string, rule: ReceiptIds): string | null {
  const key = idKey(receiptId);
  switch (rule) {
    case 'same':
      return key;
    case 'hex-to-dec':
      return /^\d+$/.test(key) ? BigInt(key).toString(16) : null;
    case 'dec-to-hex':
      return /^[\da-f]+$/.test(key) ? BigInt(`0x${key}`).toString() : null;
  }
}

/**
 * The keys that a receipt may mean while the account's rule is not known, each once, with the rules that lead to it. Compare the
 * recipient too: a number of the other base may belong to another message.
 */
export function keysOfReceipt(
  receiptId: string,
): readonly { readonly key: string; readonly rules: RulesThatMatch }[] {
  const keys = receiptIdRules.map((rule) => ({ key: keyOfReceipt(receiptId, rule), rule }));
  const grouped = Map.groupBy(keys, ({ key }) => key);
  return [...grouped].flatMap(([key, group]) =>
    key === null ? [] : [{ key, rules: group.map(({ rule }) => rule) }],
  );
}

/** The rules under which the message of a receipt was found. Empty for a receipt without a message. */
export type RulesThatMatch = readonly ReceiptIds[];

/** Receipts that `findReceiptIds` looks at. */
export const receiptsToCompare = 3;

/**
 * The rule that the account's receipts follow, by its last three, the newest last: the one under which the most of them have a message,
 * at least two. Null while there are fewer receipts, and if several rules find as many, such as for ids of one digit.
 */
export function findReceiptIds(receipts: readonly RulesThatMatch[]): ReceiptIds | null {
  const last = receipts.slice(-receiptsToCompare);
  if (last.length < receiptsToCompare) return null;
  const matchesOf = (rule: ReceiptIds): number => last.filter((rules) => rules.includes(rule)).length;
  const most = Math.max(...receiptIdRules.map(matchesOf));
  const [best, ...others] = receiptIdRules.filter((rule) => matchesOf(rule) === most);
  return most >= receiptsToCompare - 1 && others.length === 0 ? best! : null;
}
