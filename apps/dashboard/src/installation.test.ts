import { readInstallation } from './installation.ts';

test('reads what the api has put into the page, and takes the defaults where nothing is', () => {
  expect(
    readInstallation('{"registration":"closed","trialEnforcement":"block","trialDays":30,"maxFileBytes":5}'),
  ).toEqual({
    registration: 'closed',
    trialEnforcement: 'block',
    trialDays: 30,
    maxFileBytes: 5,
  });
  expect(readInstallation('__INSTALLATION__')).toMatchObject({
    registration: 'open',
    trialEnforcement: 'off',
    maxFileBytes: 16_777_216,
  });
});
