// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "puzzle/board_file.hpp"
#include "puzzle/text_lines.hpp"

namespace tessera {

/// Numbers the boards of a file, gives them what comments say, and passes on what is wrong with bad
/// ones.
class BoardCollector {
 public:
  BoardCollector(std::string name, const BoardFileOptions& options)
      : name_(std::move(name)), options_(options) {}

  /// Adds the board that `parse` returns. An error gets its line, which `parse` may change, and
  /// goes to the caller's handler.
  template <class Parse>
  void add(const BoardHeader* header, const int& line, Parse parse) {
    ++found_;
    try {
      NamedBoard board = parse();
      finish(header, board);
      boards_.push_back(std::move(board));
    } catch (const Error& error) {
      const std::string message = line_place(name_, line) + error.what();
      if (!options_.on_bad_board) throw Error(error.kind(), message);
      options_.on_bad_board(message);
    }
  }

  [[noreturn]] void fail(int line, const std::string& what) const {
    bad_input(line_place(name_, line) + what);
  }

  /// The size that all boards after this header have, if it is known.
  [[nodiscard]] std::optional<Size> size(const BoardHeader* header) const {
    return header != nullptr && header->size ? header->size : options_.size;
  }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int found() const { return found_; }
  [[nodiscard]] std::vector<NamedBoard> take() { return std::move(boards_); }

 private:
  void finish(const BoardHeader* header, NamedBoard& board) const;

  std::string name_;
  const BoardFileOptions& options_;
  std::vector<NamedBoard> boards_;
  int found_ = 0;
};

}  // namespace tessera
