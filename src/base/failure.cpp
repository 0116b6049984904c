// SPDX-License-Identifier: MIT
#include "tessera/base/failure.hpp"

#include <new>

namespace tessera {

Failure current_failure() {
  try {
    throw;
  } catch (const Error& error) {
    return {error.kind(), error.what()};
  } catch (const std::bad_alloc&) {
    return {ErrorKind::resource, "out of memory"};
  } catch (const std::exception& error) {
    return {ErrorKind::internal, std::string("internal failure: ") + error.what()};
  } catch (...) {
    return {ErrorKind::internal, "internal failure of an unknown kind"};
  }
}

}  // namespace tessera
