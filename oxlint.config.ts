import { defineConfig, type OxlintConfig } from 'oxlint';

type Overrides = NonNullable<OxlintConfig['overrides']>;

/** The layers of the site. A folder imports from those before it. */
const SITE_LAYERS = [['components/ui'], ['components/blocks'], ['features'], ['layout'], ['app', 'boot']];

/** Rooms of the form service that every room may import. Each of them imports only those before it. */
const FOUNDATIONS = ['contract', 'settings', 'html', 'observability', 'database', 'files', 'alerts'];

/** Number of other rooms that a room may import, so that it can be understood with few others. */
const IMPORTED_ROOMS_MAX = 5;

/** The other rooms of the form service, and which of the rooms before it each of them imports. */
const SERVICE_ROOMS: Readonly<Record<string, readonly string[]>> = {
  redis: [],
  outbox: [],
  submissions: ['outbox'],
  export: ['submissions'],
  http: ['redis'],
  mail: ['outbox', 'submissions'],
  delivery: ['redis', 'outbox', 'submissions', 'mail'],
  health: ['redis', 'outbox', 'submissions', 'delivery'],
  intake: ['submissions', 'http', 'delivery'],
  'sign-in': ['http'],
  inbox: ['outbox', 'submissions', 'export', 'http', 'sign-in'],
};

/** Room of the commands, which use everything. */
const COMMAND_ROOMS = ['cli'];

/** Forbids each room to import others than the foundations and those of {@link SERVICE_ROOMS}. */
function roomsOf(root: string): Overrides {
  const rooms = [...FOUNDATIONS, ...Object.keys(SERVICE_ROOMS), ...COMMAND_ROOMS];
  return rooms.slice(0, -1).map((room, at) => {
    const isFoundation = at < FOUNDATIONS.length;
    const imported = SERVICE_ROOMS[room] ?? rooms.slice(isFoundation ? 0 : FOUNDATIONS.length, at);
    const unordered = imported.filter((one) => rooms.indexOf(one) > at);
    const isTooMany = room in SERVICE_ROOMS && imported.length > IMPORTED_ROOMS_MAX;
    if (unordered.length > 0 || isTooMany)
      throw new Error(`SERVICE_ROOMS: ${room} imports at most ${IMPORTED_ROOMS_MAX} rooms, all of them before it`);
    const allowed = [room, ...imported, ...(isFoundation ? [] : FOUNDATIONS)];
    const group = rooms.filter((one) => !allowed.includes(one)).map((one) => `**/${one}/**`);
    const message = `${room}/ imports only ${allowed.slice(1).join(', ')}. See SERVICE_ROOMS in oxlint.config.ts.`;
    return {
      files: [`${root}/${room}/**`],
      excludeFiles: ['**/*.test.*', '**/*.integration.ts'],
      rules: { 'no-restricted-imports': ['error', { patterns: [{ group, message }] }] },
    };
  });
}

/** Forbids each layer to import from the layers behind it. An override replaces the same rule above it. */
function oneWay(root: string, layers: readonly (readonly string[])[]): Overrides {
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
  ignorePatterns: ['**/dist/**', '**/coverage/**', '.data/**'],
  rules: {
    eqeqeq: 'error',
    'no-console': ['error', { allow: ['error'] }],
    'no-eval': 'error',
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
      files: ['frontend/src/{app,layout,components,features}/**'],
      excludeFiles: ['**/*.test.tsx'],
      rules: { 'react/jsx-no-literals': ['error', { allowedStrings: [':'] }] },
    },
    {
      files: ['scripts/**', 'e2e/**', 'bench/**'],
      rules: { 'typescript/parameter-properties': ['error', { prefer: 'class-property' }] },
    },
    {
      files: ['scripts/**', 'frontend/builder/**'],
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
    ...roomsOf('form-service/src'),
    {
      // A released migration must not change with the code around it.
      files: ['form-service/src/database/migrations/**'],
      rules: {
        'no-restricted-imports': [
          'error',
          { patterns: [{ group: ['**', '!kysely'], message: 'Migrations import nothing but kysely.' }] },
        ],
      },
    },
  ],
});
