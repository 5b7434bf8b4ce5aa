import { describe, expect, it } from '@jest/globals';
import { SERVICE } from '../../test/services.ts';
import { scopeOf } from './scope.ts';

const [SALES_INBOX, HR_INBOX, TEAM] = ['sales@firm.test', 'hr@firm.test', 'team@firm.test'];
const POSITION = 'Android Developer';

describe('scope of a role', () => {
  it.each([
    ['its inbox', {}, [SALES_INBOX], [HR_INBOX]],
    ['mailboxes of its services or positions', { [SERVICE]: TEAM }, [SALES_INBOX, TEAM], [HR_INBOX]],
    ['no mailbox of both forms', { [SERVICE]: TEAM, [POSITION]: TEAM }, [SALES_INBOX], [HR_INBOX]],
    ['its inbox > a service is sent there', { [SERVICE]: HR_INBOX }, [SALES_INBOX], [HR_INBOX]],
    ['its inbox > a position is sent there', { [POSITION]: SALES_INBOX }, [SALES_INBOX], [HR_INBOX]],
  ])('has %s', (_what, recipients, sales, hr) => {
    const settings = { SALES_INBOX, HR_INBOX, RECIPIENTS: new Map(Object.entries(recipients)) };
    expect(scopeOf({ role: 'sales' }, settings).mailboxes).toEqual(sales);
    expect(scopeOf({ role: 'hr' }, settings).mailboxes).toEqual(hr);
  });

  it('has each mailbox once > several forms are sent there', () => {
    const settings = { SALES_INBOX, HR_INBOX, RECIPIENTS: new Map([SERVICE, POSITION].map((topic) => [topic, TEAM])) };
    expect(scopeOf({ role: 'all' }, settings).mailboxes).toEqual([SALES_INBOX, TEAM, HR_INBOX]);
  });

  it('has no mailbox > both roles share one inbox', () => {
    const settings = { SALES_INBOX, HR_INBOX: SALES_INBOX, RECIPIENTS: undefined };
    expect(scopeOf({ role: 'hr' }, settings).mailboxes).toEqual([]);
  });
});
