import type { Check } from '../observability/health.service.ts';
import type { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';

/** Check that every stored submission has the definition of its form, without which staff do not see it. */
export const formsCheck = (search: SubmissionSearchRepository): Check => ({
  name: 'forms',
  run: async () => {
    const forms = await search.undefinedForms();
    if (forms.length === 0) return { status: 'ok' };
    return {
      status: 'degraded',
      cause: `there are submissions of ${forms.join(', ')}, which is no form of form-service/src/contract/form-list.ts`,
      advice: 'Add its file again, with isRetired: true if it is no longer on the site',
    };
  },
});
