#include "runtime/explore/reach_search.hpp"

#include "runtime/explore/reach_time.hpp"

#include <algorithm>

namespace tioc::explore {

using ir::LocationId;
using semantics::Move;
using zones::Bound;

namespace {

/// How many visits lie between two looks at the clock and the callbacks: as many as take about this long, at most so
/// many. A visit may take long where a message has many values.
constexpr uint64_t kVisitsPerLook = 256;
/// Longer lists of zones are compared so often that they are stored ready for it.
constexpr uint32_t kFewZones = 8;
/// Numbers of nodes have 32 bits.
constexpr uint64_t kMostStates = UINT32_MAX - (1U << 20);
constexpr double kSecondsPerLook = 0.01;

Stepper::Options stepperOptions(const ReachOptions& options) {
  Stepper::Options result;
  result.eval = options.eval;
  result.abstraction = options.timeBlocks ? Abstraction::ALu : options.abstraction;
  result.bounds.bothSides = options.timeBlocks;
  result.messages = options.messages;
  result.starts = options.starts;
  if (options.target)
    result.bounds.question = {options.target->locations, options.target->clocks};
  return result;
}

} // namespace

const char* stopName(Stop stop) {
  switch (stop) {
  case Stop::Complete:
    return "complete";
  case Stop::Reached:
    return "reached";
  case Stop::States:
    return "limit of states";
  case Stop::Depth:
    return "limit of depth";
  case Stop::Memory:
    return "limit of memory";
  case Stop::Seconds:
    return "limit of time";
  case Stop::Asked:
    return "stopped";
  case Stop::Problem:
    return "problem";
  }
  return "";
}

ZoneStore::Width width(const Node& node) {
  return static_cast<ZoneStore::Width>(node.width);
}

void Frontier::push(Entry entry, int64_t key) {
  if (order_ != Order::Priority)
    return list_.push_back(entry);
  heap_.push_back({key, entry});
  std::push_heap(heap_.begin(), heap_.end(), isLater);
}

Frontier::Entry Frontier::pop() {
  Entry entry{};
  switch (order_) {
  case Order::BreadthFirst:
    entry = list_.front();
    list_.pop_front();
    break;
  case Order::DepthFirst:
    entry = list_.back();
    list_.pop_back();
    break;
  case Order::Priority:
    std::pop_heap(heap_.begin(), heap_.end(), isLater);
    entry = heap_.back().entry;
    heap_.pop_back();
    break;
  }
  return entry;
}

Reachability::Reachability(const ir::Model& model, ReachOptions options)
    : search_(std::make_unique<Search>(model, std::move(options))) {}
Reachability::~Reachability() = default;

ReachResult Reachability::run() {
  return search_->run();
}

ir::Graph Reachability::graph() const {
  return search_->graph();
}

Reachability::Search::Search(const ir::Model& model, ReachOptions options)
    : options_(std::move(options)), stepper_(model, stepperOptions(options_)),
      packing_(stepper_.network(), stepper_.layout()), table_(packing_.words()), zones_(stepper_.network().dim()),
      frontier_(options_.order), current_(stepper_.makePlace()),
      zone_(zones::dbm::size(stepper_.network().dim()), Bound::zero()), other_(zone_), words_(packing_.words()),
      targetLocations_(model.locations.size(), 0), targetComponents_(stepper_.network().size(), 0),
      seenLocations_(model.locations.size(), 0), takenEdges_(model.edges.size(), 0) {
  if (options_.target)
    for (LocationId id : options_.target->locations) {
      targetLocations_[id.value] = 1;
      targetComponents_[stepper_.network().componentOf(id)] = 1;
    }
  if (options_.target && options_.target->data.valid())
    targetProgram_ = semantics::IntProgram::compile(stepper_.layout(), options_.target->data, nullptr);
  if (options_.order == Order::Priority && !options_.priority)
    readDistances();
}

// ---- the loop

ReachResult Reachability::Search::run() {
  begin_ = std::chrono::steady_clock::now();
  uint32_t ordinal = 0;
  if (!stepper_.problem())
    stepper_.start([&](const Place& place, const Bound* zone) {
      if (ordinal == 0)
        current_.frame = place.frame; // what packing leaves out never changes
      identify(place);
      keep(place, zone, kNone, ordinal++, 0);
    });
  while (stop_ == Stop::Complete && !stepper_.problem() && !frontier_.isEmpty()) {
    const Frontier::Entry entry = frontier_.pop();
    if (nodes_[entry.node]->dropped)
      continue;
    if (entry.depth >= options_.maxDepth) {
      cutByDepth_ = true;
      continue;
    }
    visit(entry);
    if (stop_ == Stop::Complete && mustStop())
      break;
  }
  ReachResult result;
  finish(result);
  return result;
}

/// Takes in the successors of a visited state.
struct Reachability::Search::Visitor {
  Search& search;
  const Frontier::Entry& from;
  uint32_t ordinal = 0;

