#pragma once

#include <map>
#include <string>
#include <string_view>

namespace tioc::backend {

/// A text inside an element of a page.
std::string markupEscaped(std::string_view text);

/// JSON inside a script element: without `<`, no text can end the element. Outside of strings JSON has none.
std::string scriptEscaped(std::string_view json);

/// The page with every `{{name}}` replaced. What is put in is not looked at again, so a marker in it is only text.
std::string fillPage(std::string_view page, const std::map<std::string, std::string, std::less<>>& texts);

} // namespace tioc::backend
