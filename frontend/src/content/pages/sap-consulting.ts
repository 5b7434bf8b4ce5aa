import { figures } from '../company.ts';
import type { Exactly, Stat } from '../elements.ts';
import type { Page } from '../model.ts';
import type { Feature } from '../sections.ts';

/** Spec 2.11, "SAP Consulting & ABAP Development". The case story names no client and gives no figures. */
export const page = {
  path: '/services/sap-consulting',
  name: 'SAP Consulting & ABAP Development',
  title: 'SAP Consulting & ABAP Development | Kitewright',
  description: `SAP consultants and ABAP developers for roll-outs, S/4HANA moves, Variant Configuration and support. ${figures.years} years of experience, from order to shop floor.`,
  keywords: [
    'SAP consulting',
    'ABAP development',
    'SAP S/4HANA migration',
    'SAP Variant Configuration',
    'SAP SD MM PP consultants',
    'SAP Fiori development',
    'SAP application support',
  ],
  hue: 'indigo-600',
  serviceType: 'SAP consulting and ABAP development',
  hero: {
    kicker: 'ERP consulting',
    heading: 'SAP Consulting & ABAP Development',
    lead: 'Consultants who know the process and developers who know the code, in one team. We introduce, extend and look after SAP, above all where products are made to order.',
    actions: [
      { label: 'Discuss Your SAP Project', href: '/contact' },
      { label: 'Variant Configuration explained', href: '#variant-configuration' },
    ],
    stats: [
      { value: figures.years, label: 'Years of Experience' },
      { value: '8', label: 'Functional Modules' },
    ] satisfies Exactly<2, Stat>,
    art: { key: 'services/sap-consulting', alt: '' },
  },
  sections: [
    {
      kind: 'features',
      shape: 'columns',
      heading: 'Our offerings, before, during and after',
      items: [
        {
          icon: 'compass',
          title: 'Pre-Implementation',
          description: 'Decisions that are cheap on paper and dear later.',
          bullets: [
            'Process and gap analysis',
            'S/4HANA: new start, conversion or selective move',
            'Inventory of custom code',
            'Business case and roadmap',
          ],
        },
        {
          icon: 'settings',
          title: 'Implementation',
          description: 'The project itself, starting from the standard.',
          bullets: [
            'Configuration and key-user workshops',
            'ABAP extensions, forms and interfaces',
            'Data migration in rehearsed loads',
            'Integration tests, training, cutover',
          ],
        },
        {
          icon: 'headphones',
          title: 'Post-Implementation',
          description: 'The years in which the investment has to pay.',
          bullets: [
            'Hypercare after go-live',
            'Support by agreed priorities',
            'Upgrades, notes and regression tests',
            'Tuning, and roll-outs to further plants',
          ],
        },
      ] satisfies Exactly<3, Feature>,
    },
    {
      kind: 'features',
      shape: 'cards',
      heading: 'Functional modules',
      intro: 'Eight modules, from order to cash, from purchase to payment and from plan to product.',
      items: [
        {
          icon: 'shopping-cart',
          title: 'SD: Sales and Distribution',
          description: 'Pricing procedures, availability checks, delivery, billing and returns.',
        },
        {
          icon: 'boxes',
          title: 'MM: Materials Management',
          description: 'Sourcing, release strategies, inventory, valuation and three-way invoice matching.',
        },
        {
          icon: 'factory',
          title: 'PP: Production Planning',
          description: 'BOMs, routings, MRP and capacity, for discrete, process and repetitive manufacturing.',
        },
        {
          icon: 'landmark',
          title: 'FI: Financial Accounting',
          description: 'Universal Journal, receivables, payables, assets, tax and a quicker close.',
        },
        {
          icon: 'chart-column',
          title: 'CO: Controlling',
          description: 'Cost centres, product costing, order settlement and margin analysis.',
        },
        {
          icon: 'clipboard-check',
          title: 'QM: Quality Management',
          description: 'Inspection plans and lots, usage decisions, notifications and certificates.',
        },
        {
          icon: 'wrench',
          title: 'PM: Plant Maintenance',
          description: 'Equipment, maintenance plans, work orders, spare parts and shutdowns.',
        },
        {
          icon: 'store',
          title: 'WM/EWM: Warehouse Management',
          description: 'Bins, waves, mobile scanning, and the move from classic WM to EWM.',
        },
      ] satisfies Exactly<8, Feature>,
    },
    {
      kind: 'stack',
      heading: 'Technical expertise',
      intro:
        'We extend through released interfaces and keep the core clean. Older modifications are listed, tested and retired one by one, so that upgrades become routine.',
      technologies: [
        { name: 'ABAP Objects', category: 'Development' },
        { name: 'RAP and ABAP Cloud', category: 'Development' },
        { name: 'CDS views and AMDP', category: 'Development' },
        { name: 'BAdIs and enhancements', category: 'Development' },
        { name: 'Fiori and SAPUI5', category: 'Screens and forms' },
        { name: 'Adobe Forms and SmartForms', category: 'Screens and forms' },
        { name: 'ALV reports', category: 'Screens and forms' },
        { name: 'IDoc, BAPI and RFC', category: 'Integration' },
        { name: 'OData services', category: 'Integration' },
        { name: 'SAP Integration Suite', category: 'Integration' },
        { name: 'Migration Cockpit and LSMW', category: 'Data and quality' },
        { name: 'ATC and ABAP Unit', category: 'Data and quality' },
        { name: 'SQL trace and ABAP profiling', category: 'Data and quality' },
        { name: 'SPDD and SPAU adjustment', category: 'Data and quality' },
      ],
    },
    {
      kind: 'prose',
      id: 'variant-configuration',
      heading: 'Variant Configuration explained',
      paragraphs: [
        'A pump sold in six sizes, five materials, four seals and nine voltages is a thousand products on paper and one product in the workshop. Without configuration, somebody creates a material, a bill of materials and a routing for each combination that a customer happens to order, usually while the customer waits.',
        'SAP Variant Configuration (LO-VC, or its successor AVC in S/4HANA) keeps one configurable material instead. Its characteristics are the questions you ask the customer. A super BOM and a super routing hold every part and operation that may be needed, and dependencies pick from them: selection conditions choose parts, constraints and variant tables rule out what cannot be built, procedures derive values and surcharges.',
        'The model pays off when it is small. We build it together with your design engineers, test it with orders you have shipped, and hand it over to a person in your firm who can maintain it.',
      ],
      facts: [
        { label: 'Characteristics', value: 'What the customer chooses' },
        { label: 'Dependencies', value: 'What fits together' },
        { label: 'Super BOM', value: 'Every part that may be needed' },
        { label: 'Super routing', value: 'Every operation that may be needed' },
        { label: 'Variant conditions', value: 'What each choice costs' },
      ],
    },
    {
      kind: 'features',
      shape: 'rows',
      heading: 'Seven advantages of Variant Configuration',
      items: [
        {
          title: 'One material instead of thousands',
          description:
            'A product line is one record with its characteristics. Nobody searches for, copies or cleans up almost identical material numbers.',
        },
        {
          title: 'Only what can be built is sold',
          description:
            'Constraints refuse an impossible combination while the order is being typed, long before a fitter finds it.',
        },
        {
          title: 'The price follows the choice',
          description:
            'Surcharges and discounts belong to values. A quotation is complete when the last question is answered.',
        },
        {
          title: 'The right parts and operations',
          description:
            'BOM and routing explode from the order. The shop floor sees the components of this one machine.',
        },
        {
          title: 'True cost per order',
          description:
            'Each configuration is costed from its own parts and operations, which shows the options that lose money.',
        },
        {
          title: 'A shorter road to production',
          description:
            'Engineering leaves the path of standard orders and keeps its time for those that are truly special.',
        },
        {
          title: 'Changes made once',
          description: 'Replace a seal in the super BOM with a change number and date, and every later order follows.',
        },
      ] satisfies Exactly<7, Feature>,
    },
    {
      kind: 'features',
      shape: 'split',
      heading: 'The delivery model',
      intro: 'One accountable lead, and two places of work.',
      items: [
        {
          title: 'On site, with your key users',
          description:
            'Workshops, acceptance tests, training and cutover happen where the process happens. The lead consultant stays the same from the first workshop to hypercare.',
        },
        {
          title: 'Offshore, with our developers',
          description:
            'Specifications turn into configuration, ABAP and tests in our offices, overlapping with your working day. Each transport passes code review and ATC first.',
        },
        {
          title: 'Together, every week',
          description:
            'One backlog, one list of open points and one demonstration in your own quality system. Fixed price by phase, or by the day: you choose per phase.',
        },
      ],
    },
    {
      kind: 'story',
      heading: 'A manufacturing case',
      intro: 'A situation we meet often, told without names.',
      parts: [
        {
          title: 'The situation',
          paragraphs: [
            'A maker of industrial equipment quoted from spreadsheets. Sales asked engineering whether an option would fit, engineering created new materials by copying old ones, and production found mistakes at assembly. Nobody could say which variants earned money.',
          ],
        },
        {
          title: 'The work',
          paragraphs: [
            'We modelled one product line with sales and design in the same room, and wrote the rules down as tables that both could read. Past orders served as test cases. SD pricing, the super BOM and PP routings came next, followed by QM inspections that depend on the chosen options. The remaining lines followed the same pattern, built by the customer’s own modeller with our review.',
          ],
        },
        {
          title: 'The result',
          paragraphs: [
            'Sales now finishes standard quotations without a call to engineering. Orders reach the plan complete, wrong parts at assembly have become an exception, and controlling sees the margin of every option.',
          ],
        },
      ],
    },
    {
      kind: 'features',
      shape: 'columns',
      heading: 'Four service groups to choose from',
      items: [
        {
          icon: 'messages-square',
          title: 'Consulting',
          bullets: ['Process design by module', 'S/4HANA readiness', 'Project rescue and audit'],
        },
        {
          icon: 'code',
          title: 'ABAP development',
          bullets: ['Reports, forms, enhancements', 'Fiori apps', 'Custom code migration'],
        },
        {
          icon: 'link',
          title: 'Integration and data',
          bullets: ['Interfaces to shop floor and web', 'Data migration', 'Archiving'],
        },
        {
          icon: 'shield-check',
          title: 'Support and training',
          bullets: ['Functional and technical support', 'Key-user training', 'Specialists by the month'],
        },
      ] satisfies Exactly<4, Feature>,
    },
    {
      kind: 'cta',
      heading: 'Talk to a consultant',
      intro: `Tell us your release, the modules you use and what hurts. Within ${figures.response} a consultant for that module answers, and the first conversation is free.`,
      actions: [{ label: 'Contact an SAP Consultant', href: '/contact' }],
    },
  ],
} satisfies Page;
