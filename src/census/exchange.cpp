// SPDX-License-Identifier: MIT
#include "tessera/census/exchange.hpp"

#include <string>

#include "tessera/census/census.hpp"

namespace tessera {

void agree(Exchange& exchange, const std::function<void()>& work) {
  std::string failure;  // the kind as a digit, then the message
  try {
    work();
  } catch (const Error& error) {
    failure = static_cast<char>('0' + static_cast<int>(error.kind())) + std::string(error.what());
  }
  for (const std::string& text : exchange.gather(failure)) {
    if (!text.empty()) throw CommonError(static_cast<ErrorKind>(text[0] - '0'), text.substr(1));
  }
}

}  // namespace tessera
