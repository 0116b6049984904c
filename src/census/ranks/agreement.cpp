// SPDX-License-Identifier: MIT
#include "census/ranks/agreement.hpp"

#include "tessera/census/census.hpp"

namespace tessera {

std::string failure_text(const Error& error) {
  return static_cast<char>('0' + static_cast<int>(error.kind())) + std::string(error.what());
}

void throw_first_failure(const std::vector<std::string>& failures) {
  for (const std::string& failure : failures) {
    if (failure.empty()) continue;
    throw CommonError(static_cast<ErrorKind>(failure[0] - '0'), failure.substr(1));
  }
}

void agree(Exchange& exchange, const std::function<void()>& work) {
  std::string failure;
  try {
    work();
  } catch (const Error& error) {
    failure = failure_text(error);
  }
  throw_first_failure(exchange.gather(failure));
}

}  // namespace tessera
