#include "driver/signal_subject.hpp"

#include "ir/passes.hpp"
#include "runtime/semantics/concrete.hpp"

#include <ostream>

namespace tioc::driver {

std::vector<conformance::SignalEvent> SignalSubject::eventsOf(const std::vector<conformance::SignalRow>& rows) const {
  std::vector<conformance::SignalEvent> events =
      sampling ? conformance::samplesOf(rows, start, *sampling) : conformance::changesOf(rows, start);
  // Nothing to say, but time has passed.
  events.push_back({rows.back().time, false, {}, rows.back().line});
  return events;
}

conformance::Event SignalSubject::event(const conformance::SignalEvent& signal) const {
  using Kind = conformance::Event::Kind;
  if (signal.values.empty())
    return {Kind::Silence, {}, {}, signal.time};
  return {signal.output ? Kind::Output : Kind::Input, signal.output ? outputs : inputs, signal.values, signal.time};
}

namespace {

bool readStart(SignalSubject& subject, Io& io) {
  const ir::Model resolved = ir::resolvePriorities(ir::Model(subject.model));
  const semantics::Network network(resolved);
  semantics::Concrete concrete(network);
  const auto state = concrete.initial(0);
  if (!state) {
    io.err << "tioc: no start of the model is known: " << concrete.problem().text << "\n";
    return false;
  }
  for (ir::VariableId id : resolved[network.component(0)].variables) {
    const ir::Variable& variable = resolved[id];
    const eval::Value value =
        concrete.layout().load(variable.type, state->variables.data() + concrete.layout().offsetOf(id));
    if (variable.role == ir::Role::Input)
      subject.start.inputs.push_back(value);
    else if (variable.role == ir::Role::Output)
      subject.start.outputs.push_back(value);
  }
  return true;
}

} // namespace

std::optional<SignalSubject> signalSubject(const ir::Model& instance, const std::string& purpose, bool table,
                                           const std::string& sample, Io& io) {
  SignalSubject subject;
  if (!sample.empty()) {
    subject.sampling = ir::Rational::parse(sample);
    if (!subject.sampling || subject.sampling->sign() < 0) {
      io.err << "tioc: --sample takes time units that are not negative\n";
      return std::nullopt;
    }
  }
  subject.model = ir::Model(instance);
  for (size_t i = 0; i < instance.automata.size(); ++i)
    if (instance.automata[i].kind == ir::AutomatonKind::Purpose && instance.automata[i].name == purpose)
      subject.model = ir::product(instance, instance.systems[0].components[0].automaton, ir::AutomatonId(i));
  subject.model = ir::signals(std::move(subject.model), subject.sampling ? ir::SignalView::Samples
                                                        : table          ? ir::SignalView::Rows
                                                                         : ir::SignalView::Changes);
  for (uint32_t i = 0; i < subject.model.channels.size(); ++i)
    (subject.model.channels[i].name == ir::kInputs ? subject.inputs : subject.outputs) = ir::ChannelId(i);
  if ((table || subject.sampling) && !readStart(subject, io))
    return std::nullopt;
  return subject;
}

} // namespace tioc::driver
