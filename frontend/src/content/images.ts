/** Pictures of the site by key: intrinsic size and the widths that exist. Written by `npm run art`. */
export const images = {
  'services/custom-software': { width: 1600, height: 900, widths: [480, 800, 1200, 1600, 2400] },
  'services/web-development': { width: 1600, height: 900, widths: [480, 800, 1200, 1600, 2400] },
  'services/mobile-development': { width: 1600, height: 900, widths: [480, 800, 1200, 1600, 2400] },
  'services/emerging-tech': { width: 1600, height: 900, widths: [480, 800, 1200, 1600, 2400] },
  'services/agentic-ai': { width: 1600, height: 900, widths: [480, 800, 1200, 1600, 2400] },
  'services/sap-consulting': { width: 1600, height: 900, widths: [480, 800, 1200, 1600, 2400] },
  'services/dynamics-crm': { width: 1600, height: 900, widths: [480, 800, 1200, 1600, 2400] },
  'services/staff-augmentation': { width: 1600, height: 900, widths: [480, 800, 1200, 1600, 2400] },
  'services/dedicated-teams': { width: 1600, height: 900, widths: [480, 800, 1200, 1600, 2400] },
  'services/software-outsourcing': { width: 1600, height: 900, widths: [480, 800, 1200, 1600, 2400] },
  'services/resource-outsourcing': { width: 1600, height: 900, widths: [480, 800, 1200, 1600, 2400] },
  'team/team-meeting': { width: 1600, height: 900, widths: [480, 800, 1200, 1600, 2400] },
} as const;

export type ImageKey = keyof typeof images;
