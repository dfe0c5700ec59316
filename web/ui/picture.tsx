type Props = { id: string; className?: string; size?: number }

/** A stored picture. It only repeats what stands beside it, so screen readers pass it by. */
export const Picture = ({ id, className, size }: Props) => (
  <img src={`/app/api/pictures/${id}`} alt="" className={className} width={size} height={size} draggable={false} />
)
