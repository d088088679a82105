package import TOMLKit

/// Reads TOML, and reports where it is invalid.
package enum TOMLText {
  /// An error, and its place; lines and columns count from 1.
  package struct Fault: Error {
    package let line: Int
    package let column: Int
    package let message: String
  }

  /// Parses a text.
  package static func table(_ text: String) throws(Fault) -> TOMLTable {
    if let fault = TOMLLexicalCheck.fault(in: text) {
      throw Fault(line: fault.line, column: fault.column, message: fault.message)
    }
    do { return try TOMLTable(string: text) } catch let error as TOMLParseError {
      let place = error.source.begin
      throw Fault(line: place.line, column: place.column, message: error.description)
    } catch {
      throw Fault(line: 1, column: 1, message: "\(error)")
    }
  }
}
