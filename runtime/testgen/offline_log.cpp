#include "runtime/testgen/offline_log.hpp"

#include "runtime/execute/wire.hpp"

#include <algorithm>

namespace tioc::testgen {

using conformance::Event;

namespace {

Trace without(Event::Kind kind, const Trace& trace) {
  Trace result;
  std::copy_if(trace.begin(), trace.end(), std::back_inserter(result),
               [&](const Event& event) { return event.kind != kind; });
  return result;
}

} // namespace

Trace inputsOf(const Trace& trace) {
  return without(Event::Kind::Output, trace);
}

Trace outputsOf(const Trace& trace) {
  return without(Event::Kind::Input, trace);
}

Trace merge(const Trace& inputs, const Trace& outputs) {
  // A silence says nothing beyond the event that follows it, but for the last one.
  const auto isEvent = [](const Event& event) { return event.kind != Event::Kind::Silence; };
  Trace in, out, result;
  std::copy_if(inputs.begin(), inputs.end(), std::back_inserter(in), isEvent);
  std::copy_if(outputs.begin(), outputs.end(), std::back_inserter(out), isEvent);
  std::merge(out.begin(), out.end(), in.begin(), in.end(), std::back_inserter(result),
             [](const Event& a, const Event& b) { return a.time < b.time; });
  ir::Rational end;
  for (const Trace* trace : {&inputs, &outputs})
    if (!trace->empty())
      end = std::max(end, trace->back().time);
  if (result.empty() ? end.sign() > 0 : end > result.back().time)
    result.push_back({Event::Kind::Silence, {}, {}, end});
  return result;
}

Trace traceOf(const execute::Outcome& outcome) {
  Trace result;
  for (const execute::LogEntry& entry : outcome.log)
    result.push_back(
        {entry.output ? Event::Kind::Output : Event::Kind::Input, entry.channel, entry.values, entry.time});
  if (result.empty() || outcome.end > result.back().time)
    result.push_back({Event::Kind::Silence, {}, {}, outcome.end});
  return result;
}

std::string notation(const ir::Model& model, const Trace& trace) {
  std::string text;
  ir::Rational now;
  for (const Event& event : trace) {
    if (event.time > now)
      text += (text.empty() ? "" : " ") + (event.time - now).toString();
    now = event.time;
    if (event.kind != Event::Kind::Silence)
      text += (text.empty() ? "" : " ") + conformance::showEvent(model, event);
  }
  return text;
}

std::string lines(const ir::Model& model, const Trace& trace) {
  namespace wire = execute::wire;
  std::string text = wire::write(model, wire::Start{}) + "\n";
  for (const Event& event : trace)
    text += (event.kind == Event::Kind::Silence
                 ? wire::write(model, wire::Now{event.time})
                 : wire::write(model, wire::Message{event.kind == Event::Kind::Output, event.channel, event.values,
                                                    event.time})) +
            "\n";
  return text;
}

} // namespace tioc::testgen