  void approach(const Place& place) { search.identify(place); }
  void operator()(const Move& move, const Place& place, const Bound* zone) {
    if (search.stop_ != Stop::Complete)
      return;
    ++search.stats_.transitions;
    for (ir::EdgeId edge : move.edges)
      search.takenEdges_[edge.value] = 1;
    const uint32_t to = search.keep(place, zone, from.node, ordinal++, from.depth + 1);
    if (search.options_.graph)
      search.transitions_.push_back({from.node, to, search.stepOf(move, search.current_)});
  }
};

void Reachability::Search::visit(const Frontier::Entry& entry) {
  const Node& node = *nodes_[entry.node];
  packing_.unpack(table_.state(node.state), current_.at.data(), current_.frame.data());
  stepper_.readClocks(current_);
  // A copy: a successor may cover this very state, whose memory then serves others.
  const Bound* zone = zones_.load(node.zone, current_.dim, width(node), zone_.data());
  if (zone != zone_.data())
    std::copy_n(zone, zones::dbm::size(current_.dim), zone_.data());
  zone = zone_.data();
  ++stats_.visited;
  stats_.depth = std::max(stats_.depth, entry.depth);
  stepper_.expand(current_, zone, Visitor{*this, entry});
  if (options_.timeBlocks && stop_ == Stop::Complete && !stepper_.problem())
    checkBlock(entry.node, zone);
}

bool Reachability::Search::mustStop() {
  if (nodes_.size() >= std::min(options_.maxStates, kMostStates) && !frontier_.isEmpty()) {
    stop_ = Stop::States;
    return true;
  }
  if (stats_.visited < nextLook_)
    return false;
  const double before = stats_.seconds;
  stats_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  visitsPerLook_ = stats_.seconds - before > kSecondsPerLook ? std::max<uint64_t>(1, visitsPerLook_ / 2)
                                                             : std::min(kVisitsPerLook, visitsPerLook_ * 2);
  nextLook_ = stats_.visited + visitsPerLook_;
  stats_.bytes = bytes();
  if (options_.progress) {
    stats_.stored = nodes_.size() - stats_.covered;
    stats_.discrete = table_.size();
    stats_.waiting = frontier_.size();
    options_.progress(stats_);
  }
  if (stats_.seconds > options_.maxSeconds)
    stop_ = Stop::Seconds;
  else if (stats_.bytes > std::min<uint64_t>(options_.maxBytes, ZoneStore::kMostBytes))
    stop_ = Stop::Memory;
  else if (options_.stop && options_.stop())
    stop_ = Stop::Asked;
  return stop_ != Stop::Complete;
}

size_t Reachability::Search::bytes() const {
  return table_.bytes() + zones_.bytes() + nodes_.bytes() + frontier_.bytes();
}

// ---- storing

void Reachability::Search::identify(const Place& place) {
  packing_.pack(place.at.data(), place.frame.data(), words_.data());
  hash_ = StatePacking::hash(words_.data(), packing_.words());
  table_.prefetch(hash_);
}

uint32_t Reachability::Search::keep(const Place& place, const Bound* zone, uint32_t parent, uint32_t ordinal,
                                    uint32_t depth) {
  uint32_t state = table_.find(words_.data(), hash_);
  if (state == kNone) {
    state = table_.insert(words_.data(), hash_);
    for (LocationId id : place.at)
      seenLocations_[id.value] = 1;
    return add(state, place, zone, parent, ordinal, depth, 0);
  }
  const uint32_t coming = static_cast<uint32_t>(nodes_.size());
  uint32_t before = kNone;
  uint32_t length = 0;
  for (uint32_t at = table_.head(state); at != kNone;) {
    Node& node = *nodes_[at];
    const uint32_t next = node.next;
    const Bound* const stored = zones_.load(node.zone, place.dim, width(node), other_.data());
    if (stepper_.covers(place, zone, stored))
      return at;
    if (stepper_.covers(place, stored, zone)) {
      drop(at, place.dim, coming);
      if (before == kNone)
        table_.setHead(state, next);
      else
        nodes_[before]->next = next;
    } else {
      before = at;
      ++length;
    }
    at = next;
  }
  return add(state, place, zone, parent, ordinal, depth, length);
}

uint32_t Reachability::Search::add(uint32_t state, const Place& place, const Bound* zone, uint32_t parent,
                                   uint32_t ordinal, uint32_t depth, uint32_t others) {
  const uint32_t id = static_cast<uint32_t>(nodes_.size());
  const ZoneStore::Width width = others < kFewZones ? zones_.narrowest(zone, place.dim) : ZoneStore::kWide;
  *nodes_.append() = {table_.head(state), parent, state, zones_.store(zone, place.dim, width), ordinal, width, 0};
  table_.setHead(state, id);
  frontier_.push({id, depth}, options_.order == Order::Priority ? keyOf(place) : 0);
  if (options_.graph)
    coveredBy_.push_back(kNone);
  if (options_.target && isTarget(place, zone)) {
    goal_ = id;
    stop_ = Stop::Reached;
  }
  return id;
}

void Reachability::Search::drop(uint32_t node, zones::Dim dim, uint32_t by) {
  nodes_[node]->dropped = 1;
  ++stats_.covered;
  if (options_.graph)
    coveredBy_[node] = by;
  else
    zones_.giveBack(nodes_[node]->zone, dim, width(*nodes_[node]));
}

// ---- targets

bool Reachability::Search::isTarget(const Place& place, const Bound* zone) const {
  const Target& target = *options_.target;
  for (size_t i = 0; i < place.at.size(); ++i)
    if (targetComponents_[i] && !targetLocations_[place.at[i].value])
      return false;
  if (target.data.valid() && !targetDataHolds(place))
    return false;
  if (target.clocks.empty())
    return true;
  zones::Zone part = zones::Zone::copyOf(place.dim, zone);
  for (const zones::Constraint& c : target.clocks)
    part.constrain({place.index[c.left], place.index[c.right], c.bound});
  return !part.isEmpty();
}

bool Reachability::Search::targetDataHolds(const Place& place) const {
  if (eval::Slot answer = 0; targetProgram_ && targetProgram_->run(place.frame.data(), answer))
    return answer != 0;
  const eval::Result result = eval::evaluate(stepper_.layout(), options_.target->data, nullptr, place.frame.data());
  return result.ok() && result.value.isTrue();
}

void Reachability::Search::readDistances() {
  const semantics::Network& network = stepper_.network();
  const ir::Model& model = network.model();
  distances_.assign(model.locations.size(), options_.target ? 1'000'000 : 0);
  for (size_t i = 0; i < distances_.size(); ++i)
    if (targetLocations_[i])
      distances_[i] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < network.size(); ++i)
      for (ir::EdgeId id : model[network.component(i)].edges) {
        const uint32_t way = distances_[model[id].target.value] + 1;
        uint32_t& known = distances_[model[id].source.value];
        changed |= way < known;
        known = std::min(known, way);
      }
  }
}

