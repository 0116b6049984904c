// SPDX-License-Identifier: MIT
#include "cluster/injection.hpp"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <new>
#include <set>
#include <string>
#include <thread>

#include "tessera/base/error.hpp"

namespace tessera {
namespace {

std::string from_environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void note(const std::string& file, std::string_view step) {
  static std::set<std::string, std::less<>> noted;
  if (noted.emplace(step).second) std::ofstream(file, std::ios::app) << step << '\n';
}

void raise(std::string_view kind) {
  using namespace std::chrono_literals;
  if (kind == "error") throw Error(ErrorKind::internal, "an error was injected");
  if (kind == "corrupt") throw Error(ErrorKind::corrupt, "a damaged file was injected");
  if (kind == "memory") throw std::bad_alloc();
  if (kind == "delay") std::this_thread::sleep_for(20ms);
}

}  // namespace

void inject(std::string_view step, int rank) {
  static const std::string file = from_environment("TESSERA_STEPS");
  static const std::string injection = from_environment("TESSERA_INJECT");
  if (!file.empty()) note(file, step);
  if (injection.empty()) return;
  const std::string place = std::string(step) + ":" + std::to_string(rank) + ":";
  if (injection.starts_with(place)) raise(std::string_view(injection).substr(place.size()));
}

}  // namespace tessera
