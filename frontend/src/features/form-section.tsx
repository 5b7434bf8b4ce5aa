import type { Form } from 'form-service/contract/define-form';
import { formOf } from 'form-service/contract/forms';
import { motif, type SectionOf } from 'virtual:content';
import { Points } from '../components/ui/points.tsx';
import { Section } from '../components/ui/section.tsx';
import { Island } from './island.tsx';

/** Place of the promises: below the form and the kite, or next to the form. */
const PROMISES = {
  kite: { className: 'mt-12 lg:col-span-2', columns: 'lg:grid-cols-3' },
  none: { className: 'max-lg:mt-12 lg:row-start-1', columns: '' },
} as const;

/**
 * A form, and next to it a kite on a string that the submit button holds; it rises with each field that is filled in.
 * Below both are the promises. The style sheet counts the fields, so the kite rises without script.
 */
export const FormSection = ({ section }: { section: SectionOf<'form'> }) => (
  <Section {...section} ground="tint" quiet>
    <div className="grid gap-x-cell gap-y-6 lg:grid-cols-[5fr_7fr]">
      <div className="col-start-1 row-start-1 lg:col-start-2">
        <Island form={formOf(section.form) as Form} />
      </div>
      {motif === 'kite' && <RisingKite />}
      {section.promises && <Points points={section.promises} {...PROMISES[motif]} />}
    </div>
  </Section>
);

/** Wind and string are stretched to the height of the form, the kite is only moved. A phone has a string of its own. */
const RisingKite = () => (
  <div className="rising-kite" data-rising-kite="" aria-hidden="true">
    <svg className="max-lg:hidden" viewBox="0 0 100 100" preserveAspectRatio="none" fill="none">
      <path className="stroke-hue/20" d="M0-12C26-20 36-4 56-10S78-22 88-20M8 50C30 42 40 58 62 52S84 40 94 42" />
      <path data-string="" className="stroke-ink stroke-2" d="M42 0C47 40 44 88 66 97S92 100 100 100" />
    </svg>
    <div>
      <svg className="size-full" viewBox="190 44 320 480" fill="none">
        <path
          className="fill-kite-1"
          d="M478 264Q437 171 411 74L424 48Q454 166 505 277zM395 105Q336 142 276 172L252 162Q333 124 411 74z"
        />
        <path
          className="fill-kite-2"
          d="M403 227Q388 186 374 144L395 105Q416 177 444 247zM223 463Q350 352 478 264L505 277Q351 380 197 518z"
        />
        <path
          className="fill-kite-3"
          d="M346 199L374 144Q388 186 403 227zM444 247Q416 177 395 105L411 74Q437 171 478 264zM293 313Q348 268 403 227L444 247Q349 315 254 396zM411 74Q333 124 252 162L233 155Q330 110 424 48z"
        />
        <path
          className="fill-kite-4"
          d="M346 199L403 227Q348 268 293 313zM254 396Q349 315 444 247L478 264Q350 352 223 463zM252 162Q245 305 223 463L197 518Q226 325 233 155zM374 144Q340 165 305 183L276 172Q336 142 395 105z"
        />
        <path
          className="fill-kite-5"
          d="M305 183Q300 247 293 313L254 396Q269 279 276 172zM346 199L305 183Q340 165 374 144z"
        />
        <path
          className="fill-kite-6"
          d="M346 199L293 313Q300 247 305 183zM276 172Q269 279 254 396L223 463Q245 305 252 162z"
        />
        <path
          className="stroke-ink stroke-2"
          strokeLinejoin="round"
          d="M424 48 197 518M233 155 346 199 505 277M389 116 425 415 293 313M197 518C194 526 194 552 180 569"
        />
        <path className="fill-kite-4" d="M180 569L177 552L164 551L165 564zM180 569L195 577L193 590L181 585z" />
        <g className="max-lg:hidden">
          <path className="stroke-ink stroke-2" d="M180 569C166 586 124 604 111 621C98 638 92 642 62 648" />
          <path className="fill-kite-4" d="M111 621L97 610L87 619L96 627zM111 621L127 616L134 627L122 632z" />
        </g>
        <path className="stroke-ink stroke-2 lg:hidden" d="M425 415Q437 430 437 480V1150" />
      </svg>
    </div>
  </div>
);