int64_t Reachability::Search::keyOf(const Place& place) const {
  if (options_.priority)
    return options_.priority(place.at, place.frame.data());
  int64_t sum = 0;
  for (size_t i = 0; i < place.at.size(); ++i)
    if (targetComponents_[i])
      sum += distances_[place.at[i].value];
  return sum;
}

/// A point is blocked if it cannot wait for ever and no wait leads to where something can happen.
void Reachability::Search::checkBlock(uint32_t node, const Bound* zone) {
  const zones::Dim dim = current_.dim;
  std::vector<const semantics::Binding*> bindings;
  const bool stopped = stepper_.network().stopsTime(current_.at);
  if (!stopped)
    stepper_.collectBindings(current_, bindings);
  TimeLimits time = timeLimits(stopped, bindings, current_.invariants, current_.index.data(), dim);
  stepper_.collectLimits(current_, current_.index.data(), dim, time.limits);
  zones::Federation blocked = boundedWaiting(time).intersect(zone);
  if (blocked.isEmpty())
    return;
  zones::Federation enabled(dim);
  const zones::Zone all = zones::Zone::universe(dim);
  stepper_.expand(
      current_, all.data(), [](const Move&, const Place&, const Bound*) {}, &enabled);
  blocked.subtract(beforeWaiting(enabled, time));
  if (stepper_.problem() || blocked.isEmpty())
    return;
  stop_ = blocked.isOutOfRange() ? Stop::Problem : Stop::Reached;
  goal_ = node;
  const zones::Dim full = stepper_.network().dim();
  for (size_t i = 0; i < blocked.size(); ++i) {
    zones::Zone wide = zones::Zone::universe(full);
    for (zones::Clock a = 0; a < dim; ++a)
      for (zones::Clock b = 0; b < dim; ++b)
        if (a != b && !blocked[i][size_t{a} * dim + b].isInfinite())
          wide.constrain({current_.clocks[a], current_.clocks[b], blocked[i][size_t{a} * dim + b]});
    blocked_.emplace_back(wide.data(), wide.data() + zones::dbm::size(full));
  }
}

