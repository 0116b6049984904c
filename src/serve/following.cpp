// SPDX-License-Identifier: MIT
#include "serve/following.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace tessera {
namespace {

class SearchStream : public BodyStream {
 public:
  SearchStream(std::shared_ptr<Search> search, std::shared_ptr<void> place)
      : search_(std::move(search)), place_(std::move(place)) {}
  void start(std::function<void()> changed) final {
    follower_.emplace(*search_, std::move(changed));
  }

 protected:
  [[nodiscard]] Search& search() const { return *search_; }
  [[nodiscard]] Search::Follower& follower() { return *follower_; }
  [[nodiscard]] const Search::Follower& follower() const { return *follower_; }

 private:
  std::shared_ptr<Search> search_;
  std::shared_ptr<void> place_;
  std::optional<Search::Follower> follower_;
};

class EventStream final : public SearchStream {
 public:
  using SearchStream::SearchStream;
  [[nodiscard]] std::string next(bool overdue) override {
    std::string text;
    for (const SearchEvent& event : follower().next()) {
      text.append("event: ").append(event.type);
      text.append("\ndata: ").append(event.data).append("\n\n");
    }
    // A comment now and then shows whether the client is still there.
    return text.empty() && overdue ? ":\n\n" : text;
  }
  [[nodiscard]] bool finished() const override { return follower().finished(); }
  [[nodiscard]] std::chrono::milliseconds longest_silence() const override {
    return std::chrono::seconds(5);
  }
};

class SummaryStream final : public SearchStream {
 public:
  SummaryStream(std::shared_ptr<Search> search, std::chrono::seconds most,
                std::shared_ptr<void> place)
      : SearchStream(std::move(search), std::move(place)), until_(Clock::now() + most) {}
  [[nodiscard]] std::string next(bool overdue) override {
    finished_ = overdue || search().ended();
    return finished_ ? search().summary() : "";
  }
  [[nodiscard]] bool finished() const override { return finished_; }
  [[nodiscard]] std::chrono::milliseconds longest_silence() const override {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until_ - Clock::now());
    return std::max(std::chrono::milliseconds(0), left);
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point until_;
  bool finished_ = false;
};

}  // namespace

std::unique_ptr<BodyStream> event_stream(std::shared_ptr<Search> search,
                                         std::shared_ptr<void> place) {
  return std::make_unique<EventStream>(std::move(search), std::move(place));
}

std::unique_ptr<BodyStream> summary_stream(std::shared_ptr<Search> search,
                                           std::chrono::seconds most, std::shared_ptr<void> place) {
  return std::make_unique<SummaryStream>(std::move(search), most, std::move(place));
}

}  // namespace tessera
