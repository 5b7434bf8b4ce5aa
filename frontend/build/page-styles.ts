import { parse, type AtRule, type Container, type Root, type Rule } from 'postcss';

/** Names in a selector that count only as far as the selector matches: what these hold does not. What `:has()` holds does. */
const CONDITIONS = /:(?:not|is|where)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g;

/** Element names in a selector without conditions, attributes and what follows a colon. */
const ELEMENTS = /(?<![\w.#-])[a-z][\w-]*/g;

/** What only a control of a form has, in some browser, and what only inputs have that none of our forms uses. */
const CONTROL_PARTS = /::(?:file-selector-button|placeholder)|:-moz-ui-invalid/;
const FOREIGN_PARTS = /::-webkit-(?:date|calendar|search|inner-spin|outer-spin)/;

/** Elements that a form's code adds while it is used. */
const FORM_ELEMENTS = ['p', 'ul', 'li', 'button', 'progress', 'output', 'svg', 'path'];

/** Classes that a form's code adds while it is used: errors, toasts, notices, the chosen file. By where the form is sent. */
const FORM_STATES: Readonly<Record<string, RegExp>> = {
  '/api/contact': /^(?:field-error|notice|toast|Toastify)/,
  '/api/resume': /^(?:field-error|notice|drop-zone|file-name|link-button|upload-progress)/,
};

/** A test for what every browser can that `cssTarget` names; Tailwind writes one around each mixed colour. */
const SUPPORTS_COLOR_MIX = /^\(color: ?color-mix\(/;

/**
 * The part of the style sheet that a page's HTML can use: rules whose selectors name a class or an element that the page
 * does not have are left out, but for what its form may show later, and so are animations and custom properties that
 * nothing refers to then. The whole sheet comes before another page is shown.
 */
export function pageStyles(css: string, html: string): string {
  const actions = [...html.matchAll(/<form[^>]* action="([^"]*)"/g)].map(([, action = '']) => action);
  const hasForm = actions.length > 0;
  const classes = new Set([...html.matchAll(/\bclass="([^"]*)"/g)].flatMap(([, names = '']) => names.split(/\s+/)));
  const elements = new Set([
    'html',
    'body',
    ...[...html.matchAll(/<([a-z][\w-]*)/g)].map(([, name = '']) => name),
    ...(hasForm ? FORM_ELEMENTS : []),
  ]);
  const isState = (name: string) => actions.some((action) => FORM_STATES[action]?.test(name));
  const isUsable = (selector: string) => {
    if ((!hasForm && CONTROL_PARTS.test(selector)) || FOREIGN_PARTS.test(selector)) return false;
    const plain = selector
      .replaceAll(CONDITIONS, '')
      .replaceAll(/:has\(/g, ' (')
      .replaceAll(/\[[^\]]*\]|::?[\w-]+(?:\([^)]*\))?/g, '');
    return (
      [...plain.matchAll(/\.([\w-]+)/g)].every(([, name = '']) => classes.has(name) || isState(name)) &&
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
      } else if (
        node.type === 'atrule' &&
        (node as AtRule).nodes &&
        !/keyframes|font-face|property/.test((node as AtRule).name)
      ) {
        const atRule = node as AtRule;
        prune(atRule);
        if (atRule.nodes?.length === 0 && atRule.name !== 'view-transition') atRule.remove();
      }
    });
  };

  const sheet = parse(css);
  prune(sheet);
  sheet.walkAtRules('supports', takeOut);
  dropUnreferred(sheet);
  return sheet.toString();
}

/** Replaces a test that always holds by what it guards, and drops what other browsers would get before it. */
function takeOut(test: AtRule): void {
  if (!SUPPORTS_COLOR_MIX.test(test.params)) return;
  const guarded = test.nodes ?? [];
  for (const { prop } of guarded.filter((node) => node.type === 'decl')) {
    const fallback = test.parent?.nodes
      .slice(0, test.parent.index(test))
      .find((node) => node.type === 'decl' && node.prop === prop);
    fallback?.remove();
  }
  test.replaceWith(guarded);
}

/** Taking one out can leave another without a reference, so that it goes on until nothing changes. */
function dropUnreferred(sheet: Root): void {
  for (let before = '', text = sheet.toString(); before !== text; text = sheet.toString()) {
    before = text;
    const used = new Set([...text.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
    const animations = new Set(
      [...text.matchAll(/animation(?:-name)?:([^;}]*)/g)].flatMap(([, value = '']) => value.split(/\s+/)),
    );
    sheet.walkDecls(/^--/, (declaration) => void (used.has(declaration.prop) || declaration.remove()));
    sheet.walkAtRules('keyframes', (rule) => void (animations.has(rule.params) || rule.remove()));
    sheet.walkRules((rule) => void (rule.nodes.length > 0 || rule.remove()));
  }
}
