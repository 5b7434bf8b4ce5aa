import { RESUME_EXTENSIONS, RESUME_MAX_BYTES, RESUME_MEDIA_TYPES } from 'form-service/contract/limits';
import { messages } from 'form-service/contract/messages';

const mediaTypes: readonly string[] = Object.values(RESUME_MEDIA_TYPES);

/**
 * Why a file cannot be sent as a résumé, or undefined when it can (spec 5). A browser that does not know Word's types
 * declares none: then the extension decides. The server looks into the file.
 */
export function resumeProblem(file: Pick<File, 'name' | 'size' | 'type'>): string | undefined {
  if (file.size > RESUME_MAX_BYTES) return messages.resumeTooLarge;
  const hasExtension = RESUME_EXTENSIONS.some((extension) => file.name.toLowerCase().endsWith(extension));
  const hasType = file.type === '' || mediaTypes.includes(file.type);
  return hasExtension && hasType ? undefined : messages.resumeWrongType;
}
