// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "analysis/game_search.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/json_object.hpp"
#include "base/text.hpp"
#include "cli/commands/command_output.hpp"
#include "cli/commands/games.hpp"
#include "cli/process/context.hpp"
#include "cli/process/crew.hpp"
#include "puzzle/goal.hpp"
#include "puzzle/move_sequence.hpp"
#include "puzzle/move_text.hpp"
#include "report/task_result.hpp"
#include "solver/board_solver.hpp"
#include "solver/memory.hpp"
#include "solver/tables.hpp"

namespace tessera {
namespace {

constexpr std::string_view analysis_columns =
    "id,size,goal,metric,board,moves,length,optimal_length,solves,mistakes,heuristic,seconds,"
    "version";

void expect_solvable(const Game& game) {
  if (solvable(game.board, game.goal)) return;
  bad_input("board " + game.id + " is unsolvable: no moves lead to the goal");
}

class Analyst {
 public:
  Analyst(const Config& asked, Context& context)
      : config_(asked),
        notes_(adapt_to_engine(config_, context.ranks())),
        context_(context),
        file_(read_games(config_, expect_solvable)),
        output_(config_) {
    config_.search_from = SearchFrom::start;  // boards of a game share a plan
    for (const Game& game : file_.games) {
      plans_.push_back(make_plan(config_, game.goal, file_.games.size(), &game.board));
    }
  }

  int run() {
    context_.stop_on_signals();
    for (const std::string& complaint : file_.complaints) output_.complain(complaint);
    Crew crew = make_crew(config_, context_);
    for (const Plan& plan : plans_) {
      expect_memory(config_, crew.workers, plan.table_bytes);
      expect_table_room(config_.table_directory, plan.heuristic);
    }
    BoardSolver solver(config_, crew.workers, *crew.backend);
    for (const std::string& note : notes_) output_.remark("note: " + note + "\n");
    for (const std::string& note : file_.notes) output_.remark("note: " + note + "\n");
    const Limits limits = limits_of(config_, context_, config_.node_limit);
    std::size_t boards = 0;
    const std::vector<Game>& games = file_.games;
    for (const Game& game : games) boards += moves_of(game.moves, config_.metric).size() + 1;
    Observer nobody;
    GameSearch search(config_, solver, limits, boards, nobody);
    ProgressObserver progress(output_.errors(), config_.shown_progress());
    for (std::size_t i = 0; i < games.size(); ++i) {
      const Game& game = games[i];
      const Plan& plan = plans_[i];
      const Stopwatch watch;
      if (context_.interrupted) return stopped();
      if (!prepare_tables(solver, plan, limits, progress)) {
        output_.complain("stopped by a limit or signal while tables were being built");
        return exit_stopped;
      }
      found_.push_back(search.analyse(plan, game.board, game.goal, game.moves));
      const GameAnalysis& found = found_.back();
      print(game, found);
      nlohmann::ordered_json json =
          row_of(game, game.moves, config_.metric, found, plan.heuristic.name, watch.seconds());
      if (config_.window) json["lost"] = lost_moves(found, *config_.window);
      output_.write_json(to_line(json));
      json["mistakes"] =
          found.all_exact() ? nlohmann::ordered_json(found.mistakes.size()) : nullptr;
      output_.write_csv(analysis_columns, json);
      if (context_.interrupted && !all_known()) return stopped();
    }
    output_.end_rows(analysis_columns);
    if (games.size() > 1) output_.remark(summary());
    if (!all_known()) return exit_stopped;
    return file_.complaints.empty() ? exit_answered : exit_bad_input;
  }

 private:
  [[nodiscard]] int stopped() {
    output_.complain("stopped by a signal; what was known by then is reported");
    return exit_stopped;
  }

  [[nodiscard]] bool all_known() const {
    return std::ranges::all_of(found_, [](const GameAnalysis& game) { return game.all_exact(); });
  }

  void print(const Game& game, const GameAnalysis& found) {
    const Bracket& start = found.brackets.front();
    const bool is_exact = found.is_exact(0);
    std::string text = fmt::format("{}: {}, ", game.id, counted(found.length, "move"));
    text += is_exact      ? fmt::format("{} optimal", start.lower)
            : start.upper ? fmt::format("{} to {} necessary", start.lower, *start.upper)
                          : fmt::format("at least {} necessary", start.lower);
    if (!found.solves) {
      text += fmt::format(", {} left at the end", found.is_exact(found.brackets.size() - 1)
                                                      ? std::to_string(found.brackets.back().lower)
                                                      : "some");
    } else if (is_exact) {
      text += fmt::format(", {} more than optimal", found.length - start.lower);
    }
    text += fmt::format(", {}{}\n", found.all_exact() ? "" : "at least ",
                        counted(found.mistakes.size(), "mistake"));
    const std::vector<std::string> moves = moves_of(game.moves, config_.metric);
    for (const Mistake& mistake : found.mistakes) {
      const std::string& made = moves[static_cast<std::size_t>(mistake.move) - 1];
      text += fmt::format("  move {} ({}): {} became {}{}\n", mistake.move, shown_moves(made),
                          mistake.before, mistake.after,
                          mistake.better.empty() ? "" : "; better " + shown_moves(mistake.better));
    }
    if (config_.window) {
      text += fmt::format("  moves lost in each {}:", counted(*config_.window, "move"));
      for (const int lost : lost_moves(found, *config_.window)) {
        text += lost < 0 ? " ?" : fmt::format(" {}", lost);
      }
      text += "\n";
    }
    output_.answer(text);
  }

  [[nodiscard]] std::string shown_moves(const std::string& letters) const {
    return format_moves(letters, config_.notation, config_.moves_of);
  }

  [[nodiscard]] std::string summary() const {
    std::map<int, int> more;  // games by their moves more than optimal
    int unknown = 0;          // games whose optimal length is not known
    int unfinished = 0;       // games that do not end at the goal
    for (const GameAnalysis& game : found_) {
      if (!game.solves) ++unfinished;
      else if (game.is_exact(0)) ++more[game.length - game.brackets.front().lower];
      else ++unknown;
    }
    std::string text = counted(file_.games.size(), "game") + ":";
    for (const auto& [over, games] : more) {
      text += fmt::format(" {}{}: {}", over == 0 ? "optimal" : "+",
                          over == 0 ? "" : std::to_string(over), games);
    }
    for (const auto& [what, games] : {std::pair("unknown", unknown), {"unfinished", unfinished}}) {
      if (games > 0) text += fmt::format(" {}: {}", what, games);
    }
    return text + "\n";
  }

  Config config_;
  std::vector<std::string> notes_;
  Context& context_;
  const Games file_;
  std::vector<Plan> plans_;  // of the games
  CommandOutput output_;
  std::vector<GameAnalysis> found_;
};

}  // namespace

int command_analyse(const Config& config, Context& context) {
  return Analyst(config, context).run();
}

}  // namespace tessera
