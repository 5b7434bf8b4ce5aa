import { expect, test } from '@playwright/test';
import { offerKustomize } from '../../scripts/checks/kubernetes/kustomize.ts';
import { nameOf, type Manifest } from '../../scripts/checks/kubernetes/manifest.ts';
import { buildOverlays, ruleProblems } from '../../scripts/checks/kubernetes/problems.ts';
import { schemaProblems } from '../../scripts/checks/kubernetes/schemas.ts';

/** Careless edits of built manifests, as JSON, and what must be found: MANIFEST: FROM => TO => FINDING. */
const BY_SCHEMAS = `
Deployment api: "strategy" => "replica":2,"strategy" => '"replica"' does not exist
Deployment api: "strategy" => "replicas":1.5,"strategy" => replicas must be integer
Deployment web: "livenessProbe" => "livenesProbe" => '"livenesProbe"' does not exist
ScaledObject worker: "minReplicaCount" => "minReplicas" => '"minReplicas"' does not exist`;

const BY_RULES = `
Deployment api: "runAsUser":1000 => "runAsUser":0 => api: may run as root
Deployment web: "readOnlyRootFilesystem":true => "readOnlyRootFilesystem":false => can write to its image
Deployment web: "drop" => "add":["NET_RAW"],"drop" => has capabilities
Deployment worker: ServiceAccountToken":false => ServiceAccountToken":true => gets the cluster's token
Deployment worker: "startupProbe" => "readinessProbe" => lacks a probe
Deployment worker: /health/live => /health/ready => killed when it is only not ready
Deployment web: GracePeriodSeconds":45 => GracePeriodSeconds":30 => killed before it has ended
ConfigMap settings: "SALES_INBOX" => "SALES_BOX" => nobody reads SALES_BOX
ConfigMap settings: "RETENTION_DAYS":"30" => "RETENTION_DAYS":"soon" => RETENTION_DAYS must be
ConfigMap settings: "SITE_URL":"https:// => "SITE_URL":"https://me:word@ => SITE_URL holds a password
ConfigMap settings: "RESUMES_URL":"s3:// => "RESUMES_URL":"nfs:// => RESUMES_URL must be a URL
Deployment worker: "path":"smtp-url" => "path":"smtp" => SMTP_URL_FILE is no file of a Secret
Deployment api: "path":"database-url" => "path":"url" => DATABASE_URL_FILE is no file of a Secret
Deployment web: "image":"kitewright/web: => "image":"kitewright/web:0.0. => image kitewright/web:0.0.
Deployment api: "selector":{"matchLabels":{"app => "selector":{"matchLabels":{"app2 => does not select its own pods
Service api: name":"api"} => name":"api2"} => Service api: selects not one workload
Service web: "targetPort":"http" => "targetPort":"https" => port http has no Service
Deployment web: "path":"/healthz","port":"http" => "path":"/healthz","port":"https" => a probe asks port https
Deployment api: "configMapRef":{"name":"settings => "configMapRef":{"name":"other => there is no ConfigMap other
Ingress web: "port":{"name":"http"} => "port":{"name":"https"} => Ingress web: leads to web:https
PodDisruptionBudget api: name":"api"} => name":"api2"} => PodDisruptionBudget api: selects nothing
ScaledObject worker: "name":"worker"},"triggers" => "name":"workers"},"triggers" => ScaledObject worker: scales nothing
ScaledObject worker: kitewright_delivery_jobs => kitewright_jobs => no metric kitewright_jobs
NetworkPolicy api: "port":3000 => "port":3001 => NetworkPolicy api: opens port 3001
NetworkPolicy web: "podSelector":{"matchLabels":{ => "podSelector":{"matchLabels":{"of":"none", => web: selects nothing`;

let overlays: ReadonlyMap<string, readonly Manifest[]>;
test.beforeAll(() => {
  const kustomize = offerKustomize();
  test.skip(kustomize === undefined, 'needs kustomize');
  if (kustomize !== undefined) overlays = buildOverlays(kustomize);
});

const bySchemas = (manifests: readonly Manifest[]) => schemaProblems(new Map([['production', manifests]]));

for (const [mistakes, problemsOf] of [
  [BY_SCHEMAS, bySchemas],
  [BY_RULES, ruleProblems],
] as const) {
  for (const mistake of mistakes.trim().split('\n')) {
    test(`a mistake is found: ${mistake}`, () => {
      const [, manifest = '', from = '', to = '', finding = ''] =
        /^(\w+ \w+): (.+) => (.+) => (.+)$/.exec(mistake) ?? [];
      const production = overlays.get('production') ?? [];
      const before = production.find((one) => `${one.kind} ${nameOf(one)}`.startsWith(manifest));
      const text = JSON.stringify(before);
      expect(text).toContain(from);
      const after = JSON.parse(text.replace(from, to)) as Manifest;
      expect(problemsOf(production.map((one) => (one === before ? after : one))).join('\n')).toContain(finding);
    });
  }
}
