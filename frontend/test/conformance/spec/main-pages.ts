import { action, ANY, figures, heading, item, section, text, type PageQuotes } from '../quote.ts';

/** Sections 2.3 to 2.7 of the specification. */
export const mainPages: readonly PageQuotes[] = [
  {
    path: '/',
    inOrder: [
      heading('Building the Future of Software'),
      action('Start Your Project', '/contact'),
      text('100% Success Rate'),
      text('Global Delivery'),
      figures(['50+', 'Projects Delivered'], ['40+', 'Happy Clients'], ['3', 'Global Offices'], ['10+', 'Years Experience']),
      section(ANY, [/^Custom Software/, /^Web/, /^Mobile/, /^SAP/, /^Dynamics CRM/, 'Staff Augmentation', 'Dedicated Teams', 'Software Outsourcing']),
      action('Explore All Services', '/services'),
      section(/^Why choose/, ['Fast & Agile Development', 'Enterprise-Grade Security', '24/7 Support']),
      heading("Let's Build Something Amazing Together"),
      action('Learn About Our Team', '/about'),
    ],
  },
  {
    path: '/about',
    inOrder: [
      heading('Young Ambitious People Enhancing Your Business'),
      section(/mission/i, ['Excellence Driven', 'Innovation First', 'Trust & Reliability']),
      text(/2014/),
      figures(['10+', 'Years'], ['50+', 'Projects'], ['40+', 'Clients'], ['100%', 'On-Time Delivery']),
      section(/core values/i, ['Innovation', 'Quality', 'Client-Centric', 'Agility']),
      heading('Our Story'),
      section(/expertise/i, ['Website Application Development', 'Desktop Applications', 'Mobile Application Development']),
      section(/values/i, ['Client Success', 'On-Time Delivery', 'Competitive Edge', 'Innovation']),
    ],
    anywhere: [text(/incorporated in 2014|incorporated 2014/i), text('50+ experts')],
  },
  {
    path: '/services',
    inOrder: [
      heading('Flexible Development Teams & Outsourcing Solutions'),
      figures(['50+', 'Skilled Developers'], ['50+', 'Successful Engagements'], ['3', 'Engagement Models']),
      section(ANY, ['Staff Augmentation', 'Dedicated Teams', 'Software Outsourcing']),
      item('Staff Augmentation', 'Starting from $2,500/month', 'Immediate deployment'),
      item('Dedicated Teams', 'Starting from $8,000/month', '2-4 weeks setup'),
      item('Software Outsourcing', 'Starting from $15,000', '3-12 months'),
      section('What Sets Us Apart', 4),
      figures(['50+', 'Projects Completed'], ['50+', 'Expert Developers'], ['99%', 'Client Satisfaction'], ['5+', 'Industries Served']),
    ],
    anywhere: [text(/property management/i), text(/school management/i), text(/OTT platforms/)],
  },
  {
    path: '/contact',
    inOrder: [
      action('Start Your Project', '#contact-form-section'),
      section('Why Choose Us', ['Quick Response', '24/7 Support', 'Free Consultation']),
      section('Our Global Offices', ['SEZ office', 'Registered Office', 'South Africa']),
      section(ANY, [/how long.*deliver/i, /support.*launch/i, /existing.*stack/i, /engagement models/i, /train/i, /data secure|security/i, /migrate/i, /industries/i]),
    ],
    anywhere: [text(/24 hours/), text(/4-12 weeks/)],
  },
  {
    path: '/careers',
    inOrder: [
      action('View Open Positions', '#open-positions'),
      action('Submit Resume', '#application'),
      section(ANY, 4),
      section(ANY, ['Android Developer']),
      item('Android Developer', 'Mobile Development', 'Full-time', /2 years/, 'India'),
      text('Posted on September 1, 2025'),
      action('Apply for this Position', '#application'),
      heading('About the Role'),
      heading('Responsibilities'),
      heading('Requirements'),
      heading('Good to Have'),
      heading("Don't see a perfect match?"),
      action('Send Your Resume', '#application'),
      section(/benefits/i, 6),
      action('Send Your Resume', '#application'),
    ],
    anywhere: [action(ANY, '/about'), action(/^careers@/, /^mailto:careers@/), text(/20%/)],
  },
];
