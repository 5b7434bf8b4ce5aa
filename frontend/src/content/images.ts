/** Pictures of the site by key: intrinsic size and the widths that exist. Written by `npm run art`. */
export const images = {
  'services/custom-software': { width: 1600, height: 900, widths: [480, 800, 1200, 1600] },
  'services/web-development': { width: 1600, height: 900, widths: [480, 800, 1200, 1600] },
  'services/mobile-development': { width: 1600, height: 900, widths: [480, 800, 1200, 1600] },
  'services/emerging-tech': { width: 1600, height: 900, widths: [480, 800, 1200, 1600] },
  'services/agentic-ai': { width: 1600, height: 900, widths: [480, 800, 1200, 1600] },
  'services/sap-consulting': { width: 1600, height: 900, widths: [480, 800, 1200, 1600] },
  'services/dynamics-crm': { width: 1600, height: 900, widths: [480, 800, 1200, 1600] },
  'services/staff-augmentation': { width: 1600, height: 900, widths: [480, 800, 1200, 1600] },
  'services/dedicated-teams': { width: 1600, height: 900, widths: [480, 800, 1200, 1600] },
  'services/software-outsourcing': { width: 1600, height: 900, widths: [480, 800, 1200, 1600] },
  'services/resource-outsourcing': { width: 1600, height: 900, widths: [480, 800, 1200, 1600] },
  'team/team-meeting': { width: 1600, height: 900, widths: [480, 800, 1200, 1600] },
} as const;

export type ImageKey = keyof typeof images;
