// SPDX-License-Identifier: MIT
// The program with this source fails where the environment says so (src/cluster/job/step.hpp):
//   TESSERA_STEPS=FILE            appends each step's name to the file once, one per line
//   TESSERA_INJECT=STEP:RANK:KIND that rank throws in that step: `error` an internal failure,
//                                 `corrupt` that of a damaged file, `memory` bad_alloc; with
//                                 `delay` it sleeps for 20 ms instead, each time, and with `stop`
//                                 it stops once, until it is continued
//   TESSERA_INJECT=threads:RANK:N that rank is refused each thread beyond the first N that run at a
//                                 time
//   TESSERA_SILENCE_MS=N          silent ranks are named after N ms
#include <chrono>
#include <csignal>
#include <fstream>
#include <new>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/threads.hpp"
#include "cluster/job/step.hpp"

namespace tessera {
namespace {

const std::string injection(environment("TESSERA_INJECT"));

// What is injected into this step of this rank; empty if nothing is.
std::string injected(std::string_view step, std::string_view rank) {
  const std::string place = std::string(step) + ":" + std::string(rank) + ":";
  return injection.starts_with(place) ? injection.substr(place.size()) : "";
}

void note(std::string_view step) {
  static const std::string file(environment("TESSERA_STEPS"));
  static std::set<std::string, std::less<>> noted;
  if (!file.empty() && noted.emplace(step).second) {
    std::ofstream(file, std::ios::app) << step << '\n';
  }
}

void fail(std::string_view step, int rank) {
  note(step);
  const std::string kind = injected(step, std::to_string(rank));
  if (kind == "error") internal_failure("an error was injected");
  if (kind == "corrupt") bad_file("a damaged file was injected");
  if (kind == "memory") throw std::bad_alloc();
  if (kind == "delay") std::this_thread::sleep_for(std::chrono::milliseconds(20));
  static bool stopped = false;
  if (kind == "stop" && !std::exchange(stopped, true)) ::raise(SIGSTOP);
}

[[maybe_unused]] const bool hooked = [] {
  on_step = fail;
  const std::string_view rank = environment("OMPI_COMM_WORLD_RANK");
  const std::string threads = injected("threads", rank.empty() ? "0" : rank);
  if (!threads.empty()) most_threads = std::stoi(threads);
  const std::string silence(environment("TESSERA_SILENCE_MS"));
  if (!silence.empty()) longest_silence = std::chrono::milliseconds(std::stoi(silence));
  return true;
}();

}  // namespace
}  // namespace tessera
