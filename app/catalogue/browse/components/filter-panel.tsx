import { useEffect, useEffectEvent, useState } from "react";
import { useLocation, useNavigate, useNavigation } from "react-router";
import { chosenPath } from "#app/catalogue/browse/list-filters.ts";
import { FilterForm, type FilterFormProps } from "./filter-form.tsx";

/** How long after a change the filters are applied, in ms. */
const PAUSE_MS = 300;

/** The filters next to the products. It applies changes after a short pause. */
export function FilterPanel({ list, filters, ...form }: Omit<FilterFormProps, "onDone" | "onChange">) {
  const navigate = useNavigate();
  const { key } = useLocation();
  const { location: next } = useNavigation();
  const shown = chosenPath(list, filters);
  // The address of what the fields say, and the one that this panel has asked for.
  const [said, setSaid] = useState(shown);
  const [asked, setAsked] = useState(shown);
  const [place, setPlace] = useState(key);
  const [turn, setTurn] = useState(0);
  if (place !== key) {
    setPlace(key);
    // Somebody has gone elsewhere, for example back: the fields say what is there.
    if (shown !== asked) {
      setSaid(shown);
      setAsked(shown);
      setTurn(turn + 1);
    }
  }

  const apply = useEffectEvent(() => {
    // Somebody is on the way elsewhere.
    if (next && next.pathname + next.search !== asked) return;
    setAsked(said);
    void navigate(said);
  });
  useEffect(() => {
    if (said === asked) return;
    const timer = setTimeout(apply, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [said, asked]);

  return (
    <FilterForm
      key={turn}
      {...form}
      list={list}
      filters={filters}
      onChange={(chosen) => setSaid(chosenPath(list, chosen))}
    />
  );
}
