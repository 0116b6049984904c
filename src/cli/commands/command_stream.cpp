// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <condition_variable>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/line_reader.hpp"
#include "base/text.hpp"
#include "base/threads.hpp"
#include "cli/commands/solve_output.hpp"
#include "cli/commands/stream_line.hpp"
#include "cli/process/context.hpp"
#include "cli/process/crew.hpp"
#include "heuristic/registry.hpp"
#include "puzzle/goal.hpp"
#include "report/run_identity.hpp"
#include "report/task_result.hpp"
#include "search/problem.hpp"
#include "solver/memory.hpp"
#include "solver/plan.hpp"
#include "solver/session.hpp"

namespace tessera {
namespace {

// Lines that wait for their answers: enough to keep many workers busy. The rest is not read yet.
constexpr std::size_t most_unanswered = 10'000;
// Of a JSON line; longer ones are refused.
constexpr std::size_t most_line_bytes = (std::size_t{1} << 20) + 1;

// Throws Error(input) for options that a stream does not have.
void expect_streamable(const Config& config) {
  if (!config.file)
    bad_input("--stream: reads the lines of --file, expected --file FILE, or - for standard input");
  const std::pair<bool, const char*> unsupported[] = {
      {!config.words.empty(), "BOARD"},
      {config.set.has_value(), "--set"},
      {config.scramble_moves.has_value(), "--scramble"},
      {config.slice.parts > 1, "--slice"},
      {config.heuristic_list.size() > 1, "several --heuristics"},
      {config.checkpoint.has_value(), "--checkpoint"},
      {config.resume, "--resume"},
      {config.record.has_value(), "--record"},
      {config.trace.has_value(), "--trace"},
      {config.log_dir.has_value(), "--log-dir"},
      {config.dry_run, "--dry-run"},
      {config.format == BoardFormat::blocks, "--format blocks"},
      {config.format == BoardFormat::grid, "--format grid"}};
  for (const auto& [given, name] : unsupported) {
    if (given) bad_input("--stream: not with " + std::string(name));
  }
  // What would make an error of every line.
  const bool names_goal = config.goal && std::ranges::all_of(trimmed(*config.goal), [](char c) {
                            return std::isalpha(static_cast<unsigned char>(c)) != 0;
                          });
  if (names_goal) (void)with_error_prefix("--goal: ", [&] { return parse_goal(*config.goal, {}); });
  const bool may_suit = config.heuristic == "auto" ||  // lines may have another metric
                        is_known_heuristic(config.heuristic, other(config.metric));
  if (!may_suit) expect_known_heuristic(config.heuristic, config.metric);
}

Config with_rows(Config config) {
  if (config.json || config.csv == "-") return config;
  if (config.summary == "-") {
    if (config.csv) return config;
    bad_input("--stream: rows and --summary - both use standard output, expected a file for one");
  }
  config.json = "-";
  return config;
}

// Of a line, with the exit code that it would have alone.
struct Answer {
  BoardResult result;
  bool alone = false;  // solved by one thread
  int code = exit_answered;
};

class Stream {
 public:
  Stream(const Config& asked, Context& context)
      : asked_(with_rows(asked)),
        config_(asked_),
        notes_(adapt_to_engine(config_, context.ranks())),
        context_(context),
        lines_(asked_),
        reader_(*config_.file),
        run_(begin_run(config_.command_line)),
        workers_(workers_of(config_, context_, context_.ranks())),
        setup_(setup_of(config_, workers_)),
        whole_boards_(setup_),
        output_(config_, true, workers_, setup_),
        limits_(limits_of(config_, context_)) {
    whole_boards_.schedule.reset();
  }

