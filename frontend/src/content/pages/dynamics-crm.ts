import { figures } from '../company.ts';
import type { Exactly } from '../elements.ts';
import type { Page } from '../model.ts';
import type { Feature, ProcessStep } from '../sections.ts';

/** Spec 2.11, "Dynamics CRM Services". */
export const page = {
  path: '/services/dynamics-crm',
  name: 'Dynamics CRM Services',
  title: 'Microsoft Dynamics CRM Services | Kitewright',
  description:
    'Dynamics 365 set up around the way you sell and serve: implementation, customisation, integration, migration, automation and support for every module.',
  keywords: [
    'Dynamics CRM services',
    'Dynamics 365 implementation',
    'Dynamics 365 customisation',
    'CRM data migration',
    'Power Platform automation',
    'Dynamics 365 integration',
    'CRM consulting',
  ],
  hue: 'cyan-600',
  serviceType: 'CRM consulting and implementation',
  hero: {
    kicker: 'CRM consulting',
    heading: 'Dynamics CRM Services',
    lead: 'Sales, service and finance should see the same customer. We set up Microsoft Dynamics 365 so that keeping the record is easier than avoiding it, then connect it to the systems you already run.',
    actions: [{ label: 'Plan Your CRM', href: '/contact' }],
    art: { key: 'services/dynamics-crm', alt: '' },
  },
  sections: [
    {
      kind: 'prose',
      heading: 'Why CRM projects disappoint',
      paragraphs: [
        'Rarely because of the software. The usual reasons are forty mandatory fields that help nobody who fills them in, old data imported with all its duplicates, and a launch day after which no one listens. Salespeople go back to their notebooks, and the forecast is a guess again.',
        'So we begin with the three screens people will use most and make them quick. A field has to earn its place: somebody must be able to say which decision it changes. And we plan the weeks after launch with the same care as the build, because that is when habits form.',
      ],
    },
    {
      kind: 'features',
      shape: 'cards',
      heading: 'What we do with Dynamics',
      items: [
        {
          icon: 'rocket',
          title: 'Implementation',
          description:
            'A first working release for one team, on standard features as far as they carry, then team by team.',
          bullets: ['Licence and environment plan', 'Security roles and business units', 'Business process flows'],
        },
        {
          icon: 'puzzle',
          title: 'Customisation',
          description:
            'Your terms, your stages, your rules, packaged as solutions that survive the two yearly release waves.',
          bullets: ['Dataverse tables and model-driven apps', 'C# plug-ins and custom APIs', 'PCF controls'],
        },
        {
          icon: 'link',
          title: 'Integration',
          description: 'Orders, invoices and stock beside the conversation, so nobody has to ask the back office.',
          bullets: [
            'SAP, Business Central and other ERPs',
            'Outlook, Teams and SharePoint',
            'Website forms and telephony',
          ],
        },
        {
          icon: 'database',
          title: 'Data migration',
          description:
            'From spreadsheets, another CRM or on-premises versions: cleaned, matched and rehearsed before the switch.',
          bullets: ['Duplicate detection and merge rules', 'History and attachments', 'Reconciled record counts'],
        },
        {
          icon: 'workflow',
          title: 'Automation and reporting',
          description:
            'Reminders, approvals and handovers happen by themselves, and managers read figures that staff recognise.',
          bullets: ['Power Automate flows', 'Power BI dashboards', 'Canvas apps for the field'],
        },
        {
          icon: 'headphones',
          title: 'Training and support',
          description: 'Short lessons by role with your own records, then a help desk that can read the configuration.',
          bullets: ['Administrator handover', 'Release-wave testing', 'Adoption review'],
        },
      ] satisfies Exactly<6, Feature>,
    },
    {
      kind: 'features',
      shape: 'rows',
      heading: 'The six modules we work with',
      intro:
        'They share one database, Dataverse. Begin with the one that hurts most; the others can join later without another migration.',
      items: [
        {
          icon: 'trending-up',
          title: 'Sales',
          description:
            'Leads, opportunities, quotes and forecasts. The pipeline stages are yours, and each has a written test for moving on.',
        },
        {
          icon: 'headphones',
          title: 'Customer Service',
          description:
            'Cases, queues, entitlements and a knowledge base. Service levels run on your business hours and warn before they break.',
        },
        {
          icon: 'phone',
          title: 'Contact Center',
          description:
            'Voice, chat and messaging arrive in one agent workspace with the customer’s history already open.',
        },
        {
          icon: 'truck',
          title: 'Field Service',
          description:
            'Work orders, scheduling by skill and travel, parts on the van, and a mobile app that works in the basement.',
        },
        {
          icon: 'target',
          title: 'Customer Insights',
          description:
            'Profiles unified from several sources, and journeys that stop when the customer has bought or complained.',
        },
        {
          icon: 'briefcase',
          title: 'Project Operations',
          description:
            'Quotes that become projects, with resourcing, time, expenses and billing milestones in one place.',
        },
      ] satisfies Exactly<6, Feature>,
    },
    {
      kind: 'process',
      heading: 'How an implementation runs',
      intro: 'Four steps for the first team. Each further team repeats the last three, and they get shorter.',
      steps: [
        {
          step: '01',
          title: 'Listen and measure',
          description:
            'We spend time beside people who sell and serve, read the spreadsheets they keep in secret and agree which three figures should move.',
          deliverables: ['Process notes by role', 'Fit-gap list', 'Licence estimate'],
        },
        {
          step: '02',
          title: 'Configure and show',
          description:
            'A prototype in a real Dynamics environment replaces the thick specification. Your people use it, object, and see the change at the next demonstration.',
          deliverables: ['Working prototype', 'Data model', 'Integration design'],
        },
        {
          step: '03',
          title: 'Build and rehearse',
          description:
            'Solutions move from development to test to production by pipeline. The migration runs as often as it takes for the counts to agree.',
          deliverables: ['Managed solutions', 'Trial migrations with report', 'Acceptance tests by role'],
        },
        {
          step: '04',
          title: 'Go live and stay',
          description:
            'We sit with your teams in the first days and remove what annoys them. Usage is reviewed afterwards, and unused fields go.',
          deliverables: ['Cutover plan with a way back', 'Role training', 'Adoption review'],
        },
      ] satisfies Exactly<4, ProcessStep>,
    },
    {
      kind: 'features',
      shape: 'split',
      heading: 'Before you buy licences',
      intro: 'Three points that change the bill more than our day rate does.',
      items: [
        {
          title: 'Who needs a full licence',
          description:
            'People who only read, approve or report time can often use a Team Members or Power Apps licence. We count by task, with your list of users.',
        },
        {
          title: 'What the standard does already',
          description:
            'Each customisation is paid for again at every upgrade. We show the standard way first, and you decide with the cost beside it.',
        },
        {
          title: 'Where your data may live',
          description:
            'Region, retention and access by administrators are set when an environment is made and are hard to change later.',
        },
      ],
    },
    {
      kind: 'cta',
      heading: 'See it with your own records',
      intro: `Send us one process that annoys your team, for example from enquiry to quotation. We answer within ${figures.response} and can show it in a Dynamics environment in our first meeting. If your orders live in SAP, our [SAP consultants](/services/sap-consulting) take care of the other end.`,
      actions: [{ label: 'Arrange a Walk-Through', href: '/contact' }],
    },
  ],
} satisfies Page;
