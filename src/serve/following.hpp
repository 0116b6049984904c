// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>

#include "serve/http.hpp"
#include "serve/search.hpp"

namespace tessera {

/// A search's events as server-sent events
/// (https://html.spec.whatwg.org/multipage/server-sent-events.html), to its end. `place` is kept as
/// long as the stream.
[[nodiscard]] std::unique_ptr<BodyStream> event_stream(std::shared_ptr<Search> search,
                                                       std::shared_ptr<void> place);

/// A search's summary, once it has ended or after `most`.
[[nodiscard]] std::unique_ptr<BodyStream> summary_stream(std::shared_ptr<Search> search,
                                                         std::chrono::seconds most,
                                                         std::shared_ptr<void> place);

}  // namespace tessera
