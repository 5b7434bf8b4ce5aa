import { figures } from '../company.ts';
import type { Exactly, Stat } from '../elements.ts';
import type { Page } from '../model.ts';
import type { Feature, ProcessStep, StackSection } from '../sections.ts';

/** Spec 2.11, "Agentic AI"; figures of section 9. */
export const page = {
  path: '/services/agentic-ai',
  name: 'Agentic AI',
  title: 'Agentic AI Development | Kitewright',
  description:
    'Software agents that read, decide and act inside your systems, with limits you set and a log of every step. Quick proof of concept in 2 weeks.',
  keywords: [
    'agentic AI development',
    'AI agents for business',
    'autonomous workflow automation',
    'multi-agent systems',
    'AI customer service agents',
    'document processing automation',
    'Model Context Protocol integration',
  ],
  hue: 'teal',
  serviceType: 'Agentic AI development',
  hero: {
    kicker: 'Software that finishes the task',
    heading: 'Agentic AI',
    lead: 'An agent takes a case from your queue, gathers what it needs, acts in your systems and closes it, or hands it to a person with its notes. We build agents with narrow duties, clear limits and a record of each step.',
    actions: [
      { label: 'Request a Proof of Concept', href: '/contact' },
      { label: 'What agents can do', href: '#applications' },
    ],
    stats: [
      { value: '95%', label: 'Automation Rate' },
      { value: '60%', label: 'Cost Reduction' },
      { value: '24/7', label: 'Operation' },
      { value: '10x', label: 'Speed' },
    ] satisfies Exactly<4, Stat>,
    art: { key: 'services/agentic-ai', alt: '' },
  },
  sections: [
    {
      kind: 'prose',
      heading: 'What is agentic AI?',
      paragraphs: [
        'A chatbot answers. A script repeats. An agent is given a goal and a set of tools, works out the next step from what it finds, and checks its own result before going on. Ask it to settle a delivery complaint and it reads the message, looks up the order, asks the carrier’s system where the parcel is, applies your refund rules and writes to the customer.',
        'That freedom is why the surroundings matter more than the model. Each tool has the narrowest permission that works. Anything above a limit you set, a refund of a certain size or a change to a contract, waits for approval. Every step is stored with its inputs, so you can replay a case months later and see why it ended as it did.',
      ],
      facts: [
        { label: 'A chatbot', value: 'Answers a question' },
        { label: 'A script', value: 'Repeats fixed steps' },
        { label: 'An agent', value: 'Pursues a goal within limits' },
      ],
    },
    {
      kind: 'features',
      shape: 'cards',
      id: 'applications',
      heading: 'Six kinds of agent we build',
      items: [
        {
          icon: 'headphones',
          title: 'Customer service agents',
          description: 'Resolve requests from first message to booked outcome, in the channels you already answer.',
          bullets: ['Order, refund and booking changes', 'Answers that cite your policy', 'Handover with a summary'],
        },
        {
          icon: 'file-text',
          title: 'Document agents',
          description: 'Read invoices, claims and contracts, compare them with your records and post what agrees.',
          bullets: ['Three-way invoice matching', 'Clause and risk review', 'Exceptions sorted by cause'],
        },
        {
          icon: 'chart-line',
          title: 'Sales and research agents',
          description: 'Prepare the account manager: who the prospect is, what changed, what to offer next.',
          bullets: ['Lead research and scoring', 'Draft proposals', 'CRM kept up to date'],
        },
        {
          icon: 'code',
          title: 'Engineering agents',
          description: 'Take routine tickets through analysis, change, test and review request.',
          bullets: ['Dependency upgrades', 'Test generation', 'First look at every incident'],
        },
        {
          icon: 'workflow',
          title: 'Operations agents',
          description:
            'Carry a process across several systems that were never joined, such as onboarding or procurement.',
          bullets: ['Steps across ERP, CRM and e-mail', 'Deadlines watched', 'Approvals in chat'],
        },
        {
          icon: 'network',
          title: 'Multi-agent systems',
          description:
            'Several specialists under one coordinator, for work too broad for a single set of instructions.',
          bullets: ['Planner, workers and checker', 'Shared memory with access rules', 'Budget per case'],
        },
      ] satisfies Exactly<6, Feature>,
    },
    {
      kind: 'stack',
      heading: 'The stack underneath',
      intro:
        'Models change every few months. We keep them behind one interface, so a better or cheaper one can replace yours after it has passed the same tests.',
      technologies: [
        { name: 'Amazon Bedrock', category: 'Models' },
        { name: 'Google Vertex AI', category: 'Models' },
        { name: 'vLLM', category: 'Models' },
        { name: 'LangGraph', category: 'Orchestration' },
        { name: 'Temporal', category: 'Orchestration' },
        { name: 'Model Context Protocol', category: 'Tools' },
        { name: 'FastAPI', category: 'Tools' },
        { name: 'LlamaIndex', category: 'Knowledge' },
        { name: 'PostgreSQL with pgvector', category: 'Knowledge' },
        { name: 'Langfuse', category: 'Evaluation and tracing' },
        { name: 'OpenTelemetry', category: 'Evaluation and tracing' },
        { name: 'Python', category: 'Language' },
      ] satisfies Exactly<12, StackSection['technologies'][number]>,
    },
    {
      kind: 'process',
      heading: 'Four steps to an agent in service',
      steps: [
        {
          step: '01',
          title: 'Choose the task',
          description:
            'We look for work that is frequent, described somewhere and cheap to check. We also write down what the agent must never do, and who answers for it.',
          deliverables: [
            'Task description and limits',
            'Baseline of today’s cost and errors',
            'Data protection review',
          ],
        },
        {
          step: '02',
          title: 'Prove it in 2 weeks',
          description:
            'A quick proof of concept works on past cases whose outcome you know. It changes nothing in your systems; it shows what it would have done, and you mark the answers.',
          deliverables: ['Agent on historical cases', 'Scored results', 'Cost per case'],
        },
        {
          step: '03',
          title: 'Work beside people',
          description:
            'The agent proposes and your team approves with one click. Approval falls away type by type, as each earns it. Attempts to trick it through crafted messages are part of our tests.',
          deliverables: ['Connected tools', 'Approval screens', 'Evaluation suite'],
        },
        {
          step: '04',
          title: 'Run and improve',
          description:
            'Live traces, spending limits and a stop switch. Corrected cases join the tests, so no mistake can quietly return with the next model.',
          deliverables: ['Dashboard and alarms', 'Incident routine', 'Regular quality review'],
        },
      ] satisfies Exactly<4, ProcessStep>,
    },
    {
      kind: 'features',
      shape: 'metrics',
      heading: 'Business benefits, in figures',
      intro:
        'These are for routine, well-described work. In your own proof of concept you measure them on your own cases.',
      items: [
        {
          icon: 'bot',
          title: 'Fewer cases on the desk',
          description: 'Routine cases close without waiting for anybody; people see those that need judgement.',
          metric: '95%',
          metricLabel: 'Automation Rate',
        },
        {
          icon: 'circle-dollar-sign',
          title: 'A lower price per case',
          description: 'Model, hosting and supervision together, against handling the same case by hand.',
          metric: '60%',
          metricLabel: 'Cost Reduction',
        },
        {
          icon: 'clock',
          title: 'Nights and holidays covered',
          description: 'A request at three on a Sunday morning is handled by the same rules as one on a Tuesday.',
          metric: '24/7',
          metricLabel: 'Operation',
        },
        {
          icon: 'zap',
          title: 'Shorter waiting',
          description: 'Searching, copying and comparing happen in parallel, so answers leave on the same day.',
          metric: '10x',
          metricLabel: 'Speed',
        },
        {
          icon: 'target',
          title: 'The same answer every time',
          description: 'Rules are checked by code after the model has spoken, and a doubtful result goes to a person.',
          metric: '99.9%',
          metricLabel: 'Accuracy',
        },
        {
          icon: 'calendar',
          title: 'An early verdict',
          description: 'You learn whether the task suits an agent before you have paid for a project.',
          metric: '2 weeks',
          metricLabel: 'Quick Proof of Concept',
        },
      ] satisfies Exactly<6, Required<Pick<Feature, 'metric' | 'metricLabel'>> & Feature>,
    },
    {
      kind: 'cta',
      heading: 'Give us your dullest queue',
      intro: `Name one task your team is tired of and roughly how often it comes up. We tell you within ${figures.response} whether an agent is a good fit, or whether a plain [automation](/services/custom-software) would do it for less.`,
      actions: [{ label: 'Start a Proof of Concept', href: '/contact' }],
    },
  ],
} satisfies Page;
