// SPDX-License-Identifier: MIT
#include "report/run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/json_object.hpp"
#include "base/text.hpp"
#include "report/tables.hpp"
#include "report/version.hpp"

namespace tessera {

void RunSummary::add(const BoardResult& result, const RunIdentity& run) {
  ++boards_;
  if (!result.has_board()) return;
  if (result.status == Status::unsolvable) ++unsolvable_;
  if (result.status == Status::solved) {
    ++solved_;
    ++lengths_[*result.length];
  }
  counts_ += result.counts;
  sizes_.insert(to_string(result.board.size()));
  if (!result.heuristic.empty()) heuristics_.insert(result.heuristic);
  if (!result.solvable || !result.origin || result.origin->run.id != run.id) return;
  begin_ = std::min(begin_, result.origin->begin_seconds);
  end_ = std::max(end_, result.origin->end_seconds);
  ++searched_;
}

double RunSummary::mean() const {
  double sum = 0;
  for (const auto& [length, count] : lengths_) sum += length * static_cast<double>(count);
  return sum / static_cast<double>(solved_);
}

double RunSummary::boards_per_second() const {
  return seconds() > 0 ? static_cast<double>(searched_) / seconds() : 0;
}

std::string RunSummary::text() const {
  std::string text = fmt::format("{}: {} solved, {} unsolvable, {} stopped\n",
                                 counted(boards_, "result"), solved_, unsolvable_, stopped());
  if (solved_ > 0) {
    const int least = lengths_.begin()->first;
    const int most = lengths_.rbegin()->first;
    text += fmt::format("moves: mean {:.2f}, minimum {}, maximum {}\n", mean(), least, most);
    // At most twelve rows of equal width, with a bar of up to 40 letters.
    const int width = (most - least) / 12 + 1;
    std::map<int, std::size_t> bins;
    for (const auto& [length, count] : lengths_) bins[(length - least) / width] += count;
    const std::size_t largest =
        std::ranges::max_element(bins, {}, &std::pair<const int, std::size_t>::second)->second;
    for (const auto& [bin, count] : bins) {
      const int first = least + bin * width;
      const std::string range =
          width == 1 ? std::to_string(first) : fmt::format("{}-{}", first, first + width - 1);
      text += fmt::format("{:>9} {:>8} {}\n", range, count,
                          std::string((40 * count + largest - 1) / largest, '#'));
    }
  }
  return text + fmt::format(
                    "nodes: {} expanded, {} generated; {} s from the first board "
                    "to the last, {:.1f} boards per second\n",
                    with_commas(counts_.expanded), with_commas(counts_.generated),
                    seconds_text(seconds()), boards_per_second());
}

std::string RunSummary::json(const RunIdentity& run, const RunSetup& setup,
                             std::optional<double> cpu_share) const {
  using Json = nlohmann::ordered_json;
  Json json;
  json["schema"] = "tessera.run/1";
  json["run"] = run.id;
  json["date"] = run.date;
  json["version"] = version();
  json["revision"] = run.revision;
  json["cpu"] = or_null<Json>(run.cpu);
  json["command"] = run.command;
  json["sizes"] = sizes_;
  json["boards"] = boards_;
  json["solved"] = solved_;
  json["unsolvable"] = unsolvable_;
  json["stopped"] = stopped();
  json["moves"] = nullptr;
  if (solved_ > 0) {
    json["moves"] = {{"mean", mean()},
                     {"minimum", lengths_.begin()->first},
                     {"maximum", lengths_.rbegin()->first},
                     {"histogram", Json::object()}};
    for (const auto& [length, count] : lengths_) {
      json["moves"]["histogram"][std::to_string(length)] = count;
    }
  }
  json["nodes"] = {{"expanded", counts_.expanded}, {"generated", counts_.generated}};
  json["seconds"] = seconds();
  json["boards_per_second"] = seconds() > 0 ? Json(boards_per_second()) : Json(nullptr);
  json["cpu_share"] = or_null<Json>(cpu_share);
  add_workers(json, setup);
  json["engine"] = setup.engine;
  json["heuristics"] = heuristics_;
  return to_line(json);
}

}  // namespace tessera
