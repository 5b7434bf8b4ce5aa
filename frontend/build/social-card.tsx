export const SOCIAL_SIZE = { width: 1200, height: 630 } as const;

/** Left edge of the picture, which leans into the wind like the mark. */
const EDGE_TOP = 726;
export const EDGE_BOTTOM = 588;

const [TITLE_WIDTH, TITLE_HEIGHT] = [560, 300];

export interface SocialWords {
  readonly title: string;
  readonly kicker: string;
  readonly company: string;
  /** Address of the logo, which may be a `data:` address. */
  readonly logo: string;
  readonly colours: { readonly ink: string; readonly paper: string; readonly accent: string };
}

/** The words of a picture for sharing on paper; its right side is left open. Satori draws it: flexbox, and no class names. */
export function SocialCard({ title, kicker, company, logo, colours: { ink, paper, accent } }: SocialWords) {
  const { width, height } = SOCIAL_SIZE;
  return (
    <div style={{ display: 'flex', width, height, color: ink, fontFamily: 'display' }}>
      <div style={{ ...whole, background: paper, clipPath: slanted(-EDGE_TOP, 0) }} />
      <div style={{ ...whole, background: accent, clipPath: slanted(-3, 3) }} />
      <div style={{ ...whole, flexDirection: 'column', padding: '100px 0 54px 62px' }}>
        <div
          style={{ display: 'block', width: TITLE_WIDTH, lineClamp: 1, color: accent, fontSize: 27, fontWeight: 600 }}
        >
          {kicker}
        </div>
        <SocialTitle title={title} />
        <div style={{ display: 'flex', alignItems: 'center', marginTop: 'auto', fontSize: 36, fontWeight: 800 }}>
          <img src={logo} width={56} height={56} alt="" style={{ margin: '0 8px 0 -4px' }} />
          {company}
        </div>
      </div>
    </div>
  );
}

/** As large as it may be: a letter is about half as wide as high, and no word may be cut. */
function SocialTitle({ title }: { title: string }) {
  const longest = Math.max(...title.split(/\s+/).map((word) => word.length));
  const filling = Math.sqrt((TITLE_WIDTH * TITLE_HEIGHT) / title.length);
  const fontSize = Math.round(Math.max(34, Math.min(74, filling, TITLE_WIDTH / (0.56 * longest))));
  const style = {
    width: TITLE_WIDTH,
    marginTop: 14,
    fontSize,
    fontWeight: 800,
    lineHeight: 1.06,
    textWrap: 'balance',
  } as const;
  return <div style={style}>{title}</div>;
}

const whole = { display: 'flex', position: 'absolute', inset: 0 } as const;

const slanted = (left: number, right: number) =>
  `polygon(${EDGE_TOP + left}px 0, ${EDGE_TOP + right}px 0, ${EDGE_BOTTOM + right}px 100%, ${EDGE_BOTTOM + left}px 100%)`;
