// SPDX-License-Identifier: MIT
#include <stdexcept>

#include "base/error.hpp"
#include "base/temporary_folder.hpp"
#include "cli/options/options.hpp"
#include "fuzz/target.hpp"
#include "heuristic/heuristic_spec.hpp"
#include "heuristic/registry.hpp"
#include "puzzle/board_file.hpp"
#include "puzzle/goal.hpp"
#include "report/claimed_result.hpp"
#include "report/result_page.hpp"

namespace tessera::fuzz {
namespace {

const std::string result_row =
    R"({"schema":"tessera.result/1","id":"1","size":"2x2","goal":"last","metric":"single",)"
    R"("board":[1,2,0,3],"solvable":true,"status":"solved","length":1,"moves":"L","optimal":true,)"
    R"("engine":"ida","heuristic":"manhattan","backend":"serial","ranks":1,"threads":1,"hosts":1,)"
    R"("bounds":"shared","seconds":0.5,"nodes":{"expanded":1,"generated":2},)"
    R"("iterations":[{"bound":1,"expanded":1,"generated":2,"seconds":0.5,"idle_fraction":0}]})"
    "\n";
const std::string census_row =
    R"({"schema":"tessera.census/1","size":"2x2","goal":"last","metric":"single","radius":6,)"
    R"("states":12,"widths":[1,2,2,2,2,2,1],"deepest":[],"seconds":0.1,"ranks":1,"threads":1})"
    "\n";
const std::string trace =
    R"([{"name":"search","ph":"X","ts":1,"dur":5,"pid":0,"tid":1,"args":{"nodes":3}},)"
    R"({"name":"steal","ph":"s","ts":2,"pid":0,"tid":1,"id":1}])";

Target boards() {
  return {.name = "boards",
          .seeds = {"1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15\n# comment\nid7: 1,2,0,3\n",
                    "# a\n3\n1 2 3\n4 5 6\n7 0 8\n# b\n2 3\n1 2\n3 4\n0 5\n",
                    "# size 2x3, goal first\n1 0 2 3 4 5\n# size 3x2, goal 5 4 3 2 1 0\n"
                    "3 1 0 2 4 5\n",
                    "{\"id\":\"a\",\"size\":\"2x2\",\"board\":[1,2,0,3]}\n{\"board\":[0,1,2,3],"
                    "\"goal\":\"first\"}\n",
                    "# goal: spiral\n1 2 3/8 0 4/7 6 5\n[[1, 2, 3], [4, _, 6], [7, 5, 8]]\n"
                    "123456789ABCDEF0\n1;2;3;4;;6;7;5;8\n\"1 2 3\",\"4 x 6\",\"7 5 8\"\n",
                    "id,size,goal,board\n1,2x2,last,\"1 2 0 3\"\nb,,,1230\n",
                    "2\n1 2 3\n4 0 6\n7 5 8\n\n8\n-1\n1 2 3\n4 5 6\n7 0 8\n",
                    "[{\"board\": [[1, 2], [null, 3]]},\n {\"board\": \"1 2/3 _\"}]\n",
                    "17 1 2 3 4 5 6 7 0 8\n9 1 2 3 4 5 6 7 8 0\n", result_row},
          .parse = [](const std::string& input) {
            try {
              (void)parse_board(input, {});
            } catch (const Error&) {
              // A file has more forms.
            }
            BoardFileOptions options;
            int complaints = 0;
            options.on_bad_board = [&](const std::string& text) {
              if (text.find('\n') != std::string::npos) throw std::runtime_error("two lines");
              ++complaints;
            };
            for (const BoardFormat format :
                 {BoardFormat::automatic, BoardFormat::lines, BoardFormat::slash,
                  BoardFormat::blocks, BoardFormat::grid, BoardFormat::csv, BoardFormat::json}) {
              options.format = format;
              try {
                for (const NamedBoard& board : parse_boards(input, "input", options)) {
                  // What was read can be written and is read back as it was.
                  const auto again =
                      parse_boards(format_board(board, BoardFormat::json), "again", {});
                  if (again.size() != 1 || again[0].board != board.board) {
                    throw std::runtime_error("does not come back");
                  }
                }
              } catch (const Error& error) {
                if (format == BoardFormat::json) throw;  // the last one speaks
              }
            }
          }};
}

Target results() {
  return {.name = "results",
          .seeds = {result_row, census_row, result_row + census_row, trace},
          .parse = [](const std::string& input) {
            try {
              const ClaimedResult claim = parse_result(input);
              (void)flaw(claim);
              (void)flaw_of_iterations(claim);
            } catch (const Error&) {
              // The page has its own reading.
            }
            ResultPage page;
            page.add(input, "input");
            (void)page.summary();
            (void)page.html();
          }};
}

Target config() {
  return {.name = "config",
          .seeds = {"threads = 2\nall = true\n[solve]\nschedule = \"static\"\ntime-limit = '1h'\n",
                    "# c\nprogress = \"none\"\n[generate]\ncount = 3\nseed = 0x10\n"},
          .parse = [](const std::string& input) {
            static const TemporaryFolder folder;
            (void)read_config_file(folder.file("config.toml", input), command_specs()[0]);
          }};
}

Target heuristics() {
  return {.name = "heuristics",
          .seeds = {"max(manhattan,pdb:{1,2,5,6}{3,4,7,8})", "pdb:7-8", "linear-conflict",
                    "max(pdb:5-5-5,walking)", "pdb:{1,2,3}{4,5,6,7}{8,9,10,11,12,13,14,15}"},
          .parse = [](const std::string& input) {
            const Board goal = Goal().board({4, 4});
            const HeuristicSpec spec = resolve_heuristic(input, goal, Metric::single);
            if (to_string(parse_heuristic(to_string(spec))) != to_string(spec)) {
              throw std::runtime_error("does not come back");
            }
            (void)table_requests(spec, {4, 4}, goal.blank());
          }};
}

}  // namespace

std::vector<Target> text_targets() {
  return {boards(), results(), config(), heuristics()};
}

}  // namespace tessera::fuzz
