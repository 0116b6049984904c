// SPDX-License-Identifier: MIT
#include "serve/connections.hpp"

#include <chrono>
#include <system_error>
#include <thread>

namespace tessera {

void Connections::enqueue(std::function<void()> connection) {
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->threads >= most_) {
      state_->waiting.push_back(std::move(connection));
      return;
    }
    ++state_->threads;
  }
  try {
    std::thread([state = state_, connection]() mutable {
      work(state, std::move(connection));
    }).detach();
  } catch (const std::system_error&) {  // no thread to be had: the next one that ends goes on
    const std::lock_guard lock(state_->mutex);
    --state_->threads;
    state_->waiting.push_back(std::move(connection));
  }
}

void Connections::work(const std::shared_ptr<State>& state, std::function<void()> connection) {
  for (;;) {
    connection();
    const std::lock_guard lock(state->mutex);
    if (state->waiting.empty() || state->stopped) {
      --state->threads;
      state->ended.notify_all();
      return;
    }
    connection = std::move(state->waiting.front());
    state->waiting.pop_front();
  }
}

void Connections::shutdown() {
  constexpr std::chrono::milliseconds moment{300};
  std::unique_lock lock(state_->mutex);
  state_->stopped = true;
  state_->ended.wait_for(lock, moment, [&] { return state_->threads == 0; });
}

}  // namespace tessera
