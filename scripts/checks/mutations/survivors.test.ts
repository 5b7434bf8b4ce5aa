import { describe, expect, it } from '@jest/globals';
import { changedRanges, survivorsIn } from './survivors.ts';

const DIFF = `diff --git a/form-service/src/a.ts b/form-service/src/a.ts
--- a/form-service/src/a.ts
+++ b/form-service/src/a.ts
@@ -3 +3 @@ function a() {
-old
+new
@@ -9,2 +9,3 @@
+three
@@ -20,2 +21,0 @@
-gone
diff --git a/form-service/src/a.test.ts b/form-service/src/a.test.ts
+++ b/form-service/src/a.test.ts
@@ -1 +1 @@
diff --git a/form-service/src/a.integration.ts b/form-service/src/a.integration.ts
+++ b/form-service/src/a.integration.ts
@@ -1 +1 @@
diff --git a/form-service/src/page.html b/form-service/src/page.html
+++ b/form-service/src/page.html
@@ -1 +1 @@
diff --git a/form-service/src/gone.ts b/form-service/src/gone.ts
+++ /dev/null
@@ -1 +0,0 @@
`;

describe('changedRanges', () => {
  it('names the changed lines of modules, without those that were removed', () => {
    expect(changedRanges(DIFF)).toEqual(['form-service/src/a.ts:3-3', 'form-service/src/a.ts:9-11']);
  });
});

describe('survivorsIn', () => {
  const source = 'const a =\n  1 +\n  2;\n';
  const location = { start: { line: 2, column: 3 }, end: { line: 3, column: 4 } };

  it('names what the tests ran and did not notice, with its code', () => {
    const mutants = ['Survived', 'Killed', 'Timeout', 'NoCoverage', 'Ignored', 'CompileError'].map((status) => ({
      status,
      replacement: '1 - 2',
      location,
    }));
    expect(survivorsIn({ files: { 'a.ts': { source, mutants } } })).toEqual({
      survivors: ['a.ts:2: 1 + 2 -> 1 - 2'],
      count: 3,
    });
  });
});
