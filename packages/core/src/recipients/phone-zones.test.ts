import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min';
import { areaZones, unknownAreaZones } from './area-zones.ts';
import { countryZones } from './country-zones.ts';
import { zonesOfPhone } from './phone-zones.ts';
import { isTimeZone } from './quiet-hours.ts';

test.each([
  ['+4917012345678', ['Europe/Berlin']],
  ['4917012345678', ['Europe/Berlin']],
  ['+77011234567', ['Asia/Almaty']],
  ['+79161234567', expect.arrayContaining(['Europe/Moscow', 'Asia/Kamchatka', 'Europe/Kaliningrad'])],
  ['+201001234567', ['Africa/Cairo']],
  ['+212612345678', ['Africa/Casablanca']],
  ['+9779812345678', ['Asia/Kathmandu']],
  ['+6421123456', ['Pacific/Auckland', 'Pacific/Chatham']],
  ['+12125550123', ['America/New_York']],
  ['+17095550123', ['America/St_Johns', 'America/Halifax']],
  ['+18505550123', ['America/New_York', 'America/Chicago']],
  ['+16715550123', ['Pacific/Guam']],
  ['+18005550123', unknownAreaZones],
  ['+88216123456', null],
  ['+99912345678', null],
  ['12345', null],
  ['@name', null],
  ['-1001234567890', null],
  ['US.13491208655302741918', null],
  ['', null],
])('%s: %j', (number, zones) => {
  expect(zonesOfPhone(number)).toEqual(zones);
});

test('every country has zones, and all of them exist', () => {
  const codes = new Set<string>(getCountries().map((country) => getCountryCallingCode(country)));
  const missing = [...codes].filter((code) => zonesOfPhone(`+${code}23456789`.slice(0, 15)) === null);
  expect(missing).toEqual([]);
  const names = Object.values(countryZones).flatMap((zones) => zones.split(' '));
  const all = new Set([...names, ...[...areaZones.values()].flat(), ...unknownAreaZones]);
  expect([...all].filter((name) => !isTimeZone(name))).toEqual([]);
});

test('area codes are possible ones', () => {
  expect([...areaZones.keys()].filter((code) => !/^[2-9]\d\d$/.test(code) || code.endsWith('11'))).toEqual(
    [],
  );
});
