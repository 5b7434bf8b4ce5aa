import { html, type Html } from '../../html.ts';

/** Matches a text whose first letter belongs to a script that runs from right to left. */
const RIGHT_TO_LEFT =
  /^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/**
 * Renders a visitor's text with its line breaks, each paragraph in its own direction. Outlook ignores `dir="auto"`, so
 * `rtl` is written out.
 */
export function visitorText(text: string): Html {
  const paragraphs = text.replace(/\r\n?|[\u2028\u2029]/g, '\n').split('\n\n');
  return html`${paragraphs.map((paragraph, index) => {
    const direction = RIGHT_TO_LEFT.test(paragraph) ? 'rtl' : 'auto';
    const below = index < paragraphs.length - 1 ? '16px' : '0';
    return html`<p dir="${direction}" style="margin:0 0 ${below}">${linesOf(paragraph)}</p>`;
  })}`;
}

/** An empty paragraph gets a line break, without which it would have no height. */
const linesOf = (paragraph: string): readonly Html[] =>
  paragraph === '' ? [html`<br>`] : paragraph.split('\n').map((line, index) => html`${index > 0 && html`<br>`}${line}`);
