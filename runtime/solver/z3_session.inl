// Part of z3.cpp: conditions in a context of Z3, and the questions that share it.

/// Expressions as terms of Z3, in one of the two algebras.
class Encoder {
public:
  virtual ~Encoder() = default;
  /// True iff the condition holds: it has a value, and that is true.
  virtual z3::expr condition(ExprId expr) = 0;
  virtual z3::expr term(ExprId expr) = 0;
  virtual z3::expr scalar(Place place) = 0;
  /// What the type of an unknown says about it; nothing for most.
  virtual std::vector<z3::expr> range(uint32_t unknown) = 0;
  virtual Rational read(const std::string& numeral) = 0;
  virtual size_t size() const = 0;
};

template <class Algebra>
class EncoderIn final : public Encoder {
public:
  EncoderIn(Terms& terms, Algebra algebra) : terms_(terms), algebra_(std::move(algebra)), flattening_(terms, algebra_) {}

  z3::expr condition(ExprId expr) override {
    const ExprId isDefined = terms_.defined(expr);
    z3::expr value = flattening_.scalar(expr);
    return terms_.pool().isTrue(isDefined) ? value : flattening_.scalar(isDefined) && value;
  }
  z3::expr term(ExprId expr) override { return flattening_.scalar(expr); }
  z3::expr scalar(Place place) override { return algebra_.unknown(place); }
  std::vector<z3::expr> range(uint32_t unknown) override {
    std::vector<z3::expr> result;
    const auto& scalars = terms_.scalarsOf(terms_.typeOf(unknown));
    for (uint32_t offset = 0; offset < scalars.size(); ++offset) {
      if (terms_.types()[scalars[offset]].kind == TypeKind::Bool)
        continue;
      const Interval interval = intervalOf(terms_.model(), scalars[offset]);
      const z3::expr value = algebra_.unknown({unknown, offset});
      if (interval.first)
        result.push_back(algebra_.lessEqual(algebra_.constant(scalars[offset], *interval.first), value));
      if (interval.last)
        result.push_back(algebra_.lessEqual(value, algebra_.constant(scalars[offset], *interval.last)));
    }
    return result;
  }
  Rational read(const std::string& numeral) override { return algebra_.read(numeral); }
  size_t size() const override { return flattening_.size(); }

private:
  Terms& terms_;
  Algebra algebra_;
  Flattening<Algebra> flattening_;
};

/// A model as Z3 has it. Irrational numbers have no exact value here: one nearby stands in, and the check decides.
class ModelReader {
public:
  ModelReader(Terms& terms, Encoder& encoder, const z3::model& model)
      : terms_(terms), encoder_(encoder), model_(model) {}

  Value value(uint32_t unknown) {
    next_ = {unknown, 0};
    return part(terms_.typeOf(unknown));
  }
  bool isRounded() const { return isRounded_; }

private:
  Value part(ir::TypeId type) {
    const ir::Type shape = terms_.types()[type];
    Value value;
    if (shape.kind == TypeKind::Record) {
      for (const ir::Member& field : terms_.model()[shape.record].fields)
        value.parts.push_back(part(field.type));
    } else if (shape.kind == TypeKind::Array) {
      for (uint32_t i = 0; i < shape.size; ++i)
        value.parts.push_back(part(shape.element));
    } else {
      value.number = number(model_.eval(encoder_.scalar(next_), true));
      ++next_.offset;
    }
    return value;
  }

  Rational number(z3::expr value) {
    if (value.is_bool())
      return value.is_true() ? 1 : 0;
    if (value.is_algebraic()) {
      isRounded_ = true;
      value = value.algebraic_lower(12);
    }
    return encoder_.read(Z3_get_numeral_string(value.ctx(), value));
  }

  Terms& terms_;
  Encoder& encoder_;
  const z3::model& model_;
  Place next_;
  bool isRounded_ = false;
};

/// One context and what is asserted in it. Width 0: numbers; else bit-vectors of that width.
class Session {
  Terms& terms_;
  const Options& options_; // checked before the context is made
  Watchdog& watchdog_;

public:
  z3::context context; // before everything that lives in it

