import { Refusal } from './refusal.ts';

/**
 * The results of two checks, or everything that both find wrong, so that a visitor without a script corrects it in one go.
 *
 * @throws Refusal 422 with the errors of both; what one of them alone threw; or the failure that is no refusal of a field
 */
export async function checkedTogether<Fields, File>(fields: Promise<Fields>, file: Promise<File>): Promise<[Fields, File]> {
  const [ofFields, ofFile] = await Promise.allSettled([fields, file]);
  if (ofFields.status === 'fulfilled' && ofFile.status === 'fulfilled') return [ofFields.value, ofFile.value];
  const refusals = [ofFields, ofFile].flatMap((check) => (check.status === 'rejected' ? [check.reason as unknown] : []));
  const [first, second] = refusals;
  if (hasErrors(first) && hasErrors(second)) throw Refusal.invalid(first.message, { ...first.errors, ...second.errors });
  throw refusals.find((refusal) => !hasErrors(refusal)) ?? first;
}

function hasErrors(refusal: unknown): refusal is Refusal & { readonly errors: NonNullable<Refusal['errors']> } {
  return refusal instanceof Refusal && refusal.errors !== undefined;
}
