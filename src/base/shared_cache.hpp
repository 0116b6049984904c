// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace tessera {

/// Values shared by several users, each built once per key. A value lives as long as it has users;
/// the `kept` most recently requested ones outlive them, so that the next board finds them.
/// Thread-safe: one thread builds a value, and only threads that request the same key wait.
template <class Key, class Value>
class SharedCache {
 public:
  using Pointer = std::shared_ptr<const Value>;

  explicit SharedCache(std::size_t kept) : kept_(kept) {}

  /// The value for `key` if there is one that `is_usable`, or else the Pointer that `make()`
  /// returns; a null one is not cached. Null as well if `may_wait`, asked from time to time while
  /// another thread makes the value, returns false.
  template <class Make>
  Pointer get(const Key& key, const Make& make,
              const std::function<bool(const Value&)>& is_usable = {},
              const std::function<bool()>& may_wait = {}) {
    constexpr std::chrono::milliseconds pause{20};
    const std::shared_ptr<Slot> slot = slot_of(key);
    std::unique_lock lock(slot->mutex, std::defer_lock);
    if (!may_wait) lock.lock();
    while (!lock && !lock.try_lock()) {
      if (!may_wait()) return nullptr;
      std::this_thread::sleep_for(pause);
    }
    Pointer value = slot->value.lock();
    if (value && is_usable && !is_usable(*value)) {
      drop(value);
      value.reset();
    }
    if (!value) slot->value = value = make();
    if (value) keep(value);
    return value;
  }

  /// The value for `key` if there is one; null while it is made.
  Pointer find(const Key& key) {
    const std::shared_ptr<Slot> slot = slot_of(key);
    const std::unique_lock lock(slot->mutex, std::try_to_lock);
    return lock ? slot->value.lock() : nullptr;
  }

  /// Drops values without users, the least recently requested first, until the kept ones total at
  /// most `most_bytes`, as measured by `bytes_of(value)`. Returns their total.
  template <class BytesOf>
  std::uint64_t release(std::uint64_t most_bytes, const BytesOf& bytes_of) {
    std::vector<Pointer> released;  // destroyed after the lock
    const std::lock_guard lock(mutex_);
    std::uint64_t bytes = 0;
    for (const Pointer& value : recent_) bytes += bytes_of(*value);
    for (auto value = recent_.begin(); value != recent_.end() && bytes > most_bytes;) {
      if (value->use_count() > 1) {
        ++value;
        continue;
      }
      bytes -= bytes_of(**value);
      released.push_back(std::move(*value));
      value = recent_.erase(value);
    }
    return bytes;
  }

 private:
  struct Slot {
    std::mutex mutex;
    std::weak_ptr<const Value> value;
  };

  std::shared_ptr<Slot> slot_of(const Key& key) {
    const std::lock_guard lock(mutex_);
    if (const auto known = slots_.find(key); known != slots_.end()) return known->second;
    std::erase_if(slots_, [](const auto& entry) {
      const auto& slot = entry.second;
      if (slot.use_count() > 1) return false;  // others may be about to lock it
      const std::unique_lock unused(slot->mutex, std::try_to_lock);
      return unused && slot->value.expired();
    });
    return slots_[key] = std::make_shared<Slot>();
  }

  void keep(const Pointer& value) {
    Pointer dropped;  // destroyed after the lock
    const std::lock_guard lock(mutex_);
    std::erase(recent_, value);
    recent_.push_back(value);
    if (recent_.size() <= kept_) return;
    dropped = std::move(recent_.front());
    recent_.erase(recent_.begin());
  }

  void drop(const Pointer& value) {
    const std::lock_guard lock(mutex_);
    std::erase(recent_, value);
  }

  std::size_t kept_;
  std::mutex mutex_;
  std::map<Key, std::shared_ptr<Slot>> slots_;
  std::vector<Pointer> recent_;  // the most recently requested one last
};

}  // namespace tessera