  Session(Terms& terms, const Options& options, Watchdog& watchdog, uint32_t width)
      : terms_(terms), options_(withMemory(options)), watchdog_(watchdog) {
    if (width == 0)
      encoder_ = std::make_unique<EncoderIn<NumberAlgebra>>(terms, NumberAlgebra(context, terms, watchdog));
    else
      encoder_ = std::make_unique<EncoderIn<BitAlgebra>>(terms, BitAlgebra(context, terms, watchdog, width));
    watch();
  }
  ~Session() { watchdog_.onExpiry(nullptr); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Encoder& encoder() { return *encoder_; }

  /// From now on the question uses this context: it is interrupted when time is over, whatever it does.
  void watch() {
    watchdog_.onExpiry([this] { Z3_interrupt(context); });
  }

  /// Time is not among them: Z3 would not count what comes before and after its search.
  z3::params limits() {
    z3::params params(context);
    if (options_.resources > 0)
      params.set("rlimit", options_.resources);
    return params;
  }

  z3::solver freshSolver() {
    z3::solver solver(context);
    z3::params params = limits();
    params.set("random_seed", options_.seed);
    solver.set(params);
    return solver;
  }

  Reply checkFresh(std::span<const ExprId> conditions) {
    z3::solver solver = freshSolver();
    for (uint32_t unknown : terms_.unknownsOf(conditions))
      for (const z3::expr& bound : encoder_->range(unknown))
        solver.add(bound);
    for (ExprId condition : conditions) {
      endIfExpired(watchdog_);
      solver.add(encoder_->condition(condition));
    }
    return reply(solver, solver.check(), terms_.unknownsOf(conditions));
  }

  /// The conditions that stand already at the same place are kept, the rest is exchanged.
  Reply checkStacked(std::span<const ExprId> conditions) {
    if (!solver_)
      solver_.emplace(freshSolver());
    size_t common = 0;
    while (common < std::min(levels_.size(), conditions.size()) && levels_[common].condition == conditions[common])
      ++common;
    if (levels_.size() > common)
      solver_->pop(static_cast<unsigned>(levels_.size() - common));
    for (; levels_.size() > common; levels_.pop_back())
      for (uint32_t unknown : levels_.back().bounded)
        bounded_.erase(unknown);
    for (; common < conditions.size(); ++common) {
      endIfExpired(watchdog_);
      solver_->push();
      levels_.push_back({conditions[common], {}});
      assertRanges(conditions[common]);
      solver_->add(encoder_->condition(conditions[common]));
    }
    return reply(*solver_, solver_->check(), terms_.unknownsOf(conditions));
  }

  /// Each condition stands behind a literal; the question is about those literals.
  Reply checkAssumed(std::span<const ExprId> conditions) {
    if (!solver_)
      solver_.emplace(freshSolver());
    z3::expr_vector assumed(context);
    for (ExprId condition : conditions) {
      endIfExpired(watchdog_);
      const z3::expr literal = context.bool_const(("c" + std::to_string(condition.value)).c_str());
      if (literals_.insert(condition).second) {
        assertRanges(condition);
        solver_->add(z3::implies(literal, encoder_->condition(condition)));
      }
      assumed.push_back(literal);
    }
    return reply(*solver_, solver_->check(assumed), terms_.unknownsOf(conditions));
  }

  Reply reply(z3::solver& solver, z3::check_result result, const std::vector<uint32_t>& unknowns) {
    if (result == z3::unsat)
      return Reply::unsat();
    if (result == z3::unknown)
      return Reply::unknown(reasonOf(solver.reason_unknown()));
    const z3::model model = solver.get_model();
    ModelReader reader(terms_, *encoder_, model);
    Reply reply = Reply::sat({});
    for (uint32_t unknown : unknowns)
      reply.model.set(unknown, reader.value(unknown));
    if (reader.isRounded())
      reply.reason = "irrational model";
    return reply;
  }

private:
  struct Level {
    ExprId condition;
    std::vector<uint32_t> bounded; // the unknowns whose ranges stand at this level
  };

  void assertRanges(ExprId condition) {
    for (uint32_t unknown : terms_.unknownsOf(condition)) {
      if (!bounded_.insert(unknown).second)
        continue;
      if (!levels_.empty())
        levels_.back().bounded.push_back(unknown);
      for (const z3::expr& bound : encoder_->range(unknown))
        solver_->add(bound);
    }
  }

  std::unique_ptr<Encoder> encoder_;
  std::optional<z3::solver> solver_;
  std::vector<Level> levels_;
  std::unordered_set<uint32_t> bounded_;
  std::unordered_set<ExprId> literals_;
};
