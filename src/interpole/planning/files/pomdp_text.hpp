// Words, numbers and signs of a .pomdp file, each with its line, and errors that name both.
// Internal to the readers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace interpole::planning {

enum class TokenKind { kWord, kNumber, kColon, kStar, kEnd };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
  int line = 1;
};

class PomdpText {
 public:
  // `text` must outlive this. A number is anything that begins with a digit, a sign or a point; a word begins
  // with a letter and goes on with letters, digits, _ and -. Anything else is refused at once.
  PomdpText(std::string_view text, std::string file);

  const Token& peek(std::size_t ahead = 0) const;  // past the last token: kEnd, on the file's last line
  Token next();

  bool at(TokenKind kind) const { return peek().kind == kind; }
  bool at_word(std::string_view word) const { return at(TokenKind::kWord) && peek().text == word; }
  bool take_word(std::string_view word);
  void take_colon(std::string_view after);

  double number(std::string_view what);           // the next token as a finite number
  std::vector<double> numbers(std::size_t most);  // all that follow; refused beyond `most` + 1
  static bool is_index(std::string_view text);    // digits only

  // Throws "FILE:LINE: reason".
  [[noreturn]] void refuse(int line, const std::string& reason) const;
  int last_line() const { return tokens_.back().line; }

 private:
  void split(std::string_view text);

  std::string file_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// `"listen"`, safe to print and cut when long; "the end of the file" for kEnd.
std::string shown(const Token& token);

// The whole file; refused if it cannot be read or is larger than 256 MB.
std::string read_planning_file(const std::string& path);

}  // namespace interpole::planning
