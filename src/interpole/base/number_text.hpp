// Numbers in text and as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace interpole::base {

// The finite number that the whole text is; nothing if it is not one.
std::optional<double> number_in(std::string_view text);

// Without the zeros that end a decimal fraction: "12.50" as "12.5", "3.00" as "3".
std::string without_trailing_zeros(std::string text);

// For people: about four digits, no fewer before the point: "62.5", "7.342", "12346", "2e-05".
std::string short_number(double number);

// Shares in per cent; what is not certain is never rounded to certainty. Where a share is known with an
// interval: interpole/estimate.hpp.
//
// For figures and their ticks, which have little room: 0.4567 as "46%"; "<1%" and ">99%" next to certainty,
// "–" for what is not a number.
std::string percent(double probability);
// With one decimal: "45.7%", "90%", "<0.1%", ">99.9%".
std::string fine_percent(double probability);
// In a sentence, rounded as far as it can be: "46%", "under 1%" (below 0.5%), "over 99%" (above 99.5%).
std::string percent_words(double probability);

// "7,926".
std::string grouped(std::int64_t count);

// "1 patient", "7,926 patients".
std::string counted(std::int64_t count, const std::string& noun);

}  // namespace interpole::base
