import { Link } from "react-router";
import { useContext } from "react";
import { mayOpen } from "#app/team/role-rules.ts";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { formatKes } from "#app/ui/money.ts";
import { AdminContext } from "#app/team/components/admin-context.ts";

interface Payment {
  id: string;
  what: string;
  state: string;
  /** KES. */
  amount: number;
  receipt: string | null;
  /** Ms since 1970. */
  at: number;
}

/** What was paid, paid out and refunded for an order. */
export function OrderPayments({ orderId, payments }: { orderId: string; payments: readonly Payment[] }) {
  const { role } = useContext(AdminContext);
  return (
    <>
      {payments.length > 0 && (
        <ul className="stack stack--tight small numbers" role="list" aria-label="Payments">
          {payments.map((payment) => (
            <li key={payment.id}>
              {formatDateTime(payment.at)}: {payment.what} of {withWholeAmounts(formatKes(payment.amount))},{" "}
              {payment.state}
              {payment.receipt && ` (${payment.receipt})`}
            </li>
          ))}
        </ul>
      )}
      {mayOpen(role, "/admin/money") && (
        <Link className="text-link small" to={`/admin/money?show=attempts&q=${orderId}`}>
          View payments for this order
        </Link>
      )}
    </>
  );
}
