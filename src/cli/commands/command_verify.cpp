// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/commands/command_output.hpp"
#include "cli/process/context.hpp"
#include "puzzle/board_line.hpp"
#include "report/claimed_result.hpp"

namespace tessera {

int command_verify(const Config& config, Context&) {
  if (config.words.empty()) bad_input("no file, expected tessera verify FILE...");
  CommandOutput output(config);
  int checked = 0;
  int unanswered = 0;
  int failed = 0;
  int shortened = 0;
  for (const std::string& path : config.words) {
    const std::string text = read_text_file(path);
    TextRows rows(text);
    int count = 1;
    for (; const auto row = rows.next(); ++count) {
      const std::string place = line_place(file_name(path), row->line);
      with_error_prefix(place, [&] {
        const ClaimedResult claim =
            rows.is_csv() ? claim_of(json_of_csv(csv_row(row->text, rows.header()), count))
                          : parse_result(trimmed(row->text));
        std::string wrong = flaw(claim);
        if (wrong.empty()) wrong = flaw_of_iterations(claim);
        ++checked;
        if (claim.length_before) ++shortened;
        if (claim.status != "solved" && claim.status != "unsolvable") ++unanswered;
        if (wrong.empty()) return;
        ++failed;
        output.complain(place + "board " + claim.id + " " + wrong);
      });
    }
    if (count == 1) bad_input(file_name(path) + ": no result in this file, expected some");
  }
  if (shortened > 0) {
    output.remark(fmt::format("{} of optimize: also compared with the length before\n",
                              counted(shortened, "result")));
  }
  if (!config.quiet || failed > 0) {
    output.answer(fmt::format("{} checked, {} wrong, {} unanswered\n", counted(checked, "result"),
                              failed, unanswered));
  }
  return failed > 0 ? exit_internal : exit_answered;
}

}  // namespace tessera
