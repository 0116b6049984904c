// SPDX-License-Identifier: MIT
#include "search/record/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "search/pruning/move_order.hpp"

namespace tessera {
namespace {

constexpr std::string_view kind = "tessera.checkpoint/1";

// A board's subtrees that are of no use any more are dropped when the file has grown by so many
// bytes; in the middle of a bound, where most may still be of use, also by its own size.
constexpr std::uint64_t most_waste = std::uint64_t{4} << 20;

constexpr std::string_view no_path = "-";  // an empty path

// The fields after the board's index in each kind of record, for reading or writing.
auto bound_fields(auto& report, auto& next_bound) {
  return std::tie(report.bound, report.counts.expanded, report.counts.generated,
                  report.counts.solutions, report.seconds, report.idle_fraction, next_bound);
}
auto beam_fields(auto& beam) {
  return std::tie(beam.width, beam.evaluated, beam.seconds, beam.moves);
}
auto done_fields(auto& bound, auto& subtree) {
  return std::tie(bound, subtree.counts.expanded, subtree.counts.generated,
                  subtree.counts.solutions, subtree.next_bound, subtree.path, subtree.solved);
}
auto answer_fields(auto& whole, auto& result, auto& seconds, auto& moves) {
  return std::tie(whole, result.optimal, result.solution_count, seconds, moves);
}

class Words {
 public:
  explicit Words(std::string_view record) : record_(record), words_(split_fields(record)) {}

  [[nodiscard]] std::string_view next() {
    if (over()) bad_file("lacks a field");
    return words_[next_++];
  }
  [[nodiscard]] bool over() const { return next_ >= words_.size(); }

  template <class... Fields>
  void read(const std::tuple<Fields&...>& fields) {
    std::apply([this](auto&... field) { (this->read(field), ...); }, fields);
  }
  void read(std::string& path) {
    path = next();
    if (path == no_path) path.clear();
  }
  void read(bool& value) {
    int number = 0;
    read(number);
    value = number != 0;
  }
  template <class Number>
  void read(Number& value) {
    const std::string_view word = next();
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) {
      bad_file(quote(word) + " is not a number");
    }
  }

  /// The text from the next word on.
  [[nodiscard]] std::string_view rest() const {
    if (over()) return {};
    return record_.substr(static_cast<std::size_t>(words_[next_].data() - record_.data()));
  }

 private:
  std::string_view record_;
  std::vector<std::string_view> words_;
  std::size_t next_ = 0;
};

template <class Field>
std::string text_of(const Field& field) {
  if constexpr (std::is_arithmetic_v<Field>) return fmt::to_string(+field);  // a bool is 0 or 1
  else return std::string(field.empty() ? no_path : std::string_view(field));
}

template <class... Fields>
std::string record_of(std::string_view what, std::size_t index,
                      const std::tuple<Fields...>& fields) {
  std::string record = fmt::format("{} {}", what, index);
  std::apply([&](const auto&... field) { ((record += ' ' + text_of(field)), ...); }, fields);
  return record;
}

std::string tiles_of(const Board& board) {
  std::string text = to_string(board);
  std::ranges::replace(text, ' ', '.');
  return text;
}

std::size_t board_of(std::string_view record) {
  Words words(record);
  (void)words.next();
  std::size_t index = 0;
  words.read(index);
  return index;
}

std::string path_of(std::string_view done) {
  Words words(done);
  (void)words.next();
  (void)words.next();
  int bound = 0;
  FinishedSubtree subtree;
  words.read(done_fields(bound, subtree));
  return std::move(subtree.path);
}

using Paths = std::unordered_set<std::string>;

// Whether a path leads to below one of these nodes.
bool is_below(const std::string& path, const Paths& nodes, Metric metric) {
  for (std::size_t length = 0; length < path.size(); ++length) {
    if (nodes.contains(path.substr(0, length)) &&
        leads_to(std::string_view(path).substr(0, length), path, metric)) {
      return true;
    }
  }
  return false;
}

// Whether the bound read last contained a solution; its answer follows.
bool is_last(const SavedSearch& search) {
  return !search.iterations.empty() && search.next_bound == no_bound;
}

// Reopens the last bound, to be searched again.
void reopen(SavedSearch& search) {
  if (!is_last(search)) return;  // an incumbent was the answer
  search.next_bound = search.iterations.back().bound;
  search.iterations.pop_back();
}

}  // namespace

