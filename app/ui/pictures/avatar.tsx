import { classNames } from "#app/ui/class-names.ts";
import { useFailedSource } from "./use-failed-source.ts";

interface AvatarProps {
  /** Its first letter stands where there is no picture. */
  name: string;
  /** The path of the picture's smallest variant. */
  url: string | null;
  /** Larger than 48 px: its larger variant is shown. */
  large?: boolean;
  /** Where it stands, and how large it is. */
  className?: string;
}

/** A person's photo or a shop's logo. The name stands beside it, so screen readers don't hear it twice. */
export function Avatar({ name, url, large, className }: AvatarProps) {
  const wanted = large ? (url?.replace(/\/96\.(\w+)$/, "/320.$1") ?? null) : url;
  const { isFailed, image } = useFailedSource(wanted);
  return (
    <span className={classNames("avatar", className)} aria-hidden="true">
      {wanted !== null && !isFailed ? (
        <img className="avatar__picture" src={wanted} alt="" width={96} height={96} loading="lazy" {...image} />
      ) : (
        name.charAt(0).toUpperCase()
      )}
    </span>
  );
}
