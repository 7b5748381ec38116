import { databaseFault } from './database-fault.ts';

const ofCode = (code: string) => databaseFault(Object.assign(new Error('refused'), { code }));

test.each([
  ...['08006', '25006', '28P01', '40003', '53100', '53300', '57P01', '57P03', 'ECONNREFUSED', 'EPIPE'].map(
    (code) => [code, 'away'],
  ),
  ...['25P02', '25P03', '25P04', '55P03', '55006', '57014', '58030', 'XX000', 'XX002'].map((code) => [
    code,
    'busy',
  ]),
  ...['40001', '40P01'].map((code) => [code, 'conflict']),
  ...['22001', '22P05', '23505', '23514', '54000'].map((code) => [code, 'data']),
  ...['42501', '3D000', '0A000', '26000', 'P0001'].map((code) => [code, 'unknown']),
])('%s says that the database or the work is: %s', (code, fault) => {
  expect(ofCode(code)).toBe(fault);
});

test('a lost or failed connection is recognised by its error text', () => {
  expect(databaseFault(new Error('Connection terminated unexpectedly'))).toBe('away');
  expect(databaseFault(new Error('Query read timeout'))).toBe('away');
});

test('an error from elsewhere is no database fault', () => {
  expect(databaseFault(new TypeError('x is not a function'))).toBeNull();
  expect(ofCode('ERR_INVALID_ARG_TYPE')).toBeNull();
  expect(databaseFault('refused')).toBeNull();
  expect(databaseFault(null)).toBeNull();
});
