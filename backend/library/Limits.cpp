// SPDX-License-Identifier: Apache-2.0
// Limits: checks, refusals, claims, and whether a table makes sense.
#include "backend/library/Limits.h"

#include <algorithm>
#include <set>

namespace tenon::library {
namespace {

/// "1", "1 or 3", "1, 3 or 5".
std::string listOf(const std::vector<int64_t> &values) {
  std::string text;
  for (size_t i = 0; i < values.size(); ++i)
    text += (i == 0 ? "" : i + 1 < values.size() ? ", " : " or ") + std::to_string(values[i]);
  return text;
}

std::string wordsOf(std::string parameter) {
  std::ranges::replace(parameter, '_', ' ');
  return parameter;
}

std::string ruleOf(const std::string &npu, const Composite &composite, const Limit &limit) {
  return npu + "." + composite.name + "." + limit.parameter;
}

/// The refusal of \p number, or nothing if \p limit takes it.
std::optional<backend::Refusal> checkNumber(const std::string &rule, const Limit &limit,
                                            int64_t number) {
  const std::string words = wordsOf(limit.parameter), value = std::to_string(number);
  std::string bound, reason, remedy;
  if (!limit.values.empty() && std::ranges::count(limit.values, number) == 0) {
    bound = listOf(limit.values);
    reason = fmt::format("{} {} is not {}", words, value, bound);
    remedy = fmt::format("use {} {}", words, bound);
  } else if (number > limit.maximum) {
    bound = std::to_string(limit.maximum);
    reason = fmt::format("{} {} exceeds {}", words, value, bound);
    remedy = fmt::format("use {} {} or less", words, bound);
  } else if (number < limit.minimum) {
    bound = std::to_string(limit.minimum);
    reason = fmt::format("{} {} is below {}", words, value, bound);
    remedy = fmt::format("use {} {} or more", words, bound);
  } else
    return std::nullopt;
  return backend::Refusal{rule, reason, value, bound, limit.remedy.empty() ? remedy : limit.remedy};
}

/// Is it a lower-case word of letters, digits and '_'?
bool isWord(const std::string &text) {
  const auto isInner = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !text.empty() && text.front() >= 'a' && text.front() <= 'z' &&
         std::ranges::all_of(text, isInner);
}

/// Index in Code of what \p op needs.
size_t codeIndexOf(Operator op) {
  switch (op) {
  case Operator::Conv2d:
  case Operator::DepthwiseConv2d:
  case Operator::FullyConnected:
    return 1;
  case Operator::Add:
    return 2;
  case Operator::AveragePool2d:
  case Operator::MaxPool2d:
    return 3;
  case Operator::SignFlip:
    return 4;
  case Operator::Reshape:
    return 0;
  }
  return 0;
}

bool hasCode(const Composite &composite) {
  return std::visit(
      [](auto code) {
        if constexpr (std::is_pointer_v<decltype(code)>)
          return code != nullptr;
        return true;
      },
      composite.code);
}

Expected<void> validateLimit(const Composite &composite, const Limit &limit) {
  const auto known = parametersOf(composite.takes);
  if (std::ranges::count(known, limit.parameter) == 0)
    return fail("composite \"{}\": \"{}\" is no parameter of {}; {}", composite.name,
                limit.parameter, nameOf(composite.takes),
                known.empty() ? "it has none"
                              : fmt::format("there are: {}", fmt::join(known, ", ")));
  if (limit.minimum > limit.maximum)
    return fail("composite \"{}\": {} of at least {} and at most {} is never met", composite.name,
                limit.parameter, limit.minimum, limit.maximum);
  return {};
}

Expected<void> validateComposite(const Composite &composite) {
  if (!isWord(composite.name))
    return fail("composite \"{}\" is no name; use lower-case letters, digits and _",
                composite.name);
  if (composite.code.index() != codeIndexOf(composite.takes) || !hasCode(composite))
    return fail("composite \"{}\": its code takes another view than {} has", composite.name,
                nameOf(composite.takes));
  const bool convolution = codeIndexOf(composite.takes) == 1;
  if (!convolution && (composite.fusePad || composite.fuseTable))
    return fail("composite \"{}\": {} fuses nothing", composite.name, nameOf(composite.takes));
  for (const Limit &limit : composite.limits)
    if (auto ok = validateLimit(composite, limit); !ok)
      return ok;
  return {};
}

} // namespace

const char *nameOf(Operator op) {
  switch (op) {
  case Operator::Conv2d:
    return "conv2d";
  case Operator::DepthwiseConv2d:
    return "depthwise_conv2d";
  case Operator::FullyConnected:
    return "fully_connected";
  case Operator::Add:
    return "add";
  case Operator::AveragePool2d:
    return "average_pool2d";
  case Operator::MaxPool2d:
    return "max_pool2d";
  case Operator::Reshape:
    return "reshape";
  case Operator::SignFlip:
    return "sign_flip";
  }
  return "";
}

std::optional<backend::Refusal> check(const std::string &npu, const Composite &composite,
                                      const View &view) {
  for (const Limit &limit : composite.limits)
    for (int64_t number : numbersOf(view, limit.parameter))
      if (auto refusal = checkNumber(ruleOf(npu, composite, limit), limit, number))
        return refusal;
  return std::nullopt;
}

std::vector<backend::Claim> claimsOf(const Npu &npu) {
  std::vector<backend::Claim> claims;
  for (const Composite &composite : npu.composites) {
    backend::Claim claim;
    claim.composite = npu.name + "." + composite.name;
    claim.operation = nameOf(composite.takes);
    if (composite.limits.empty())
      claims.push_back(claim);
    for (const Limit &limit : composite.limits) {
      claim.parameter = limit.parameter;
      claim.minimum = limit.minimum, claim.maximum = limit.maximum;
      claim.values = limit.values;
      claim.rule = ruleOf(npu.name, composite, limit);
      claims.push_back(claim);
    }
  }
  return claims;
}

Expected<void> validate(const Npu &npu) {
  if (!isWord(npu.name))
    return fail("\"{}\" is no name; use lower-case letters, digits and _", npu.name);
  if (npu.composites.empty())
    return fail("the table has no composites; add one");
  if (!(npu.speed.macsPerNs > 0 && npu.speed.bytesPerNs > 0))
    return fail("speed: {} MACs and {} bytes a nanosecond; use numbers above 0",
                npu.speed.macsPerNs, npu.speed.bytesPerNs);
  std::set<std::string> names;
  for (const Composite &composite : npu.composites) {
    if (auto ok = validateComposite(composite); !ok)
      return ok;
    if (!names.insert(composite.name).second)
      return fail("composite \"{}\" is there twice", composite.name);
  }
  return {};
}

} // namespace tenon::library
