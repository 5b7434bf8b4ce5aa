import type { ObjectSchema } from 'yup';
import { application } from './forms/application.ts';

export type Application = Readonly<
  Record<'fullName' | 'email' | 'phone' | 'position' | 'experience' | 'coverLetter', string>
>;
export const applicationSchema = application.schema as unknown as ObjectSchema<Application>;
export const emptyApplication = application.empty as Application;