  int run() {
    context_.stop_on_signals();
    const Crew crew = make_crew(workers_, config_, context_);
    for (const std::string& note : notes_) output_.remark("note: " + note + "\n");
    output_.remark(binding_warning(config_, workers_, "--threads"));
    // With a single worker there is nobody to solve easy boards beside a hard one.
    const int threads = workers_.count() > 1 ? workers_.threads() : 0;
    session_.emplace(SolverSession::Options{.threads = threads, .deadline = limits_.deadline});
    BoardSolver all({}, workers_, *crew.backend);
    {
      const Threads reading(1, [this](int, const std::stop_token& ending) { read_all(ending); });
      while (const std::shared_ptr<SessionBoard> board = session_->next()) {
        // Its tables may have taken the memory that the next board needs.
        if (!session_->solve(board, all)) close_tables(0);
      }
    }
    if (failure_) std::rethrow_exception(failure_);
    output_.write_sums(run_, {});
    output_.end();
    return code_;
  }

 private:
  class StreamBoard final : public SessionBoard {
   public:
    StreamBoard(Stream& stream, std::uint64_t number, SessionTask task)
        : SessionBoard(std::move(task)), stream_(stream), number_(number) {
      add(stream.output_.progress());
    }

    void tables_made(double fraction) override {
      ProgressObserver& progress = stream_.output_.progress();
      if (fraction == 0) progress.board_started("building tables of " + task().plan.heuristic.name);
      progress.part_done(fraction);
    }
    void search_begins() override { stream_.output_.progress().board_started(task().id); }

    void ended(BoardOutcome outcome, bool alone) override {
      Origin origin = origin_of(stream_.run_, outcome);
      if (!alone) {
        origin.workers = stream_.workers_.count();
        origin.cpu_share.reset();  // other threads use the CPUs, too
      }
      give(result_of_search(task().options, task(), task().plan, std::move(outcome.result),
                            std::move(origin)),
           alone);
    }
    void stopped_unsearched(Stop why, double setup_seconds) override {
      BoardResult result = result_before_search(task().options, task(), task().plan);
      result.status = status_of(why);
      result.setup_seconds = setup_seconds;
      give(std::move(result), false);
    }
    void failed(const Failure& failure) override {
      BoardResult result = result_before_search(task().options, task(), task().plan);
      result.status = Status::error;
      result.message = failure.message;
      stream_.give(number_, {std::move(result), false, exit_code(failure.kind)});
    }

   private:
    void give(BoardResult result, bool alone) {
      const int code = code_of(result, exit_stopped);
      stream_.give(number_, {std::move(result), alone, code});
    }

    Stream& stream_;
    const std::uint64_t number_;
  };

  // What waits for its answer; a bad line has no board.
  struct Line {
    std::shared_ptr<SessionBoard> board;
    std::optional<Answer> answer = {};
  };

