/** The facts about a password's owner that a guesser may know. */
export interface PasswordOwner {
  readonly name: string;
  readonly email: string;
}

/** The first passwords that guessers try, in lower case. Shorter ones are refused because of their length. */
const common = new Set(
  `password password1 password12 password123 password1234 passwort passwort1 passw0rd passw0rd1 p@ssword p@ssw0rd
  p@ssw0rd1 12345678 123456789 1234567890 0123456789 01234567 87654321 987654321 0987654321 12341234 11223344 12344321
  123123123 11112222 123454321 147258369 00000000 11111111 22222222 33333333 44444444 55555555 66666666 77777777 88888888
  99999999 1111111111 0000000000 aaaaaaaa xxxxxxxx 1q2w3e4r 1q2w3e4r5t 1qaz2wsx qazwsxedc zaq12wsx qwertyui qwertyuiop
  qwertzuiop qwerty12 qwerty123 qwerty1234 qwerty12345 asdfasdf asdfghjk asdfghjkl zxcvbnm1 abcdefgh abcdefghi abcd1234
  abc12345 abc123456 a1b2c3d4 a1234567 a12345678 iloveyou iloveyou1 sunshine princess football baseball superman starwars
  pokemon1 trustno1 whatever welcome1 welcome12 welcome123 letmein1 letmein123 changeme changeme1 changeme123 changeit
  administrator administrator1 admin123 admin1234 admin12345 adminadmin rootroot testtest test1234 testing1 testing123
  secret12 secret123 default1 guest123 master12 master123 monkey12 monkey123 dragon12 dragon123 computer internet
  username michelle jennifer michael1 jordan23 liverpool chocolate butterfly`.split(/\s+/),
);

/**
 * Why a password is too easy to guess, as the end of a sentence about it, or null. Ignores case, surrounding blanks and
 * marks at its end.
 */
export function weaknessOf(password: string, owner: PasswordOwner): string | null {
  if (/^[\s\p{Z}\p{C}]*$/u.test(password)) return 'must not be blank';
  const plain = folded(password);
  const [local = ''] = owner.email.split('@');
  if ([owner.name, owner.email, local].some((known) => folded(known) === plain))
    return 'must not be the name or the email address';
  return common.has(plain.replace(/[!?.*]+$/, '')) ? 'must not be a common password' : null;
}

function folded(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
