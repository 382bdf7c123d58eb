/**
 * All components of app/ui in every state, from which new screens are built. It has no style sheet of its own, because
 * all sheets are one. A rules test misses a component that isn't here.
 */
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { FeedbackSamples, LayerSamples } from "./feedback-samples.tsx";
import { ButtonSamples, FieldSamples } from "./form-samples.tsx";
import { FactSamples, ListSamples, TypeSamples } from "./words-samples.tsx";

export function SamplesView() {
  return (
    <div className="page page--reading stack stack--loose">
      <PageHeader
        title="Components"
        lead="What every screen is built from. The moon or sun above changes the theme."
        back={{ to: "/home", label: "Home" }}
      />
      <TypeSamples />
      <ButtonSamples />
      <FactSamples />
      <FieldSamples />
      <ListSamples />
      <FeedbackSamples />
      <LayerSamples />
    </div>
  );
}
