// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <vector>

#include "base/memory.hpp"
#include "base/ranks.hpp"
#include "cluster/job/polling.hpp"
#include "cluster/job/session.hpp"

namespace tessera {

/// The ranks of a session. Waits throw JobFailed.
class ClusterRanks final : public Ranks {
 public:
  explicit ClusterRanks(const Session& session, Waiting waiting = {})
      : session_(session), waiting_(std::move(waiting)) {}

  [[nodiscard]] int size() const override { return session_.size(); }
  [[nodiscard]] int rank() const override { return session_.rank(); }
  void sum(std::span<std::uint64_t> values) override;
  [[nodiscard]] std::unique_ptr<Transfer> transfer() override;
  void agree(const char* step, const std::function<void()>& work) override;
  [[nodiscard]] bool may_continue() override { return session_.state().may_continue(); }
  void stop() override { session_.state().stop_command(); }
  [[nodiscard]] std::span<std::uint8_t> common(std::size_t bytes) override;

 private:
  const Session& session_;
  Waiting waiting_;
  std::vector<LargeBuffer> common_;
};

}  // namespace tessera
