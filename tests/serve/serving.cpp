// SPDX-License-Identifier: MIT
#include "serve/serving.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "base/places.hpp"

namespace tessera::serve {

using nlohmann::json;

Serving::Serving(const std::vector<std::string>& arguments) {
  cli::Running::Options options;
  options.output = output_.path();
  program_ = std::make_unique<cli::Running>(
      cli::with({tessera_program, "serve", "--port", "0", "--threads", "2"}, arguments), options);
  program_->wait_for("Ctrl-C");
  const std::string address = output_.content();  // http://127.0.0.1:PORT/
  port_ = std::stoi(address.substr(address.rfind(':') + 1));
}

double Serving::mebibytes() const {
  return status("VmRSS:") / 1024;
}

int Serving::threads() const {
  return static_cast<int>(status("Threads:"));
}

std::uint64_t Serving::address_space_bytes() const {
  return static_cast<std::uint64_t>(status("VmSize:")) << 10;
}

double Serving::status(const char* key) const {
  std::ifstream status("/proc/" + std::to_string(program_->pid()) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key)) return std::stod(line.substr(line.find(':') + 1));
  }
  return 0;
}

json json_of(const Answer& answer, int status) {
  EXPECT_EQ(answer.status, status) << answer.body;
  json parsed = json::parse(answer.body, nullptr, false);
  EXPECT_TRUE(parsed.is_object() || parsed.is_array()) << answer.body;
  return parsed;
}

Answer post(const Client& client, const std::string& path, const json& body) {
  return client.post(path, body.dump());
}

json solved(const Client& client, const json& body) {
  json search = json_of(post(client, "/api/solve", body), 202);
  while (search.value("state", "ended") != "ended") {
    const std::string path = "/api/solve/" + search["id"].get<std::string>() + "?wait=30";
    search = json_of(client.get(path), 200);
  }
  return search;
}

json endless() {
  return {{"board", "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13"},
          {"goal", "first"},
          {"heuristic", "manhattan"}};
}

}  // namespace tessera::serve