// ---- the way there

PathStep Reachability::Search::stepOf(const Move& move, const Place& from) const {
  PathStep step;
  step.channel = move.channel;
  step.visibility = move.visibility;
  step.edges.assign(move.edges.begin(), move.edges.end());
  if (move.channel.valid()) {
    const eval::Slot* const first = from.frame.data() + stepper_.layout().stateSize();
    size_t size = 0;
    for (const ir::Member& member : stepper_.network().model()[move.channel].parameters)
      size += stepper_.layout().sizeOf(member.type);
    step.message.assign(first, first + size);
  }
  return step;
}

Path Reachability::Search::pathTo(uint32_t node) {
  std::vector<uint32_t> ordinals;
  for (; node != kNone; node = nodes_[node]->parent)
    ordinals.push_back(nodes_[node]->ordinal);
  Path path;
  Place place;
  zones::MatrixVector zone;
  uint32_t count = 0;
  stepper_.start([&](const Place& first, const Bound* start) {
    if (count++ != ordinals.back())
      return;
    place = first;
    zone.assign(start, start + zones::dbm::size(first.dim));
    path.initial.assign(first.frame.begin(), first.frame.begin() + stepper_.layout().stateSize());
  });
  for (size_t i = ordinals.size() - 1; i-- > 0;) {
    Place from = place;
    const zones::MatrixVector here = zone;
    count = 0;
    stepper_.expand(from, here.data(), [&](const Move& move, const Place& next, const Bound* successor) {
      if (count++ != ordinals[i])
        return;
      path.steps.push_back(stepOf(move, from));
      place = next;
      zone.assign(successor, successor + zones::dbm::size(next.dim));
    });
  }
  return path;
}

void Reachability::Search::finish(ReachResult& result) {
  if (stop_ == Stop::Complete && cutByDepth_)
    stop_ = Stop::Depth;
  if (stepper_.problem()) {
    stop_ = Stop::Problem;
    result.problem = stepper_.problem();
  } else if (stop_ == Stop::Problem) {
    result.problem = semantics::Problem{{}, "a clock bound leaves the range of zones"};
  }
  stats_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  stats_.stored = nodes_.size() - stats_.covered;
  stats_.discrete = table_.size();
  stats_.waiting = frontier_.size();
  stats_.bytes = bytes();
  if (stop_ == Stop::Reached) {
    result.path = pathTo(goal_);
    result.blocked = blocked_;
  }
  result.stop = stop_;
  result.abstraction = stepper_.abstraction();
  result.locations = seenLocations_;
  result.edges = takenEdges_;
  result.stats = stats_;
  result.code = stepper_.code().stats();
}

} // namespace tioc::explore
