// SPDX-License-Identifier: MIT
#include "cluster/common_work.hpp"

#include "cluster/collectives.hpp"
#include "cluster/injection.hpp"

namespace tessera {
namespace {

class ClusterBeamExchange final : public BeamExchange {
 public:
  explicit ClusterBeamExchange(const Session& session) : session_(session) {}
  [[nodiscard]] int ranks() const override { return session_.size(); }
  [[nodiscard]] int rank() const override { return session_.rank(); }
  void sum(std::span<std::uint64_t> values) override {
    all_reduce(session_, values, std::plus<std::uint64_t>());
  }
  [[nodiscard]] Parts all_to_all(Parts parts) override {
    inject("beam-layer", session_.rank());
    return tessera::all_to_all(session_, std::move(parts));
  }
  [[nodiscard]] bool goes_on() override { return session_.state().goes_on(); }
  void stop() override { session_.state().stop_command(); }

 private:
  const Session& session_;
};

}  // namespace

BeamResult cluster_beam(const Session& session, const Problem& problem, const BeamOptions& options,
                        int threads, const Limits& limits, Observer& observer) {
  ThreadTeam team(threads);
  ClusterBeamExchange exchange(session);
  return beam_search(problem, options, team, exchange, limits, observer);
}

}  // namespace tessera
