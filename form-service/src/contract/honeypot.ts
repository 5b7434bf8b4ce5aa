/**
 * A field that a person neither sees nor reaches and that programs which fill every field give away. Its name and label
 * resemble nothing that browsers or password managers fill by themselves.
 */
export const HONEYPOT = { name: 'topicNote', label: 'Leave this field empty' } as const;