Checkpoint::Checkpoint(const std::filesystem::path& path, bool resume, double every)
    : every_(every) {
  if (resume) {
    this->resume(path);
  } else {
    std::string last;
    journal_.emplace(path, kind, [&](const Journal::Record& record) { last = record.text; });
    holds_earlier_ = !last.empty();
    // Boards come one after another: the most recently started one was answered last.
    replaced_unfinished_ = holds_earlier_ && !last.starts_with("answer ");
  }
  is_empty_ = parts_.empty();
  compacted_ = journal_->size();
}

// Checks all records and stores the positions of each board's records.
void Checkpoint::resume(const std::filesystem::path& path) {
  Saved saved;
  journal_.emplace(path, kind, [&](const Journal::Record& record) {
    try {
      const std::size_t index = board_of(record.text);
      if (parts_.empty() || parts_.back().index != index) saved = {};
      read(record, saved);
      if (record.text.starts_with("answer ")) stopped_.erase(index);
      if (record.text.starts_with("done ")) stopped_.insert(index);
      add(parts_, index, record);
    } catch (const Error& error) {
      bad_file(path.string() + ":" + std::to_string(record.line) + ": " + error.what());
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

// The records of a board.
const Checkpoint::Saved& Checkpoint::board(std::size_t index) {
  if (board_ && index_ == index) return *board_;
  Saved saved;
  for (auto part = std::ranges::lower_bound(parts_, index, {}, &Part::index);
       part != parts_.end() && part->index == index; ++part) {
    journal_->read(part->begin, part->end,
                   [&](const Journal::Record& record) { read(record, saved); });
  }
  index_ = index;
  return board_.emplace(std::move(saved));
}

void Checkpoint::read(const Journal::Record& record, Saved& saved) {
  Words words(record.text);
  const std::string_view what = words.next();
  (void)words.next();
  SavedSearch& search = saved.search;
  // Records after a last bound are from its second search: the answer was not wanted, or lost.
  if (saved.answer || (is_last(search) && (what == "bound" || what == "done"))) {
    saved.answer.reset();
    reopen(search);
  }
  if (what == "board") {
    saved.identity = record.text;
  } else if (what == "bound") {
    words.read(bound_fields(search.iterations.emplace_back(), search.next_bound));
    search.finished.clear();
    search.bound_seconds = 0;
  } else if (what == "beam") {
    words.read(beam_fields(search.beams.emplace_back()));
  } else if (what == "done") {
    int bound = 0;  // of all records until the next iteration
    words.read(done_fields(bound, search.finished.emplace_back()));
    if (!words.over()) words.read(search.bound_seconds);  // absent in older files
  } else if (what == "answer") {
    SearchResult& answer = saved.answer.emplace();
    words.read(
        answer_fields(saved.whole, answer, answer.earlier_seconds, answer.solution.emplace()));
    saved.origin = words.rest();
  } else {
    bad_file("is a record of an unknown kind");
  }
}

std::optional<std::string> Checkpoint::heuristic(std::size_t index) {
  const std::string& identity = board(index).identity;
  if (identity.empty()) return {};
  return identity.substr(identity.rfind(' ') + 1);
}

std::optional<PruneRule> Checkpoint::prune(std::size_t index) {
  std::string identity = board(index).identity;
  if (identity.empty()) return {};
  identity.resize(identity.rfind(' '));
  return parse_prune(identity.substr(identity.rfind(' ') + 1));
}

bool Checkpoint::is_of(std::size_t index, const Instance& instance) {
  const std::string tiles = tiles_of(instance.start) + " " + tiles_of(instance.goal());
  return board(index).identity.find(" " + tiles + " ") != std::string::npos;
}

std::string Checkpoint::expect(std::size_t index, const Problem& problem) {
  const Saved& saved = board(index);
  const Instance& instance = problem.instance;
  for (const FinishedBeam& beam : saved.search.beams) {
    if (!beam.moves.empty() && replayed(instance.start, beam.moves) != instance.goal()) {
      bad_file(path() + ": holds a solution that does not lead to the goal");
    }
  }
  std::string identity = record_of(
      "board", index,
      std::tuple(to_string(instance.size()), tiles_of(instance.start), tiles_of(instance.goal()),
                 to_string(problem.metric), to_string(problem.prune), problem.heuristic));
  if (!saved.identity.empty() && saved.identity != identity) {
    // Boards are stored with the goal's labels on their tiles, so either may differ.
    constexpr std::array fields{"board", "board",  "size",  "board or goal",
                                "goal",  "metric", "prune", "heuristic"};
    const auto before = split_fields(saved.identity);
    const auto now = split_fields(identity);
    const auto same = std::ranges::mismatch(before, now).in1 - before.begin();
    const std::string differs = fields[std::min(static_cast<std::size_t>(same), fields.size() - 1)];
    bad_file(path() + ": is a checkpoint of another " + differs + " (board " +
             std::to_string(index + 1) + " of its run); search the same, or name another file");
  }
  return identity;
}

void Checkpoint::begin(std::size_t index, const Problem& problem) {
  const std::string identity = expect(index, problem);
  metric_ = problem.metric;
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
  SearchResult result = saved.answer.value();
  result.iterations = saved.search.iterations;
  result.incumbent = best_of(saved.search.beams, metric_);
  result.counts.generated = 1;
  for (const IterationReport& report : result.iterations) result.counts += report.counts;
  if (!result.iterations.empty()) result.bound = result.iterations.back().bound;
  return result;
}

void Checkpoint::iteration_finished(const IterationReport& report, int next_bound) {
  write({record_of("bound", index_, bound_fields(report, next_bound))}, false);
  if (journal_->size() > compacted_ + most_waste) compact();
}

void Checkpoint::beam_finished(const FinishedBeam& beam) {
  write({record_of("beam", index_, beam_fields(beam))}, true);
}

void Checkpoint::subtrees_finished(int bound, const std::vector<FinishedSubtree>& finished,
                                   double seconds) {
  std::vector<std::string> records;
  if (!finished.empty()) stopped_.insert(index_);
  for (const FinishedSubtree& subtree : finished) {
    records.push_back(
        record_of("done", index_, std::tuple_cat(done_fields(bound, subtree), std::tie(seconds))));
  }
  write(records, false);
  if (journal_->size() > 2 * compacted_ + most_waste) compact();
}

void Checkpoint::answered(const SearchResult& result, bool whole, const std::string& origin) {
  std::vector<std::string> records;
  // A last bound is written only if it was searched.
  if (whole || !result.incumbent || result.incumbent->moves != *result.solution) {
    records.push_back(record_of("bound", index_, bound_fields(result.iterations.back(), no_bound)));
  }
  const double seconds = result.seconds + result.earlier_seconds;
  records.push_back(
      record_of("answer", index_, answer_fields(whole, result, seconds, *result.solution)));
  if (!origin.empty()) records.back() += ' ' + origin;
  write(records, false);
  stopped_.erase(index_);
  board_.reset();
}

void Checkpoint::close() {
  write({}, true);
}

void Checkpoint::expect_in_place() const {
  journal_->expect_in_place();
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
    // The run has begun and was not refused: what another run left makes room.
    if (!records.empty() && std::exchange(holds_earlier_, false)) {
      const std::filesystem::path path = journal_->path();
      journal_->rename_to(path.string() + "~");  // while we still hold the lock
      journal_ = Journal(path, kind);
      compacted_ = journal_->size();
    }
    is_empty_ = is_empty_ && records.empty();
    const bool due = since_sync_.seconds() >= every_;
    journal_->append(records, sync || due);
    if (due) since_sync_.lap();
  });
}

// Drops the current board's subtrees of past bounds, and of its present bound those that lie below
// another. Those of other boards stay: of boards to come, and of those that a limit stopped.
void Checkpoint::compact() {
  if (!journal_->is_in_place()) return;  // the search may still end with an answer
  unless_failed([&] {
    const auto is_of_this = [this](const Journal::Record& record, std::string_view what) {
      return record.text.starts_with(what) && board_of(record.text) == index_;
    };
    Paths finished;  // at the present bound
    int bounds = 0;  // before it
    journal_->read(0, journal_->size(), [&](const Journal::Record& record) {
      if (is_of_this(record, "done ")) finished.insert(path_of(record.text));
      if (!is_of_this(record, "bound ")) return;
      finished.clear();
      ++bounds;
    });
    std::vector<Part> parts;  // of boards to come
    journal_->retain([&](const Journal::Record& record) {
      const std::size_t index = board_of(record.text);
      if (is_of_this(record, "bound ")) --bounds;
      if (record.text.starts_with("done ") &&
          (index == index_ ? bounds > 0 || is_below(path_of(record.text), finished, metric_)
                           : !stopped_.contains(index))) {
        return false;
      }
      if (index > index_) add(parts, index, record);
      return true;
    });
    std::ranges::stable_sort(parts, {}, &Part::index);
    parts_ = std::move(parts);
    compacted_ = journal_->size();
  });
}

}  // namespace tessera
