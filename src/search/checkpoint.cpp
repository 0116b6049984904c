// SPDX-License-Identifier: MIT
#include "tessera/search/checkpoint.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "tessera/base/error.hpp"
#include "tessera/base/text.hpp"

namespace tessera {
namespace {

constexpr std::string_view kind = "tessera.checkpoint/1";

// Subtrees of past bounds are dropped from the file when they take more than that.
constexpr std::uint64_t most_waste = std::uint64_t{4} << 20;

constexpr const char* no_path = "-";  // an empty path

std::string text_of(double value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return std::string(digits.data(), end);
}

class Words {
 public:
  explicit Words(std::string_view record) : words_(split_fields(record)) {}

  [[nodiscard]] std::string text() {
    if (next_ >= words_.size()) throw Error(ErrorKind::corrupt, "has a field too few");
    return std::string(words_[next_++]);
  }
  [[nodiscard]] bool over() const { return next_ >= words_.size(); }
  [[nodiscard]] std::string path() {
    std::string word = text();
    return word == no_path ? std::string() : word;
  }
  template <class Number>
  [[nodiscard]] Number number() {
    const std::string word = text();
    Number value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) {
      throw Error(ErrorKind::corrupt, quote(word) + " is no number");
    }
    return value;
  }
  [[nodiscard]] Counts counts() {
    // From left to right, as always within braces.
    return {number<std::uint64_t>(), number<std::uint64_t>(), number<std::uint64_t>()};
  }

 private:
  std::vector<std::string_view> words_;
  std::size_t next_ = 0;
};

template <class... Parts>
std::string record_of(const Parts&... parts) {
  std::string record;
  const auto add = [&](const auto& part) {
    if (!record.empty()) record += ' ';
    using Part = std::decay_t<decltype(part)>;
    if constexpr (std::is_same_v<Part, double>) record += text_of(part);
    else if constexpr (std::is_arithmetic_v<Part>) record += std::to_string(part);
    else record += part;
  };
  (add(parts), ...);
  return record;
}

std::string path_text(const std::string& path) {
  return path.empty() ? no_path : path;
}

std::string tiles_of(const Board& board) {
  std::string text = to_string(board);
  std::replace(text.begin(), text.end(), ' ', '.');
  return text;
}

std::size_t board_of(std::string_view record) {
  Words words(record);
  (void)words.text();
  return words.number<std::size_t>();
}

std::string bound_record(std::size_t index, const IterationReport& report, int next_bound) {
  return record_of("bound", index, report.bound, report.counts.expanded, report.counts.generated,
                   report.counts.solutions, report.seconds, report.idle_fraction, next_bound);
}

}  // namespace

Checkpoint::Checkpoint(const std::filesystem::path& path, bool resume, double every)
    : every_(every) {
  if (resume) {
    this->resume(path);
  } else {
    std::string last;
    bool empty = true;
    journal_.emplace(path, kind, [&](const Journal::Record& record) {
      last = record.text;
      empty = false;
    });
    if (!empty) {
      // Boards follow one another: the last that was begun was answered last.
      replaced_unfinished_ = !last.starts_with("answer ");
      std::filesystem::rename(path, path.string() + "~");  // while it is still ours
      journal_.reset();
      journal_.emplace(path, kind);
    }
  }
  shortest_ = journal_->size();
}

// Checks all records and notes where those of each board stand.
void Checkpoint::resume(const std::filesystem::path& path) {
  Saved saved;
  journal_.emplace(path, kind, [&](const Journal::Record& record) {
    try {
      const std::size_t index = board_of(record.text);
      if (parts_.empty() || parts_.back().index != index) saved = {};
      read(record, saved);
      add(parts_, index, record);
    } catch (const Error& error) {
      throw Error(ErrorKind::corrupt,
                  path.string() + ":" + std::to_string(record.line) + ": " + error.what());
    }
  });
  std::ranges::stable_sort(parts_, {}, &Part::index);
}

void Checkpoint::add(std::vector<Part>& parts, std::size_t index, const Journal::Record& record) {
  if (parts.empty() || parts.back().index != index || parts.back().end != record.begin) {
    parts.push_back({index, record.begin, record.end});
  }
  parts.back().end = record.end;
}

