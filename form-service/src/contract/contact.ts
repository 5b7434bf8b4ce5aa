import type { ObjectSchema } from 'yup';
import { contact } from './forms/contact.ts';
import services from './services.json' with { type: 'json' };

export const SERVICE_OPTIONS: readonly string[] = services;
export type Contact = Readonly<Record<'name' | 'email' | 'phone' | 'service' | 'message', string>>;
export const contactSchema = contact.schema as unknown as ObjectSchema<Contact>;
export const emptyContact = contact.empty as Contact;
