import { drops, replaces, returns, without } from '../mutate.ts';
import { inExport, type Fault } from '../fault.ts';

/** Access to the inbox: passwords, sessions, other sites, single sign-on. */
export const faults: readonly Fault[] = [
  {
    breaks: 'A forged session is refused',
    file: 'form-service/src/sign-in/sessions.service.ts',
    apply: inExport(
      'Sessions.read',
      replaces('readSigned<Session>(cookie, key)', 'unverifiedContent<Session>(cookie)'),
    ),
    test: 'form-service/src/sign-in/sign-in.integration.ts',
    title: 'is not forged, extended or taken over',
  },
  {
    breaks: 'A sign-out ends copied sessions',
    file: 'form-service/src/sign-in/sessions.service.ts',
    apply: inExport(
      'Sessions.read',
      replaces('isEnded ? undefined : { user, session, key }', '{ user, session, key }'),
    ),
    test: 'form-service/src/sign-in/sign-in.integration.ts',
    title: 'ends with the sign-out > the cookie was copied',
  },
  {
    breaks: 'A sign-out everywhere ends all sessions of the user',
    file: 'form-service/src/sign-in/sessions.service.ts',
    apply: inExport('Sessions.end', drops('deleteProperty')),
    test: 'form-service/src/sign-in/sign-in.integration.ts',
    title: 'ends alone with its sign-out',
  },
  {
    breaks: 'The sign-in leads to no other site',
    file: 'form-service/src/sign-in/same-origin.ts',
    apply: inExport('returnPath', without('RETURN_PATH')),
    test: 'form-service/src/sign-in/sign-in.integration.ts',
    title: 'inbox > sign-in',
  },
  {
    breaks: 'Another site changes nothing in the inbox',
    file: 'form-service/src/sign-in/same-origin.ts',
    apply: inExport('isFromOurPages', replaces("site === 'same-origin' && hasOurHost", 'hasOurHost')),
    test: 'form-service/src/sign-in/sign-in.integration.ts',
    title: 'inbox > change',
  },
  {
    breaks: 'No password crosses a network in clear text',
    file: 'form-service/src/sign-in/same-origin.ts',
    apply: inExport('isPrivateConnection', returns('true')),
    test: 'form-service/src/sign-in/sign-in.integration.ts',
    title: 'the connection is plain HTTP from another machine',
  },
  {
    breaks: 'An address that the provider has not verified opens nothing',
    file: 'form-service/src/sign-in/verified-address.ts',
    apply: inExport('addressOf', drops("why: 'email_verified is false'")),
    test: 'form-service/src/sign-in/verified-address.test.ts',
  },
  {
    breaks: 'A token that another key has signed opens nothing',
    file: 'form-service/src/sign-in/open-id-connect.service.ts',
    apply: inExport('discover', replaces('client.enableNonRepudiationChecks', '() => undefined')),
    test: 'form-service/src/sign-in/open-id-connect.integration.ts',
    title: 'inbox > signature of the ID token',
  },
  {
    breaks: 'No script of the host reads or changes the inbox',
    file: 'form-service/src/sign-in/same-origin.ts',
    apply: inExport('isNavigation', returns('true')),
    test: 'form-service/src/sign-in/sign-in.integration.ts',
    title: 'is no fetch, frame, image or script',
  },
];
