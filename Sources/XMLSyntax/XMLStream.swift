import CExpat

/// Reads XML incrementally with expat: a file of any size needs only as much memory as its longest
/// text.
package final class XMLStream {
  /// Why reading failed.
  package struct Failure: Error {
    package var reason: String
    package var line: Int

    package init(reason: String, line: Int) {
      self.reason = reason
      self.line = line
    }
  }

  /// Receives the tags in order, each with the text since the previous one.
  package protocol Handler: AnyObject {
    /// - Returns: Why the file is refused; nil to continue.
    func began(_ name: XMLName, _ attributes: [XMLAttribute], after text: [UInt8]) -> String?
    /// - Returns: Why the file is refused; nil to continue.
    func ended(_ name: XMLName, after text: [UInt8]) -> String?
  }

  private let parser: XML_Parser
  private let handler: any Handler
  private let longestText: Int
  private var text: [UInt8] = []
  private var refusal: String?

  /// A reader that calls `handler`; nil if memory runs out.
  ///
  /// - Parameter longestText: The maximum number of bytes of text between two tags; more are
  ///   refused.
  package init?(_ handler: any Handler, longestText: Int = .max) {
    guard let parser = XML_ParserCreate("UTF-8") else { return nil }
    self.parser = parser
    self.handler = handler
    self.longestText = longestText
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { context, name, attributes in XMLStream.of(context)?.begin(name, attributes) },
      { context, name in XMLStream.of(context)?.end(name) })
    XML_SetCharacterDataHandler(parser) { context, bytes, count in
      XMLStream.of(context)?.add(bytes, Int(count))
    }
    // Custom entities can make a small file expand enormously; none of our formats uses them.
    XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
      XMLStream.of(context)?.refuse("it has a document type")
    }
  }

  deinit { XML_ParserFree(parser) }

  /// Reads the next part of the file, at most 2 GiB; the last part may be empty.
  package func read(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(Failure) {
    guard let count = Int32(exactly: bytes.count) else {
      throw Failure(reason: "it is larger than 2 GiB", line: 1)
    }
    let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    let status = XML_Parse(parser, base, count, isLast ? 1 : 0)
    guard status == XML_STATUS_OK else {
      let line = Int(cexpat_line(parser))
      let words = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
      throw Failure(reason: refusal ?? words ?? "it is not XML", line: line)
    }
  }

  /// Reads a whole file.
  package func read(_ bytes: [UInt8]) throws(Failure) {
    try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
      try read(UnsafeRawBufferPointer(bytes), isLast: true)
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
    var list: [XMLAttribute] = []
    var index = 0
    while let key = attributes?[index], let value = attributes?[index + 1] {
      list.append(XMLAttribute(name: String(cString: key), value: String(cString: value)))
      index += 2
    }
    if let reason = handler.began(XMLName(String(cString: name)), list, after: text) {
      refuse(reason)
    }
    text.removeAll(keepingCapacity: true)
  }

  private func end(_ name: UnsafePointer<XML_Char>?) {
    guard refusal == nil, let name else { return }
    if let reason = handler.ended(XMLName(String(cString: name)), after: text) { refuse(reason) }
    text.removeAll(keepingCapacity: true)
  }

  /// Appends text, which expat delivers line by line.
  private func add(_ bytes: UnsafePointer<XML_Char>?, _ count: Int) {
    guard refusal == nil, let bytes else { return }
    guard count <= longestText - text.count else { return refuse("a text is too long") }
    text.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
  }
}

/// The name of an element as written.
package struct XMLName: Sendable, Hashable {
  /// The name with its namespace prefix.
  package var qualified: String

  init(_ qualified: String) { self.qualified = qualified }

  /// The name without its namespace prefix.
  package var local: String {
    qualified.utf8.lastIndex(of: UInt8(ascii: ":"))
      .map { String(qualified[qualified.utf8.index(after: $0)...]) } ?? qualified
  }
}

/// An attribute of an element as written.
package struct XMLAttribute: Sendable, Hashable {
  /// The name with its namespace prefix.
  package var name: String
  package var value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

extension [XMLAttribute] {
  /// The value of the attribute with a name; nil if there is none.
  package subscript(_ name: String) -> String? { first { $0.name == name }?.value }
}
