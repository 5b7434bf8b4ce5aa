import { ANY, heading, item, section, text, type PageQuotes } from '../quote.ts';

/** Section 2.12 of the specification. */
export const resourcePages: readonly PageQuotes[] = [
  {
    path: '/services/dedicated-teams',
    inOrder: [
      heading('Dedicated Teams'),
      text('50+ Projects'),
      text('Complete Teams'),
      section('Complete Team Structure', ['Project Manager', 'Development Team', 'UI/UX Designer', 'QA Specialist', 'Business Analyst', 'Technical Lead']),
      section('Choose Your Perfect Team Model', ['Startup', 'Growth', 'Enterprise', 'Specialized']),
      item('Startup', '2-4 people'),
      item('Growth', '5-8 people'),
      item('Enterprise', '8-15 people'),
      item('Specialized', '3-10 people'),
      section('Why Choose Dedicated Teams?', [
        'Focused Dedication',
        'Faster Time-to-Market',
        'Proven Processes',
        'Cost Predictability',
        'Scalable Resources',
        'Direct Communication',
      ]),
      item('Cost Predictability', /fixed monthly costs/i),
      section(ANY, ['Project Analysis', 'Team Assembly', 'Team Introduction', 'Project Kickoff']),
    ],
  },
  {
    path: '/services/software-outsourcing',
    inOrder: [
      heading('Software Outsourcing'),
      text('Global Delivery'),
      text('24/7 Development'),
      section(ANY, ['Requirements Analysis', 'Custom Development', 'UI/UX Design', 'Quality Assurance', 'Deployment & DevOps', 'Support & Maintenance']),
      section(ANY, 6),
      section(/industries served/i, ['Healthcare', 'Financial Services', 'E-commerce', 'Education', 'Manufacturing', 'Real Estate', 'Logistics', 'Entertainment']),
      section(ANY, ['Discovery & Planning', 'Design & Architecture', 'Development & Testing', 'Launch & Support']),
    ],
    anywhere: [text('Reduce development costs by up to 60%')],
  },
  {
    path: '/services/resource-outsourcing',
    inOrder: [
      heading('Resource Outsourcing'),
      text('50+ Developers Available'),
      text('Flexible Engagement'),
      section(ANY, ['Dedicated Teams', 'Project-Based', 'Staff Augmentation']),
      item('Project-Based', /milestone-based payments/i),
      section(/skills portfolio/i, ['Frontend', 'Backend', 'Mobile', 'DevOps']),
      section(ANY, ['Requirement Assessment', 'Team Selection', 'Onboarding & Setup', 'Project Execution']),
      item('Requirement Assessment', /^01/),
      item('Team Selection', /^02/),
      item('Onboarding & Setup', /^03/),
      item('Project Execution', /^04/),
      section(ANY, ['Rapid Deployment', 'Scalable Teams', 'Global Talent']),
      item('Rapid Deployment', '1-2 weeks'),
      item('Scalable Teams', '1 to 50+ developers'),
    ],
  },
];
