// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include "base/json_object.hpp"
#include "report/run_identity.hpp"

namespace tessera {

inline void add_origin(nlohmann::ordered_json& json, const Origin& origin) {
  json["run"] = origin.run;
  json["workers"] = origin.workers;
  json["begin_seconds"] = origin.begin_seconds;
  json["end_seconds"] = origin.end_seconds;
  json["cpu_share"] = or_null<nlohmann::ordered_json>(origin.cpu_share);
  json["date"] = origin.date;
  json["revision"] = origin.revision;
  json["cpu"] = or_null<nlohmann::ordered_json>(origin.cpu);
}

}  // namespace tessera