// What the file has of a board.
const Checkpoint::Saved& Checkpoint::board(std::size_t index) {
  if (board_ && index_ == index) return *board_;
  Saved saved;
  const auto [begin, end] =
      std::equal_range(parts_.begin(), parts_.end(), Part{index},
                       [](const Part& a, const Part& b) { return a.index < b.index; });
  for (auto part = begin; part != end; ++part) {
    journal_->read(part->begin, part->end,
                   [&](const Journal::Record& record) { read(record, saved); });
  }
  index_ = index;
  return board_.emplace(std::move(saved));
}

void Checkpoint::read(const Journal::Record& record, Saved& saved) {
  Words words(record.text);
  const std::string what = words.text();
  (void)words.number<std::size_t>();
  SavedSearch& search = saved.search;
  // What follows a last bound is of that bound again: its answer was not asked for, or is lost.
  if (saved.answer || (is_last(search) && (what == "bound" || what == "done"))) {
    saved.answer.reset();
    reopen(search);
  }
  if (what == "board") {
    saved.identity = record.text;
  } else if (what == "bound") {
    search.iterations.push_back({.bound = words.number<int>(),
                                 .counts = words.counts(),
                                 .seconds = words.number<double>(),
                                 .idle_fraction = words.number<double>()});
    search.next_bound = words.number<int>();
    search.finished.clear();
    search.bound_seconds = 0;
  } else if (what == "beam") {
    search.beams.push_back({.width = words.number<std::uint64_t>(),
                            .evaluated = words.number<std::uint64_t>(),
                            .seconds = words.number<double>(),
                            .moves = words.path()});
  } else if (what == "done") {
    FinishedSubtree subtree;
    (void)words.number<int>();  // the bound is that of all until the next iteration
    subtree.counts = words.counts();
    subtree.next_bound = words.number<int>();
    subtree.path = words.path();
    subtree.solved = words.path();
    search.finished.push_back(std::move(subtree));
    if (!words.over()) search.bound_seconds = words.number<double>();  // not in older files
  } else if (what == "answer") {
    saved.answer = record.text;
    saved.whole = words.number<int>() != 0;
  } else {
    throw Error(ErrorKind::corrupt, "is a record of an unknown kind");
  }
}

// Whether the bound read last is that of a solution; then its answer follows.
bool Checkpoint::is_last(const SavedSearch& search) {
  return !search.iterations.empty() && search.next_bound == no_bound;
}

// The last bound is searched again.
void Checkpoint::reopen(SavedSearch& search) {
  if (!is_last(search)) return;  // an incumbent was the answer
  search.next_bound = search.iterations.back().bound;
  search.iterations.pop_back();
}

std::optional<std::string> Checkpoint::heuristic(std::size_t index) {
  const std::string& identity = board(index).identity;
  if (identity.empty()) return {};
  return identity.substr(identity.rfind(' ') + 1);
}

std::string Checkpoint::expect(std::size_t index, const Problem& problem) {
  const Saved& saved = board(index);
  const Instance& instance = problem.instance;
  for (const FinishedBeam& beam : saved.search.beams) {
    if (!beam.moves.empty() && replayed(instance.start, beam.moves) != instance.goal()) {
      throw Error(ErrorKind::corrupt, path() + ": holds a solution that does not lead to the goal");
    }
  }
  std::string identity = record_of("board", index, to_string(instance.size()),
                                   tiles_of(instance.start), tiles_of(instance.goal()),
                                   to_string(problem.metric), problem.prune, problem.heuristic);
  if (!saved.identity.empty() && saved.identity != identity) {
    Words before(saved.identity);
    Words now(identity);
    // Boards are kept with the goal's labels on their tiles, so that either may be the other one.
    constexpr const char* fields[] = {"",     "",       "size",  "board or goal",
                                      "goal", "metric", "prune", "heuristic"};
    std::string differs = "board";
    for (const char* const field : fields) {
      if (before.text() == now.text()) continue;
      differs = field;
      break;
    }
    throw Error(ErrorKind::corrupt, path() + ": is a checkpoint of another " + differs +
                                        " (board " + std::to_string(index + 1) +
                                        " of its run); give the same, or name another file");
  }
  return identity;
}

