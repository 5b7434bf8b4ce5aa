import { expect, test } from '@playwright/test';
import { offerKustomize } from '../../scripts/checks/kubernetes/kustomize.ts';
import { nameOf, type Manifest } from '../../scripts/checks/kubernetes/manifest.ts';
import { buildOverlays, ruleProblems } from '../../scripts/checks/kubernetes/problems.ts';
import { schemaProblems } from '../../scripts/checks/kubernetes/schemas.ts';

/** One careless edit of a built manifest, as JSON, and what must be found. */
type Mistake = readonly [manifest: string, from: string, to: string, finding: RegExp];

const BY_SCHEMAS: readonly Mistake[] = [
  ['Deployment api', '"strategy"', '"replica":2,"strategy"', /'"replica"' does not exist/],
  ['Deployment api', '"strategy"', '"replicas":1.5,"strategy"', /replicas must be integer/],
  ['Deployment web', '"livenessProbe"', '"livenesProbe"', /'"livenesProbe"' does not exist/],
  ['ScaledObject worker', '"minReplicaCount"', '"minReplicas"', /'"minReplicas"' does not exist/],
];

const BY_RULES: readonly Mistake[] = [
  ['Deployment api', '"runAsUser":1000', '"runAsUser":0', /api: may run as root/],
  ['Deployment web', '"readOnlyRootFilesystem":true', '"readOnlyRootFilesystem":false', /can write to its image/],
  ['Deployment web', '"drop"', '"add":["NET_RAW"],"drop"', /has capabilities/],
  [
    'Deployment worker',
    '"automountServiceAccountToken":false',
    '"automountServiceAccountToken":true',
    /gets the cluster's token/,
  ],
  ['Deployment worker', '"startupProbe"', '"readinessProbe"', /lacks a probe/],
  ['Deployment worker', '/health/live', '/health/ready', /killed when it is only not ready/],
  [
    'Deployment web',
    '"terminationGracePeriodSeconds":45',
    '"terminationGracePeriodSeconds":30',
    /killed before it has ended/,
  ],
  ['ConfigMap settings', '"SALES_INBOX"', '"SALES_BOX"', /nobody reads SALES_BOX/],
  ['ConfigMap settings', '"RETENTION_DAYS":"30"', '"RETENTION_DAYS":"soon"', /RETENTION_DAYS must be/],
  ['ConfigMap settings', '"SITE_URL":"https://', '"SITE_URL":"https://me:word@', /SITE_URL holds a password/],
  [
    'Deployment worker',
    '"key":"smtp-url","path":"smtp-url"',
    '"key":"smtp-url","path":"smtp"',
    /SMTP_URL_FILE is no file of a Secret/,
  ],
  [
    'Deployment api',
    '"key":"database-url","path":"database-url"',
    '"key":"database-url","path":"url"',
    /DATABASE_URL_FILE is no file of a Secret/,
  ],
  ['ConfigMap settings', '"RESUMES_URL":"s3://', '"RESUMES_URL":"nfs://', /RESUMES_URL must be a URL/],
  [
    'Deployment web',
    '"image":"kitewright/web:',
    '"image":"kitewright/web:0.0.',
    /image kitewright\/web:0\.0\..* is none of/,
  ],
  [
    'Deployment api',
    '"selector":{"matchLabels":{"app.kubernetes.io/name":"api"',
    '"selector":{"matchLabels":{"app.kubernetes.io/name":"api2"',
    /does not select its own pods/,
  ],
  [
    'Service api',
    '"app.kubernetes.io/name":"api"',
    '"app.kubernetes.io/name":"api2"',
    /Service api: selects not one workload/,
  ],
  ['Service web', '"targetPort":"http"', '"targetPort":"https"', /port http has no Service/],
  ['Deployment web', '"path":"/healthz","port":"http"', '"path":"/healthz","port":"https"', /a probe asks port https/],
  [
    'Deployment api',
    '"configMapRef":{"name":"settings',
    '"configMapRef":{"name":"other',
    /there is no ConfigMap other/,
  ],
  ['Ingress web', '"port":{"name":"http"}', '"port":{"name":"https"}', /Ingress web: leads to web:https/],
  [
    'PodDisruptionBudget api',
    '"app.kubernetes.io/name":"api"',
    '"app.kubernetes.io/name":"api2"',
    /PodDisruptionBudget api: selects nothing/,
  ],
  [
    'ScaledObject worker',
    '"name":"worker"},"triggers"',
    '"name":"workers"},"triggers"',
    /ScaledObject worker: scales nothing/,
  ],
  ['ScaledObject worker', 'kitewright_delivery_jobs', 'kitewright_jobs', /no metric kitewright_jobs/],
  ['NetworkPolicy api', '"port":3000', '"port":3001', /NetworkPolicy api: opens port 3001/],
  [
    'NetworkPolicy web',
    '"podSelector":{"matchLabels":{"app.kubernetes.io/name":"web"',
    '"podSelector":{"matchLabels":{"app.kubernetes.io/name":"web2"',
    /NetworkPolicy web: selects nothing/,
  ],
];

let overlays: ReadonlyMap<string, readonly Manifest[]>;
test.beforeAll(() => {
  const kustomize = offerKustomize();
  test.skip(kustomize === undefined, 'needs kustomize');
  if (kustomize !== undefined) overlays = buildOverlays(kustomize);
});

for (const [manifest, from, to, finding] of [...BY_SCHEMAS, ...BY_RULES]) {
  test(`a mistake in ${manifest} is found: ${finding.source}`, () => {
    const production = overlays.get('production') ?? [];
    const before = production.find((one) => `${one.kind} ${nameOf(one)}`.startsWith(manifest));
    const text = JSON.stringify(before);
    expect(text).toContain(from);
    const edited = production.map((one) => (one === before ? (JSON.parse(text.replace(from, to)) as Manifest) : one));
    const isBySchemas = BY_SCHEMAS.some((mistake) => mistake[3] === finding);
    expect((isBySchemas ? schemaProblems(new Map([['production', edited]])) : ruleProblems(edited)).join('\n')).toMatch(
      finding,
    );
  });
}
