// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tessera::cli {

/// A file of `solve --trace`, held to the format's rules as it is read.
class TraceFile {
 public:
  using Thread = std::pair<int, int>;  // pid, tid

  explicit TraceFile(const std::string& text) {
    const auto json = nlohmann::json::parse(text);
    std::map<Thread, std::vector<Slice>> slices;
    std::map<Thread, std::vector<std::string>> open;
    for (const auto& event : json["traceEvents"]) {
      const std::string phase = event["ph"];
      const std::string name = event["name"];
      const Thread thread{event["pid"], event["tid"]};
      if (phase == "M") {
        if (name == "thread_name") threads[thread] = event["args"]["name"];
        if (name == "process_name") processes[thread.first] = event["args"]["name"];
        continue;
      }
      ++events[phase + " " + name];
      if (phase == "B") open[thread].push_back(name);
      if (phase == "E") {
        std::vector<std::string>& around = open[thread];
        EXPECT_TRUE(!around.empty() && around.back() == name) << name << " was not begun";
        if (!around.empty()) around.pop_back();
      }
      if (phase != "X") continue;
      slices[thread].push_back({event["ts"], event["dur"], name});
      const auto& arguments = event["args"];
      const double busy = arguments.value("busy_us", static_cast<double>(event["dur"]));
      seconds[name] += busy / 1e6;
      if (name == "search") {
        searching.insert(thread);
        expanded += static_cast<std::uint64_t>(arguments["expanded"]);
      }
    }
    for (const auto& [thread, names] : open) unfinished += names.size();
    for (auto& [thread, of_thread] : slices) expect_nested(of_thread);
  }

  std::map<Thread, std::string> threads;
  std::map<int, std::string> processes;
  std::map<std::string, int> events;      // "X search" and so on
  std::map<std::string, double> seconds;  // in spans, by activity
  std::set<Thread> searching;             // that searched something
  std::uint64_t expanded = 0;             // in searches
  std::size_t unfinished = 0;             // begun and never ended

 private:
  struct Slice {
    double begin;
    double length;
    std::string name;
  };

  static void expect_nested(std::vector<Slice>& slices) {
    constexpr double rounding = 0.002;  // us
    std::sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) {
      return std::pair(a.begin, -a.length) < std::pair(b.begin, -b.length);
    });
    std::vector<Slice> around;
    for (const Slice& slice : slices) {
      while (!around.empty() &&
             around.back().begin + around.back().length <= slice.begin + rounding)
        around.pop_back();
      if (!around.empty()) {
        EXPECT_LE(slice.begin + slice.length, around.back().begin + around.back().length + rounding)
            << slice.name << " overlaps " << around.back().name;
      }
      around.push_back(slice);
    }
  }
};

}  // namespace tessera::cli
