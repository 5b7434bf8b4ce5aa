import type { ILabelSelector } from '@kubernetes-models/apimachinery/apis/meta/v1/LabelSelector';
import type { Labels } from './manifest.ts';

/** Whether labels are what a selector asks for. Of its operators only `In` is in use. */
export function fits({ matchLabels = {}, matchExpressions = [] }: ILabelSelector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => operator === 'In' && values.includes(labels[key] ?? ''))
  );
}
