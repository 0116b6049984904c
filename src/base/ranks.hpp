// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/failure.hpp"

namespace tessera {

/// The ranks of a job, as far as searches know of them; here a single process. All ranks make the
/// same calls in the same order, except for `may_continue` and `stop`.
///
/// A rank that knows of a stop skips its work, but still makes these calls; what it sends is valid
/// or empty. The next sum tells all ranks of the stop, and they leave at the same place: then no
/// message is under way.
class Ranks {
 public:
  using Parts = std::vector<std::vector<std::byte>>;  ///< by rank

  /// Messages from each rank to each other one, with their buffers.
  class Transfer {
   public:
    virtual ~Transfer() = default;
    /// Sends out[r] to rank r and receives in[r], unless they are empty; both sides know the
    /// lengths. With `emptied`, the messages have no content, and in[r] stays as it is there.
    /// `out` and `in` belong to the transfer until it is done.
    virtual void start(bool /*emptied*/ = false) { in = std::move(out); }
    /// Without waiting; called often while a rank computes, so that data moves.
    [[nodiscard]] virtual bool done() { return true; }
    virtual void wait() {}

    Parts out;
    Parts in;
  };

  virtual ~Ranks() = default;
  [[nodiscard]] virtual int size() const { return 1; }
  [[nodiscard]] virtual int rank() const { return 0; }

  /// Replaces each value by its sum over ranks, on all ranks.
  virtual void sum(std::span<std::uint64_t> /*values*/) {}
  /// A transfer that can be started again and again. Several may be under way, and are matched in
  /// the order of their starts.
  [[nodiscard]] virtual std::unique_ptr<Transfer> transfer() {
    return std::make_unique<Transfer>();
  }
  /// Runs `work`, which uses no ranks, on every rank; throws the error of the first rank that
  /// failed on all of them, as a CommonError. `step` names it.
  virtual void agree(const char* step, const std::function<void()>& work);

  /// Called often during long work. False if that is not needed any more.
  [[nodiscard]] virtual bool may_continue() { return !stopped_; }
  /// Tells all ranks to stop.
  virtual void stop() { stopped_ = true; }

  /// Zeroed, page-aligned memory shared by all ranks. It lives as long as this object, and writes
  /// before a `sum` are visible after it. Empty if ranks are on several hosts or one
  /// cannot get the memory.
  [[nodiscard]] virtual std::span<std::uint8_t> common(std::size_t /*bytes*/) { return {}; }

 private:
  bool stopped_ = false;
};

/// Sends part r to rank r; returns the received parts.
[[nodiscard]] Ranks::Parts all_to_all(Ranks& ranks, Ranks::Parts parts);
/// Each rank's number, by rank, on all ranks.
[[nodiscard]] std::vector<std::uint64_t> by_rank(Ranks& ranks, std::uint64_t mine);
/// Completes a list of which each rank has filled its own part: `sizes` by rank, in bytes.
void complete(Ranks& ranks, std::span<std::byte> list, std::span<const std::uint64_t> sizes);
/// Each rank's text, by rank, on all ranks.
[[nodiscard]] std::vector<std::string> gather(Ranks& ranks, const std::string& mine);

}  // namespace tessera
