import type { Hue } from './palette.ts';
import { explodedPlan } from './scenes/exploded-plan.ts';
import { flight } from './scenes/flight.ts';
import { hexecontahedron } from './scenes/hexecontahedron.ts';
import { kiteTrain } from './scenes/kite-train.ts';
import { ledgers } from './scenes/ledgers.ts';
import { meeting } from './scenes/meeting.ts';
import { metamorphosis } from './scenes/metamorphosis.ts';
import { penrose } from './scenes/penrose.ts';
import { rosette } from './scenes/rosette.ts';
import { screens } from './scenes/screens.ts';
import { swarm } from './scenes/swarm.ts';
import { tetrahedra } from './scenes/tetrahedra.ts';
import { vacancy } from './scenes/vacancy.ts';
import type { Scene } from './stage.ts';

/** What every picture shows, by its name in `content/images`. */
export const scenes: Readonly<Record<string, { readonly hue: Hue; readonly scene: Scene }>> = {
  'services/custom-software': { hue: 'purple-600', scene: explodedPlan },
  'services/web-development': { hue: 'blue-600', scene: metamorphosis },
  'services/mobile-development': { hue: 'green-600', scene: screens },
  'services/emerging-tech': { hue: 'sky', scene: penrose },
  'services/agentic-ai': { hue: 'teal', scene: swarm },
  'services/sap-consulting': { hue: 'indigo-600', scene: ledgers },
  'services/dynamics-crm': { hue: 'cyan-600', scene: rosette },
  'services/staff-augmentation': { hue: 'orange-600', scene: vacancy },
  'services/dedicated-teams': { hue: 'pink-600', scene: kiteTrain },
  'services/software-outsourcing': { hue: 'red-600', scene: hexecontahedron },
  'services/resource-outsourcing': { hue: 'amber', scene: tetrahedra },
  'team/team-meeting': { hue: 'orange-600', scene: meeting },
  // Behind the title of a page without a picture of its own, where the page is shared.
  'social-card': { hue: 'sky', scene: flight(7) },
};
