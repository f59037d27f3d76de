// Converts the JSON Schema on standard input with llama.cpp's converter, and prints the grammar. Fails as llama.cpp does.
#include "common.h"
#include "json-schema-to-grammar.h"

#include <cstdlib>
#include <iostream>
#include <iterator>

// The converter uses these helpers. llama.cpp's own files with them need the whole of llama.cpp.
std::string string_join(const std::vector<std::string> & values, const std::string & separator) {
    std::string joined;
    for (size_t i = 0; i < values.size(); i++) {
        joined += (i ? separator : "") + values[i];
    }
    return joined;
}

std::vector<std::string> string_split(const std::string & text, const std::string & delimiter) {
    std::vector<std::string> parts;
    size_t start = 0;
    for (size_t end; (end = text.find(delimiter, start)) != std::string::npos; start = end + delimiter.size()) {
        parts.push_back(text.substr(start, end - start));
    }
    parts.push_back(text.substr(start));
    return parts;
}

std::string string_repeat(const std::string & text, size_t times) {
    std::string repeated;
    while (times--) {
        repeated += text;
    }
    return repeated;
}

void ggml_abort(const char *, int, const char *, ...) {
    std::abort();
}

int main() {
    try {
        const std::string text((std::istreambuf_iterator<char>(std::cin)), {});
        std::cout << json_schema_to_grammar(common_json::parse(text), true);
    } catch (const std::exception & error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
