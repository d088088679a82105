import CExpat

/// XML that is read as it comes, through expat: a file of any size, with no more memory than its
/// longest text.
package final class XMLStream {
  /// Why reading ended.
  package struct Failure: Error {
    package var reason: String
    package var line: Int
  }

  /// Receives the elements, in order.
  package protocol Handler: AnyObject {
    /// - Returns: Why the file cannot be used; nil to go on.
    func began(_ name: String, _ attributes: [String: String]) -> String?
    /// - Parameter text: The text between the element's begin and end, without that of elements in it.
    func ended(_ name: String, text: [UInt8]) -> String?
  }

  /// Longer than any path may be.
  private static let longestText = 1 << 16

  private let parser: XML_Parser
  private let handler: any Handler
  private var text: [UInt8] = []
  private var refusal: String?

  /// A reader that tells `handler`; nil if memory runs out.
  package init?(_ handler: any Handler) {
    guard let parser = XML_ParserCreate("UTF-8") else { return nil }
    self.parser = parser
    self.handler = handler
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { context, name, attributes in
        XMLStream.of(context)?.begin(name, attributes)
      },
      { context, name in XMLStream.of(context)?.end(name) })
    XML_SetCharacterDataHandler(parser) { context, bytes, count in
      XMLStream.of(context)?.add(bytes, Int(count))
    }
    // Entities of a file's own are a way to make a small file large; manifests have none.
    XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
      XMLStream.of(context)?.refuse("it has a document type")
    }
  }

  deinit { XML_ParserFree(parser) }

  /// Reads a part of the file; an empty one at its end.
  package func read(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(Failure) {
    let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    let status = XML_Parse(parser, base, Int32(bytes.count), isLast ? 1 : 0)
    guard status == XML_STATUS_OK else {
      let line = Int(cexpat_line(parser))
      let words = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
      throw Failure(reason: refusal ?? words ?? "it is not XML", line: line)
    }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> XMLStream? {
    context.map { Unmanaged<XMLStream>.fromOpaque($0).takeUnretainedValue() }
  }

  private func refuse(_ reason: String) {
    guard refusal == nil else { return }
    refusal = reason
    XML_StopParser(parser, 0)
  }

  private func begin(
    _ name: UnsafePointer<XML_Char>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
  ) {
    guard refusal == nil, let name else { return }
    text.removeAll(keepingCapacity: true)
    var values: [String: String] = [:]
    var index = 0
    while let key = attributes?[index], let value = attributes?[index + 1] {
      values[String(cString: key)] = String(cString: value)
      index += 2
    }
    if let reason = handler.began(Self.local(name), values) { refuse(reason) }
  }

  private func end(_ name: UnsafePointer<XML_Char>?) {
    guard refusal == nil, let name else { return }
    if let reason = handler.ended(Self.local(name), text: text) { refuse(reason) }
    text.removeAll(keepingCapacity: true)
  }

  private func add(_ bytes: UnsafePointer<XML_Char>?, _ count: Int) {
    guard refusal == nil, let bytes else { return }
    guard text.count + count <= Self.longestText else { return refuse("a text is too long") }
    text.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// A name without the prefix of its namespace.
  private static func local(_ name: UnsafePointer<XML_Char>) -> String {
    let text = String(cString: name)
    return text.utf8.lastIndex(of: UInt8(ascii: ":"))
      .map { String(text[text.utf8.index(after: $0)...]) } ?? text
  }
}