  void read_all(const std::stop_token& ending) {
    const auto may_continue = [&] { return !ending.stop_requested() && !limits_.reached(0); };
    try {
      std::uint64_t number = 0;
      while (const auto text = reader_.next(most_line_bytes, may_continue)) {
        ++number;
        take(*text, file_name(*config_.file) + ":" + std::to_string(number) + ": ");
        wait_until_fewer(most_unanswered, may_continue);
      }
      wait_until_fewer(1, may_continue);
      if (limits_.reached(0) && reader_.has_more()) {  // the rest stays unanswered
        const std::lock_guard lock(mutex_);
        code_ = std::max<int>(code_, exit_stopped);
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      keep_failure();
    }
    if (context_.interrupted || ending.stop_requested()) stop({});
    session_->close();
  }

  void take(const std::string& text, const std::string& place) {
    StreamLine line;
    std::shared_ptr<SessionBoard> board;
    std::optional<Answer> answer;
    try {
      if (!lines_.read(text, static_cast<int>(last_ + 1), line)) return;
      if (line.cancel) return stop(line.cancel);
      SearchOptions options = line.options;
      (void)adapt_to_engine(options, context_.ranks());
      // As for many boards: a session lives long. But a board's limit covers its tables.
      SearchOptions choice = options;
      if (options.board_time_limit.count() > 0) {
        choice.time_limit = std::min(options.time_limit.value_or(options.board_time_limit),
                                     options.board_time_limit);
      }
      const Plan plan = make_plan(choice, line.task.goal, std::numeric_limits<std::size_t>::max(),
                                  &line.task.board);
      expect_searchable(options, plan, line.task.board, line.task.goal);
      expect_memory(options, workers_, plan.table_bytes);
      if (solvable(line.task.board, line.task.goal)) {
        board =
            std::make_shared<StreamBoard>(*this, last_ + 1, SessionTask{line.task, options, plan});
      } else {
        answer.emplace().result = result_before_search(options, line.task, plan);
      }
    } catch (const Error& error) {
      answer.emplace(bad_line(line, place + error.what(), exit_code(error.kind())));
    }
    {
      const std::lock_guard lock(mutex_);
      unanswered_[++last_] = {board};
    }
    if (board) session_->add(board);
    else give(last_, std::move(*answer));
  }

  [[nodiscard]] Answer bad_line(const StreamLine& line, const std::string& message,
                                int code) const {
    Answer answer;
    answer.code = code;
    answer.result.id = line.id;
    answer.result.board = line.task.board;
    answer.result.goal = line.task.goal_name;
    answer.result.metric = line.options.metric;
    answer.result.solvable = answer.result.has_board() && solvable(line.task.board, line.task.goal);
    answer.result.status = Status::error;
    answer.result.message = message;
    return answer;
  }

  // All boards, or those of that id. Called by the thread that reads. A board that is answered
  // already stays so.
  void stop(const std::optional<std::string>& id) {
    std::vector<std::shared_ptr<SessionBoard>> boards;
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [number, line] : unanswered_) {
        const bool runs = line.board && !line.answer;
        if (runs && (!id || line.board->task().id == *id)) boards.push_back(line.board);
      }
    }
    for (const auto& board : boards) (void)session_->cancel(board);
  }

  void wait_until_fewer(std::size_t unanswered, const std::function<bool()>& may_continue) {
    constexpr std::chrono::milliseconds interval{100};
    std::unique_lock lock(mutex_);
    while (unanswered_.size() >= unanswered && may_continue()) answered_.wait_for(lock, interval);
  }

  // Writes the answer of a line, and those of later lines that wait for it. Called by any thread.
  void give(std::uint64_t number, Answer answer) {
    const std::lock_guard lock(mutex_);
    try {
      unanswered_.at(number).answer = std::move(answer);
      if (config_.unordered) write(unanswered_.extract(number).mapped());
      while (!unanswered_.empty() && unanswered_.begin()->second.answer) {
        write(unanswered_.extract(unanswered_.begin()).mapped());
      }
    } catch (...) {
      keep_failure();
    }
    answered_.notify_all();
  }

  void write(Line line) {
    if (failure_) return;
    BoardResult& result = line.answer->result;
    const auto now = Stopwatch::Clock::now();
    if (!result.origin) result.origin = origin_of(run_, 0, now, now);  // not searched
    output_.write_answer(result, line.answer->alone ? whole_boards_ : setup_, run_);
    code_ = std::max(code_, line.answer->code);
  }

  // Ends the session with the exception being handled.
  void keep_failure() {
    if (!failure_) failure_ = std::current_exception();
    context_.interrupted = true;
  }

  const Config asked_;
  Config config_;
  std::vector<std::string> notes_;
  Context& context_;
  StreamLines lines_;
  LineReader reader_;
  RunIdentity run_;
  const Workers workers_;
  const RunSetup setup_;
  RunSetup whole_boards_;  // of one worker each: nothing is scheduled within a board
  SolveOutput output_;
  const Limits limits_;
  std::uint64_t last_ = 0;  // line that needs an answer

  std::mutex mutex_;
  std::condition_variable answered_;
  std::map<std::uint64_t, Line> unanswered_;
  int code_ = exit_answered;
  std::exception_ptr failure_;
  std::optional<SolverSession> session_;  // last: its threads end before what they use
};

}  // namespace

int command_stream(const Config& config, Context& context) {
  expect_streamable(config);
  return Stream(config, context).run();
}

}  // namespace tessera
