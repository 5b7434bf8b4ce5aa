import type { Exactly } from '../elements.ts';
import type { Page } from '../model.ts';
import type { Feature, ProcessStep } from '../sections.ts';

/** Spec 2.11, "Emerging Technologies"; price, durations and team of section 9. */
export const page = {
  path: '/services/emerging-tech',
  name: 'Emerging Technologies',
  title: 'Emerging Technology Consulting | Kitewright',
  description:
    'AI, blockchain, IoT, extended reality, quantum and security, tested on your own problem. A proof of concept takes 4-8 weeks and starts at $25,000.',
  keywords: [
    'emerging technology consulting',
    'proof of concept development',
    'machine learning development',
    'blockchain development',
    'IoT and edge computing',
    'augmented and virtual reality',
    'post-quantum security',
  ],
  hue: 'sky',
  serviceType: 'Emerging technology consulting and development',
  hero: {
    kicker: 'From a question to a working proof',
    heading: 'Emerging Technologies',
    lead: 'New technology deserves a fair trial on your own data, with a result you can measure and a date on which to stop. We run that trial, then build what passed it.',
    actions: [
      { label: 'Book a free 2-hour consultation', href: '/contact' },
      { label: 'See the engagement models', href: '#engagement-models' },
    ],
    art: { key: 'services/emerging-tech', alt: '' },
  },
  sections: [
    {
      kind: 'features',
      shape: 'cards',
      heading: 'Six areas we work in',
      intro: 'For each one: where it already pays, and where we would advise you to wait.',
      items: [
        {
          icon: 'brain-circuit',
          title: 'AI/ML',
          description:
            'Forecasts, document reading, visual inspection and search in your own knowledge. It pays where you have examples of good decisions; it disappoints where nobody agrees what a good one is.',
          bullets: ['Demand and failure forecasting', 'Document extraction', 'Language models on private data'],
        },
        {
          icon: 'link',
          title: 'Blockchain/Web3',
          description:
            'Shared records between parties who do not trust a single owner. If one company can own the database, take the database: it is cheaper.',
          bullets: ['Provenance and traceability', 'Smart contracts with audits', 'Verifiable credentials'],
        },
        {
          icon: 'radio-tower',
          title: 'IoT/Edge',
          description:
            'Sensors, gateways and models that decide beside the machine when a round trip to the cloud is too slow or too dear.',
          bullets: ['MQTT and OPC UA collection', 'Inference on the gateway', 'Updates for devices in the field'],
        },
        {
          icon: 'glasses',
          title: 'Extended Reality (AR/VR/MR)',
          description:
            'Training for dangerous or rare tasks, remote assistance, and products seen in place before they exist. Comfort limits a session, so we design for short ones.',
          bullets: ['Guided maintenance', 'Simulator training', 'Product configurators in AR'],
        },
        {
          icon: 'atom',
          title: 'Quantum Computing',
          description:
            'Few firms have a use for quantum hardware today. We help you find out whether yours is one, on simulators first, and compare with the best classical solver.',
          bullets: ['Optimisation studies', 'Hybrid algorithms', 'Inventory of cryptography at risk'],
        },
        {
          icon: 'shield-check',
          title: 'Advanced Cybersecurity',
          description:
            'Attackers use new tools too. We bring zero-trust access, supply-chain checks and post-quantum migration into systems that already run.',
          bullets: ['Passkeys and zero trust', 'Signed builds with an SBOM', 'Threat modelling for AI systems'],
        },
      ] satisfies Exactly<6, Feature>,
    },
    {
      kind: 'features',
      shape: 'rows',
      heading: 'Industry solutions',
      items: [
        {
          icon: 'factory',
          title: 'Manufacturing',
          description:
            'Cameras on the line flag defects while the part can still be reworked. Vibration data tells the planner which spindle to service before the next long order.',
        },
        {
          icon: 'heart-pulse',
          title: 'Healthcare',
          description:
            'Referral letters are read, coded and queued with their source shown, so that a clinician confirms in seconds instead of typing. Patient data never leaves your tenancy.',
        },
        {
          icon: 'landmark',
          title: 'Financial services',
          description:
            'Unusual payments are scored with the reason beside the score, because a model that cannot explain itself will not pass your second line.',
        },
        {
          icon: 'truck',
          title: 'Logistics',
          description:
            'Temperature and shock are recorded at the pallet and sealed against later change, which settles claims between shipper, carrier and insurer.',
        },
        {
          icon: 'building-2',
          title: 'Property and construction',
          description:
            'Crews see pipes and cables through a tablet before they drill, drawn from the architect’s own model.',
        },
      ],
    },
    {
      kind: 'stack',
      heading: 'Technology stack',
      intro: 'We prefer open formats and portable models, so that an early choice does not tie you to its vendor.',
      technologies: [
        { name: 'PyTorch', category: 'AI/ML' },
        { name: 'scikit-learn', category: 'AI/ML' },
        { name: 'ONNX Runtime', category: 'AI/ML' },
        { name: 'MLflow', category: 'AI/ML' },
        { name: 'Solidity', category: 'Blockchain' },
        { name: 'Hyperledger Fabric', category: 'Blockchain' },
        { name: 'MQTT', category: 'IoT and edge' },
        { name: 'OPC UA', category: 'IoT and edge' },
        { name: 'Azure IoT Edge', category: 'IoT and edge' },
        { name: 'Unity', category: 'Extended reality' },
        { name: 'WebXR', category: 'Extended reality' },
        { name: 'Qiskit', category: 'Quantum' },
        { name: 'PennyLane', category: 'Quantum' },
        { name: 'OpenID Connect', category: 'Security' },
        { name: 'Sigstore', category: 'Security' },
      ],
    },
    {
      kind: 'process',
      heading: 'Our six-step methodology',
      steps: [
        {
          step: '01',
          title: 'Frame the question',
          description:
            'One decision, one measure and the value of getting it right. If today’s process has no number, we take one first.',
        },
        {
          step: '02',
          title: 'Check the ground',
          description:
            'Data, devices, law and people: what exists, what may be used, who would have to work differently.',
        },
        {
          step: '03',
          title: 'Prove it',
          description:
            'The smallest thing that can fail, on your data, against the simplest alternative. You see the result, good or bad.',
        },
        {
          step: '04',
          title: 'Design for real use',
          description: 'Security, cost per use, monitoring and the hand-back to a person when the system is unsure.',
        },
        {
          step: '05',
          title: 'Build and pilot',
          description:
            'A production version for one site or team, run beside the old way until the figures settle the argument.',
        },
        {
          step: '06',
          title: 'Scale and watch',
          description:
            'Roll-out, training for your engineers, and alarms for drift: models and devices age differently from code.',
        },
      ] satisfies Exactly<6, ProcessStep>,
    },
    {
      kind: 'pricing',
      heading: 'Pricing and timeline',
      facts: [
        { label: 'Starting investment', value: '$25,000', note: 'For proof-of-concept projects' },
        { label: 'Timeline', value: '4-15 months', note: 'From concept to deployment' },
        { label: 'Team size', value: '3-10 specialists', note: 'Researchers, engineers, a domain expert' },
      ],
      notes: [
        'Hardware, headsets and cloud usage are bought in your name at cost. We estimate them together with the work.',
        'A proof of concept ends with a recommendation to continue, change or stop. Stopping is a result, and you keep everything that was made.',
      ],
    },
    {
      kind: 'features',
      shape: 'columns',
      id: 'engagement-models',
      heading: 'Engagement models',
      items: [
        {
          icon: 'test-tube',
          title: 'Proof of Concept',
          description: '4-8 weeks. For a question that a demonstration cannot answer.',
          bullets: [
            'One use case, your data',
            'Measured against today’s process',
            'Technical report with running costs',
            'A clear go or no-go',
          ],
        },
        {
          icon: 'rocket',
          title: 'MVP Development',
          label: 'Most Popular',
          description: '3-6 months. For an idea whose proof has succeeded and now needs users.',
          bullets: [
            'Production-grade first release',
            'Pilot with a real team',
            'Monitoring and security review',
            '3 months of post-launch support',
          ],
        },
        {
          icon: 'handshake',
          title: 'Enterprise Partnership',
          description: 'Ongoing. For firms with several candidates and a board that wants a plan.',
          bullets: [
            'Standing team of specialists',
            'Portfolio of trials with stop dates',
            'Training for your own engineers',
            'Quarterly strategy reviews',
          ],
        },
      ] satisfies Exactly<3, Feature>,
    },
    {
      kind: 'cta',
      heading: 'Start with a free 2-hour consultation',
      intro:
        'Bring one problem and somebody who lives with it. You leave with our opinion on which technology fits, what a trial would cost and what could be done without any of it. For software that acts on its own, see [agentic AI](/services/agentic-ai).',
      actions: [{ label: 'Choose a Date', href: '/contact' }],
    },
  ],
} satisfies Page;
