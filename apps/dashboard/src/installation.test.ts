import { readInstallation } from './installation.ts';

test('reads what the api has put into the page, and takes the defaults where nothing is', () => {
  expect(readInstallation('{"registration":"closed","trialEnforcement":"block","trialDays":30}')).toEqual({
    registration: 'closed',
    trialEnforcement: 'block',
    trialDays: 30,
  });
  expect(readInstallation('__INSTALLATION__')).toMatchObject({
    registration: 'open',
    trialEnforcement: 'off',
  });
});
