import { parse, type AtRule, type Container, type Rule } from 'postcss';

/** Names in a selector that count only as far as the selector matches: what `:not()` and `:has()` hold does not. */
const CONDITIONS = /:(?:not|has|is|where)\((?:[^()]|\([^()]*\))*\)/g;

/** Classes that a form's code adds while it is used: errors, notices, toasts, the chosen file. */
const FORM_STATES = /^(?:field-error|notice|toast|Toastify|drop-zone|file-name|link-button|upload-progress)/;

/**
 * The part of the style sheet that a page's HTML can use: rules whose selectors name a class that the page does not have
 * are left out, but for what its form may show later. The whole sheet comes before another page is shown.
 */
export function pageStyles(css: string, html: string): string {
  const classes = new Set([...html.matchAll(/\bclass="([^"]*)"/g)].flatMap(([, names = '']) => names.split(/\s+/)));
  const hasForm = html.includes('<form');
  const isUsable = (selector: string) =>
    [...selector.replaceAll(CONDITIONS, '').matchAll(/\.([\w-]+)/g)].every(([, name = '']) => classes.has(name) || (hasForm && FORM_STATES.test(name)));

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
