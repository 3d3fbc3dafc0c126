// SPDX-License-Identifier: Apache-2.0
// Why a job stopped.
#pragma once
#include <optional>
#include <string>

#include "hardware/mortise/generated/Isa.h"

namespace tenon::simulator {

/// What the FAULT registers say, and a line for people.
struct Fault {
  mortise::FaultCode code = mortise::FaultCode::NONE;
  mortise::Engine engine = mortise::Engine::CP;
  uint16_t layerTag = 0;
  uint32_t command = 0; ///< index in the stream
  uint64_t address = 0; ///< in SRAM or a region; 0 if the fault is about none
  std::string message;  ///< lower case, one line
};

/// A finding about a command, before it is known which one.
struct Finding {
  mortise::FaultCode code = mortise::FaultCode::NONE;
  uint64_t address = 0;
  std::string message;
};

} // namespace tenon::simulator
