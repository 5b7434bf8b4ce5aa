import { parse, type AtRule, type Container, type Rule } from 'postcss';

/** Names in a selector that count only as far as the selector matches: what `:not()` and `:has()` hold does not. */
const CONDITIONS = /:(?:not|has|is|where)\((?:[^()]|\([^()]*\))*\)/g;

/** Element names in a selector without conditions, attributes and what follows a colon. */
const ELEMENTS = /(?<![\w.#-])[a-z][\w-]*/g;

/** What only a control of a form has, in some browser. */
const CONTROL_PARTS = /::(?:-webkit-(?:date|calendar|search|inner-spin|outer-spin)|file-selector-button|placeholder)|:-moz-ui-invalid/;

/** Elements that a form's code adds while it is used. */
const FORM_ELEMENTS = ['p', 'ul', 'li', 'button', 'progress', 'output', 'svg', 'path'];

/** Classes that a form's code adds while it is used: errors, notices, toasts, the chosen file. */
const FORM_STATES = /^(?:field-error|notice|toast|Toastify|drop-zone|file-name|link-button|upload-progress)/;

/**
 * The part of the style sheet that a page's HTML can use: rules whose selectors name a class or an element that the page
 * does not have are left out, but for what its form may show later. The whole sheet comes before another page is shown.
 */
export function pageStyles(css: string, html: string): string {
  const hasForm = html.includes('<form');
  const classes = new Set([...html.matchAll(/\bclass="([^"]*)"/g)].flatMap(([, names = '']) => names.split(/\s+/)));
  const elements = new Set(['html', 'body', ...[...html.matchAll(/<([a-z][\w-]*)/g)].map(([, name = '']) => name), ...(hasForm ? FORM_ELEMENTS : [])]);
  const isUsable = (selector: string) => {
    if (!hasForm && CONTROL_PARTS.test(selector)) return false;
    const plain = selector.replaceAll(CONDITIONS, '').replaceAll(/\[[^\]]*\]|::?[\w-]+(?:\([^)]*\))?/g, '');
    return (
      [...plain.matchAll(/\.([\w-]+)/g)].every(([, name = '']) => classes.has(name) || (hasForm && FORM_STATES.test(name))) &&
      [...plain.matchAll(ELEMENTS)].every(([name]) => elements.has(name))
    );
  };

  const prune = (container: Container) => {
    container.each((node) => {
      if (node.type === 'rule') {
        const rule = node as Rule;
        const usable = rule.selectors.filter(isUsable);
        if (usable.length === 0) rule.remove();
        else {
          if (usable.length < rule.selectors.length) rule.selectors = usable;
          prune(rule);
          if (rule.nodes.length === 0) rule.remove();
        }
      } else if (node.type === 'atrule' && (node as AtRule).nodes && !/keyframes|font-face|property/.test((node as AtRule).name)) {
        const atRule = node as AtRule;
        prune(atRule);
        if (atRule.nodes?.length === 0 && atRule.name !== 'view-transition') atRule.remove();
      }
    });
  };

  const sheet = parse(css);
  prune(sheet);
  return sheet.toString();
}
