/**
 * The icons of the site, by their names in the Lucide set; the build puts exactly these into one SVG sprite.
 * Add a name here to use another.
 */
export const iconNames = [
  'activity', 'arrow-right', 'arrow-up', 'award', 'badge-check', 'blocks', 'bot', 'boxes', 'brain', 'brain-circuit', 'briefcase',
  'building-2', 'calendar', 'chart-column', 'chart-line', 'check', 'chevron-down', 'circle-dollar-sign', 'clipboard-check',
  'clock', 'cloud', 'code', 'cog', 'compass', 'cpu', 'credit-card', 'database', 'factory', 'file-text', 'gauge',
  'git-branch', 'globe', 'graduation-cap', 'handshake', 'headphones', 'heart', 'heart-pulse', 'house', 'key-round', 'landmark',
  'layers', 'layout-dashboard', 'library', 'lightbulb', 'link', 'lock', 'mail', 'map-pin', 'menu', 'message-circle',
  'messages-square', 'monitor', 'network', 'palette', 'phone', 'puzzle', 'rocket', 'scale', 'search', 'server',
  'settings', 'shield', 'shield-check', 'shopping-cart', 'smartphone', 'smile', 'sparkles', 'sprout', 'star', 'store', 'sun',
  'target', 'test-tube', 'timer', 'trending-up', 'truck', 'tv', 'upload', 'user-check', 'user-plus', 'users', 'wallet',
  'wand-sparkles', 'workflow', 'wrench', 'x', 'zap', 'glasses', 'atom', 'radio-tower', 'school', 'clapperboard',
] as const;

export type IconName = (typeof iconNames)[number];
