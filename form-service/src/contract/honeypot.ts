/**
 * A field that people neither see nor reach, and that programs which fill every field betray themselves by. Its name
 * and label resemble nothing that browsers or password managers fill in.
 */
export const HONEYPOT = { name: 'topicNote', label: 'Leave this field empty' } as const;
