// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>

#include "base/memory.hpp"

namespace tessera {

/// A large array that grows without a copy, so that it takes the memory of its elements only, even
/// while it grows. T is trivially copyable, and all zeros is a T.
template <class T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  void push_back(const T& value) {
    // The system provides memory when it is touched: room costs nothing but addresses.
    if (count_ == room()) memory_.resize((std::max(least, count_ + count_ / 2)) * sizeof(T));
    data()[count_++] = value;
  }
  /// Smaller: returns the memory behind the elements that stay.
  void shrink(std::size_t count) {
    count_ = count;
    memory_.resize(count * sizeof(T));
  }

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] T& operator[](std::size_t i) { return data()[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return span()[i]; }
  [[nodiscard]] std::span<const T> span() const {
    return {reinterpret_cast<const T*>(memory_.bytes().data()), count_};
  }

 private:
  static constexpr std::size_t least = 4096;

  [[nodiscard]] std::size_t room() const { return memory_.bytes().size() / sizeof(T); }
  [[nodiscard]] T* data() { return reinterpret_cast<T*>(memory_.bytes().data()); }

  LargeBuffer memory_;
  std::size_t count_ = 0;
};

}  // namespace tessera