void Checkpoint::begin(std::size_t index, const Problem& problem) {
  const std::string identity = expect(index, problem);
  if (!board_->identity.empty()) return;
  write({identity}, false);
  board_->identity = identity;
}

bool Checkpoint::has_answer(std::size_t index, bool whole) {
  const Saved& saved = board(index);
  return saved.answer && (saved.whole || !whole);
}

SavedSearch Checkpoint::saved() const {
  SavedSearch search = board_.value().search;
  reopen(search);
  return search;
}

SearchResult Checkpoint::answer() const {
  const Saved& saved = board_.value();
  Words words(saved.answer.value());
  (void)words.text();
  (void)words.number<std::size_t>();
  (void)words.number<int>();
  SearchResult result;
  result.optimal = words.number<int>() != 0;
  result.solution_count = words.number<std::uint64_t>();
  result.earlier_seconds = words.number<double>();
  result.solution = words.path();
  result.iterations = saved.search.iterations;
  result.incumbent = best_of(saved.search.beams);
  result.counts.generated = 1;
  for (const IterationReport& report : result.iterations) result.counts += report.counts;
  if (!result.iterations.empty()) result.bound = result.iterations.back().bound;
  return result;
}

void Checkpoint::iteration_finished(const IterationReport& report, int next_bound) {
  write({bound_record(index_, report, next_bound)}, false);
  if (journal_->size() > shortest_ + most_waste) drop_old_subtrees();
}

void Checkpoint::beam_finished(const FinishedBeam& beam) {
  write(
      {record_of("beam", index_, beam.width, beam.evaluated, beam.seconds, path_text(beam.moves))},
      true);
}

void Checkpoint::subtrees_finished(int bound, const std::vector<FinishedSubtree>& finished,
                                   double seconds) {
  std::vector<std::string> records;
  records.reserve(finished.size());
  for (const FinishedSubtree& subtree : finished) {
    records.push_back(record_of("done", index_, bound, subtree.counts.expanded,
                                subtree.counts.generated, subtree.counts.solutions,
                                subtree.next_bound, path_text(subtree.path),
                                path_text(subtree.solved), seconds));
  }
  write(records, false);
}

void Checkpoint::answered(const SearchResult& result, bool whole) {
  std::vector<std::string> records;
  // Only where it was searched is there a last bound to write.
  if (whole || !result.incumbent || result.incumbent->moves != *result.solution) {
    records.push_back(bound_record(index_, result.iterations.back(), no_bound));
  }
  records.push_back(record_of("answer", index_, whole ? 1 : 0, result.optimal ? 1 : 0,
                              result.solution_count, result.seconds + result.earlier_seconds,
                              path_text(*result.solution)));
  write(records, false);
  board_.reset();
}

void Checkpoint::close() {
  write({}, true);
}

template <class Work>
void Checkpoint::unless_failed(const Work& work) {
  if (failure_) return;
  try {
    work();
  } catch (const Error&) {
    failure_ = std::current_exception();
    if (stop_ != nullptr) *stop_ = true;
  }
}

void Checkpoint::write(const std::vector<std::string>& records, bool sync) {
  unless_failed([&] {
    const bool due = since_sync_.seconds() >= every_;
    journal_->append(records, sync || due);
    if (due) since_sync_.lap();
  });
}

// All that the file has of the board begun is past its last bound.
void Checkpoint::drop_old_subtrees() {
  unless_failed([&] {
    std::vector<Part> parts;  // of boards yet to come
    journal_->retain([&](const Journal::Record& record) {
      if (record.text.starts_with("done ")) return false;
      const std::size_t index = board_of(record.text);
      if (index > index_) add(parts, index, record);
      return true;
    });
    std::ranges::stable_sort(parts, {}, &Part::index);
    parts_ = std::move(parts);
    shortest_ = journal_->size();
  });
}

}  // namespace tessera
