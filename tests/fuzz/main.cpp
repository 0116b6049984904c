// SPDX-License-Identifier: MIT
// Feeds parsers mutated inputs, a deterministic sequence per seed:
//   tessera_fuzz [TARGET...] [--inputs N | --seconds S] [--seed SEED] [--from INPUT]
// Ends with 1 at the first input that a parser does not refuse by tessera::Error, that takes more
// memory than its target allows or more than a minute; its number makes it again (--from).
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "fuzz/memory_account.hpp"
#include "fuzz/mutation.hpp"
#include "fuzz/target.hpp"

namespace tessera::fuzz {
namespace {

constexpr unsigned most_seconds = 60;
constexpr const char* failing_input = "fuzz-input";

struct Plan {
  std::vector<std::string> targets;
  std::uint64_t inputs = 2000;
  double seconds = 0;  // instead of a number of inputs
  std::uint64_t seed = 1;
  std::uint64_t from = 0;
};

// For the handler.
char now_running[200];
const std::string* input_now = nullptr;

void name_input(int signal) {
  (void)!write(STDERR_FILENO, now_running, std::strlen(now_running));
  const char* const what = signal == SIGALRM ? ": takes too long\n" : ": crashes\n";
  (void)!write(STDERR_FILENO, what, std::strlen(what));
  _exit(1);
}

void set_handlers() {
  std::vector<int> signals{SIGALRM, SIGABRT};
#if !defined(__SANITIZE_ADDRESS__)
  signals.insert(signals.end(), {SIGSEGV, SIGBUS, SIGFPE, SIGILL});
#endif
  for (const int number : signals) signal(number, name_input);
}

void keep_input() {
  std::ofstream(failing_input, std::ios::binary) << *input_now;
}

struct Outcome {
  std::string failure;
  std::string refusal;  // which kind of error
  std::uint64_t peak_bytes = 0;
};

Outcome run_one(const Target& target, const std::string& input) {
  Outcome outcome;
  alarm(most_seconds);
  begin_account(target.most_bytes);
  try {
    target.parse(input);
    outcome.refusal = "accepted";
  } catch (const Error& error) {
    // A line break in its message is an input's own; the program replaces it (cli/process/run.cpp).
    outcome.refusal = error.kind() == ErrorKind::corrupt    ? "corrupt"
                      : error.kind() == ErrorKind::input    ? "bad input"
                      : error.kind() == ErrorKind::resource ? "no resources"
                                                            : "internal";
    if (error.kind() == ErrorKind::internal) outcome.failure = error.what();
  } catch (const std::exception& error) {
    outcome.failure = error.what();
  }
  const Account account = end_account();
  alarm(0);
  if (account.exceeded) outcome.failure = "takes too much memory";
  outcome.peak_bytes = account.peak_bytes;
  return outcome;
}

// False at the first failure.
bool run(const Target& target, const Plan& plan) {
  std::map<std::string, std::uint64_t> outcomes;
  std::uint64_t peak = 0;
  std::uint64_t number = plan.from;
  const Stopwatch watch;
  for (; plan.seconds > 0 ? watch.seconds() < plan.seconds : number < plan.from + plan.inputs;
       ++number) {
    Random random(plan.seed * 1'000'003 + number);
    std::string input = mutated(target.seeds, random);
    if (target.repair && random.below(2) == 0) input = target.repair(std::move(input));
    input_now = &input;
    std::snprintf(now_running, sizeof now_running, "%s: input %llu of seed %llu",
                  target.name.c_str(), static_cast<unsigned long long>(number),
                  static_cast<unsigned long long>(plan.seed));
    const Outcome outcome = run_one(target, input);
    ++outcomes[outcome.refusal];
    peak = std::max(peak, outcome.peak_bytes);
    if (outcome.failure.empty()) continue;
    keep_input();
    std::cerr << now_running << ": " << outcome.failure << "; it stands in ./" << failing_input
              << '\n';
    return false;
  }
  std::cout << target.name << ": " << number - plan.from << " inputs, " << watch.seconds() << " s, "
            << "at most " << (peak >> 10) << " KiB";
  for (const auto& [what, count] : outcomes) std::cout << ", " << count << ' ' << what;
  std::cout << std::endl;
  return true;
}

template <class Number>
Number number_of(const std::string& text) {
  Number value{};
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Plan plan_of(const std::vector<std::string>& words) {
  Plan plan;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) {
      plan.targets.push_back(words[i]);
      continue;
    }
    const std::string value = i + 1 < words.size() ? words[i + 1] : "";
    if (words[i] == "--inputs") plan.inputs = number_of<std::uint64_t>(value);
    else if (words[i] == "--seconds") plan.seconds = number_of<double>(value);
    else if (words[i] == "--seed") plan.seed = number_of<std::uint64_t>(value);
    else if (words[i] == "--from") plan.from = number_of<std::uint64_t>(value);
    else throw Error(ErrorKind::input, words[i] + " is unknown");
    ++i;
  }
  return plan;
}

int run_all(const Plan& plan) {
  std::vector<Target> targets = text_targets();
  for (Target& target : binary_targets()) targets.push_back(std::move(target));
  for (Target& target : web_targets()) targets.push_back(std::move(target));
  std::vector<std::string> unknown = plan.targets;
  for (const Target& target : targets) {
    std::erase(unknown, target.name);
    const auto& wanted = plan.targets;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), target.name) == wanted.end()) {
      continue;
    }
    if (!run(target, plan)) return 1;
  }
  if (unknown.empty()) return 0;
  std::string names;
  for (const Target& target : targets) names += " " + target.name;
  std::cerr << "tessera_fuzz: " << unknown[0] << " is unknown, expected one of" << names << '\n';
  return 2;
}

}  // namespace
}  // namespace tessera::fuzz

int main(int argc, char** argv) {
  tessera::fuzz::set_handlers();
  try {
    return tessera::fuzz::run_all(tessera::fuzz::plan_of({argv + 1, argv + argc}));
  } catch (const std::exception& error) {
    std::cerr << "tessera_fuzz: " << error.what() << '\n';
    return 2;
  }
}
