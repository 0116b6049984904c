// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/options/boards.hpp"
#include "puzzle/board_file.hpp"

namespace tessera {

/// A line that `solve --stream` reads: a board with its options, or a request to stop one.
struct StreamLine {
  std::optional<std::string> cancel;  ///< the id of the board to stop
  std::string id;
  BoardTask task;
  SearchOptions options;  ///< as requested
};

/// Reads the lines of a stream, one by one. Keeps a reference to the configuration.
class StreamLines {
 public:
  explicit StreamLines(const Config& config)
      : config_(config), boards_({config.format, config.size, {}}) {}

  /// `number`: the id of a board that has no other. False if the line needs no answer: it is blank,
  /// a comment, or the header of a CSV. Throws Error(input); `line.id` is then the board's, if the
  /// line names it.
  [[nodiscard]] bool read(std::string_view whole, int number, StreamLine& line);

 private:
  const Config& config_;
  BoardLines boards_;
};

}  // namespace tessera
