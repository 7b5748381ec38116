import type { ReactNode } from 'react';

/** The options of an icon. */
export interface IconProps {
  /** In px; default 18. */
  readonly size?: number;
}

/** A line drawing on a grid of 24, in the colour of the surrounding text. Callers must add a text with its meaning. */
function icon(...lines: readonly string[]) {
  return function Icon({ size = 18 }: IconProps): ReactNode {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.75}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
      >
        {lines.map((line) => (
          <path key={line} d={line} />
        ))}
      </svg>
    );
  };
}

export const OverviewIcon = icon('M4 20V10', 'M10 20V4', 'M16 20v-7', 'M21 20H3');
export const MessagesIcon = icon('M4 5h16v11H9l-5 4z', 'M8 9.5h8', 'M8 12.5h5');
export const ConversationsIcon = icon('M3 5h12v8H8l-4 3.5V13H3z', 'M18 9h3v8h-1v3.5L16 17H9.5v-1');
export const DownloadIcon = icon('M12 4v11', 'M7 10.5l5 5 5-5', 'M4 20h16');
export const AttachIcon = icon(
  'M19 11.5l-7 7a4.5 4.5 0 0 1-6.4-6.4l7.5-7.5a3 3 0 0 1 4.3 4.3l-7.4 7.4a1.5 1.5 0 0 1-2.2-2.2l6.6-6.5',
);
export const ChannelsIcon = icon('M9 3v5', 'M15 3v5', 'M6 8h12v3a6 6 0 0 1-12 0z', 'M12 17v4');
export const GroupsIcon = icon('M4 12h4l4-6h7', 'M8 12l4 6h7', 'M16 3l3 3-3 3', 'M16 15l3 3-3 3');
export const WebhookIcon = icon('M4 12h11', 'M11 8l4 4-4 4', 'M19 4v16');
export const KeyIcon = icon('M12.2 11.8 20 4', 'M17 7l3 3', 'M8.5 20a4.5 4.5 0 1 1 0-9 4.5 4.5 0 0 1 0 9z');
export const TokenIcon = icon('M4 5h16v14H4z', 'M8 10l3 2.5L8 15', 'M13 15h4');
export const VerificationIcon = icon('M12 3l7 3v5c0 4.5-3 8-7 10-4-2-7-5.5-7-10V6z', 'M9 12l2.2 2.2L15.5 10');
export const SettingsIcon = icon('M4 7h9', 'M19 7h1', 'M4 17h1', 'M11 17h9', 'M16 4.5v5', 'M8 14.5v5');
export const DocsIcon = icon('M6 3h9l4 4v14H6z', 'M15 3v4h4', 'M9.5 12h6', 'M9.5 16h6');
export const SunIcon = icon(
  'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8z',
  'M12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M5.6 18.4l1.1-1.1M17.3 6.7l1.1-1.1',
);
export const MoonIcon = icon('M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z');
export const SystemIcon = icon('M4 5h16v11H4z', 'M9 20h6', 'M12 16v4');
export const PersonIcon = icon(
  'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8z',
  'M4.5 20c.8-3.4 3.8-5 7.5-5s6.7 1.6 7.5 5',
);
export const LogoutIcon = icon('M14 4h5v16h-5', 'M4 12h10', 'M10 8l4 4-4 4');
export const CheckIcon = icon('M5 12.5l4.5 4.5L19 7.5');
export const CrossIcon = icon('M6 6l12 12', 'M18 6L6 18');
export const CopyIcon = icon('M9 9h11v11H9z', 'M5 15H4V4h11v1');
export const PlusIcon = icon('M12 5v14', 'M5 12h14');
export const TrashIcon = icon('M4 7h16', 'M9 7V4h6v3', 'M6.5 7l1 13h9l1-13', 'M10 11v5', 'M14 11v5');
export const PencilIcon = icon('M4 20l1-4L16 5l3 3L8 19z', 'M14 7l3 3');
export const RefreshIcon = icon('M20 12a8 8 0 1 1-2.4-5.7L20 8.5', 'M20 4v4.5h-4.5');
export const WarningIcon = icon('M12 4l9 16H3z', 'M12 10v4', 'M12 17v.1');
export const InfoIcon = icon('M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z', 'M12 11v5', 'M12 8v.1');
export const ClockIcon = icon('M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z', 'M12 7v5l3 2');
export const SendIcon = icon('M21 3L3 10.5l7 3 3 7z', 'M21 3L10 13.5');
export const SearchIcon = icon('M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13z', 'M15.5 15.5L20 20');
export const FilterIcon = icon('M4 6h16', 'M7 12h10', 'M10 18h4');
export const ChevronRightIcon = icon('M9 5l7 7-7 7');
export const ChevronDownIcon = icon('M5 9l7 7 7-7');
export const ArrowLeftIcon = icon('M20 12H5', 'M11 6l-6 6 6 6');
export const LinkIcon = icon(
  'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1',
  'M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
);
export const PauseIcon = icon('M8 5v14', 'M16 5v14');
export const PlayIcon = icon('M7 4l13 8-13 8z');
export const StarIcon = icon('M12 4l2.5 5.2 5.5.8-4 4 .9 5.7-4.9-2.7-4.9 2.7.9-5.7-4-4 5.5-.8z');
export const MoreIcon = icon('M12 5v.1', 'M12 12v.1', 'M12 19v.1');
export const ExternalIcon = icon('M14 4h6v6', 'M20 4l-9 9', 'M17 14v6H4V7h6');
export const ImageIcon = icon('M4 5h16v14H4z', 'M4 16l5-5 4 4 3-3 4 4', 'M15 8.5v.1');
export const VideoIcon = icon('M3 6h12v12H3z', 'M15 10l6-3v10l-6-3z');
export const SoundIcon = icon('M5 10v4', 'M9 6v12', 'M13 9v6', 'M17 4v16', 'M21 10v4');
export const LocationIcon = icon(
  'M12 21s7-6.2 7-11a7 7 0 1 0-14 0c0 4.8 7 11 7 11z',
  'M12 7.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z',
);
export const ReplyIcon = icon('M10 6l-6 5 6 5', 'M4 11h9a7 7 0 0 1 7 7');
export const ListIcon = icon('M9 6h11', 'M9 12h11', 'M9 18h11', 'M4 6h.1', 'M4 12h.1', 'M4 18h.1');
export const TemplateIcon = icon('M4 4h16v5H4z', 'M4 13h7v7H4z', 'M15 13h5', 'M15 16.5h5', 'M15 20h5');

const SmsIcon = icon('M4 5h16v11H9l-5 4z', 'M8 10.5v.1', 'M12 10.5v.1', 'M16 10.5v.1');
const TelegramIcon = icon('M21 4L3 11l6 2.5L11.5 20l3-4.5 4.5 3.5z', 'M9 13.5L21 4');
const WhatsappIcon = icon(
  'M4 20l1.3-4A8 8 0 1 1 8.2 19z',
  'M9 8.5c0 3.7 2.8 6.5 6.5 6.5l.8-1.9-2.2-1-1 .9c-1-.5-1.6-1.1-2.1-2.1l.9-1-1-2.2z',
);

/** The icon of a channel. The channel's name must stand beside it. */
export function ChannelIcon({ channel, ...props }: IconProps & { readonly channel: string }): ReactNode {
  if (channel === 'whatsapp') return <WhatsappIcon {...props} />;
  if (channel === 'telegram') return <TelegramIcon {...props} />;
  return channel === 'sms' ? <SmsIcon {...props} /> : <ChannelsIcon {...props} />;
}
