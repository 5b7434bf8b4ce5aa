import { defineConfig, type OxlintConfig } from 'oxlint';

type Overrides = NonNullable<OxlintConfig['overrides']>;

/** The layers of the site. A folder imports from those before it. */
const SITE_LAYERS = [['components/ui'], ['components/blocks'], ['features'], ['layout'], ['app', 'boot']];

/** The layers of the form service. A folder imports from those before it, and from those on its own line. */
const SERVICE_LAYERS = [
  ['config', 'contract', 'html', 'observability'],
  ['database', 'documents', 'redis'],
  ['outbox'],
  ['submissions'],
  ['spam', 'http', 'mail'],
  ['delivery', 'alerts', 'notifications', 'housekeeping', 'intake', 'inbox'],
  ['checks'],
  ['doctor'],
  ['cli'],
];

/** Layers that mail/smtp may not import from. */
const AFTER_SMTP = SERVICE_LAYERS.slice(SERVICE_LAYERS.findIndex((layer) => layer.includes('mail'))).flat();

const PRIVATE_PARTS = {
  group: ['nodemailer/lib/**'],
  message: "Nodemailer's private parts are only used in form-service/src/mail/smtp/.",
};

/** Forbids each layer to import from the layers behind it, and `also`: an override replaces the same rule above it. */
function oneWay(root: string, layers: readonly (readonly string[])[], also = [PRIVATE_PARTS]): Overrides {
  const message = `Imports run one way: ${layers.map((layer) => layer.join(' and ')).join(', ')}.`;
  return layers.slice(0, -1).map((layer, at) => ({
    files: layer.map((folder) => `${root}/${folder}/**`),
    excludeFiles: ['**/*.test.*', '**/*.integration.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: layers
                .slice(at + 1)
                .flat()
                .map((folder) => `**/${folder.split('/').at(-1)}/**`),
              message,
            },
            ...also,
          ],
        },
      ],
    },
  }));
}

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'react', 'jsx-a11y', 'promise', 'node'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  env: { es2024: true, node: true },
  ignorePatterns: ['**/dist/**', '**/coverage/**', 'frontend/public/**', '.data/**'],
  rules: {
    eqeqeq: 'error',
    'no-console': ['error', { allow: ['error'] }],
    'no-eval': 'error',
    'no-restricted-imports': ['error', { patterns: [PRIVATE_PARTS] }],
    'no-nested-ternary': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'unicorn/prefer-node-protocol': 'error',
    'import/no-cycle': 'error',
    'import/no-default-export': 'off',
    'import/no-unassigned-import': 'off',
    'react/react-in-jsx-scope': 'off',
    'no-await-in-loop': 'off',
    'import/default': 'off',
    'import/no-named-as-default': 'off',
    'import/no-named-as-default-member': 'off',
    'jsx-a11y/anchor-has-content': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',
    'oxc/no-async-endpoint-handlers': 'off',
    'oxc/no-map-spread': 'off',
    'promise/always-return': 'off',
    'react/no-array-index-key': 'off',
    'typescript/no-extraneous-class': ['error', { allowWithDecorator: true }],
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/prefer-add-event-listener': 'off',
    'no-shadow': 'off',
  },
  overrides: [
    ...oneWay('frontend/src', SITE_LAYERS),
    {
      // Words that visitors read are in frontend/content/.
      files: ['frontend/src/{app,layout,components/blocks}/**'],
      excludeFiles: ['**/*.test.tsx'],
      rules: { 'react/jsx-no-literals': ['error', { allowedStrings: [':'] }] },
    },
    {
      files: ['scripts/**', 'e2e/**', 'bench/**'],
      rules: { 'typescript/parameter-properties': ['error', { prefer: 'class-property' }] },
    },
    {
      files: ['scripts/**', 'frontend/build/**'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            paths: [
              {
                name: 'node:fs',
                importNames: ['watch', 'watchFile'],
                message: 'It misses files that were replaced. Use scripts/stack/watch-files.ts.',
              },
            ],
            patterns: [PRIVATE_PARTS],
          },
        ],
      },
    },
    {
      files: ['**/*.test.*', '**/*.integration.ts', '**/*.spec.ts', '**/test/**', 'e2e/**'],
      rules: {
        'no-restricted-properties': [
          'error',
          {
            object: 'Math',
            property: 'random',
            message: 'A failure could not be repeated. Use fast-check or eachSeed.',
          },
        ],
      },
    },
    { files: ['e2e/**'], rules: { 'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }] } },
    {
      // Nest reads the types of constructor parameters at run time, so they are imported as values.
      files: ['form-service/src/**/*.ts', 'form-service/test/**/*.ts'],
      rules: { 'typescript/consistent-type-imports': 'off', 'unicorn/require-post-message-target-origin': 'off' },
    },
    ...oneWay('form-service/src', SERVICE_LAYERS),
    ...oneWay('form-service/src', [['mail/smtp'], AFTER_SMTP], []),
  ],
});
