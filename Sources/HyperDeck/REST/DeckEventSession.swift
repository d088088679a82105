/// A client of `/control/api/v1/event/websocket`, as a value: texts come in, texts go out.
public struct DeckEventSession: Sendable {
  private let identity: DeckIdentity
  private var deck: DeckState
  /// The properties that the client subscribed to, with the values last sent.
  private var reported: [String: JSONValue] = [:]

  /// The maximum number of properties that a request may name.
  static let propertyLimit = 256

  /// An accepted connection.
  public init(_ identity: DeckIdentity, deck: DeckState) {
    self.identity = identity
    self.deck = deck
  }

  /// Greets the client.
  public func open() -> String {
    Self.event(["action": .string("websocketOpened")])
  }

  /// Answers a text from the client.
  public mutating func receive(_ text: [UInt8]) -> String {
    guard let message = JSONValue(text), message["type"]?.text == "request",
      let data = message["data"], let action = data["action"]?.text
    else {
      return Self.text(
        .object(["type": .string("response"), "data": .object(["success": .bool(false)])]))
    }
    var reply: [String: JSONValue] = ["action": .string(action)]
    if let result = perform(action, data) {
      reply.merge(result) { $1 }
      reply["success"] = .bool(true)
    } else {
      reply["success"] = .bool(false)
    }
    var response: [String: JSONValue] = ["type": .string("response"), "data": .object(reply)]
    response["id"] = message["id"]
    return Self.text(.object(response))
  }

  /// Adopts the deck's new state, and returns the changes that the client subscribed to.
  public mutating func update(_ deck: DeckState) -> [String] {
    self.deck = deck
    let resources = DeckResources(deck: deck, identity: identity)
    return DeckResources.paths.compactMap { path in
      guard let before = reported[path], let value = resources.value(at: path), value != before
      else {
        return nil
      }
      reported[path] = value
      return Self.event([
        "action": .string("propertyValueChanged"), "property": .string(path), "value": value,
      ])
    }
  }

  /// An action's result; nil if it is impossible.
  private mutating func perform(_ action: String, _ data: JSONValue) -> [String: JSONValue]? {
    let resources = DeckResources(deck: deck, identity: identity)
    switch action {
    case "subscribe", "unsubscribe":
      guard let paths = Self.paths(data) else { return nil }
      var values: [String: JSONValue] = [:]
      for path in paths {
        reported[path] = action == "subscribe" ? resources.value(at: path) : nil
        values[path] = reported[path]
      }
      let properties = JSONValue.array(paths.map { .string($0) })
      return action == "subscribe"
        ? ["properties": properties, "values": .object(values)] : ["properties": properties]
    case "listSubscriptions":
      return ["properties": .array(reported.keys.sorted().map { .string($0) })]
    case "listProperties":
      return ["properties": .array(DeckResources.paths.map { .string($0) })]
    default: return nil
    }
  }

  /// The properties that a request names; nil if one of them does not exist.
  private static func paths(_ data: JSONValue) -> [String]? {
    guard case .array(let values)? = data["properties"], values.count <= propertyLimit else {
      return nil
    }
    var paths: [String] = []
    for value in values {
      guard let pattern = value.text else { return nil }
      let matching = DeckResources.paths.filter { matches($0, pattern) && !paths.contains($0) }
      guard !matching.isEmpty || paths.contains(where: { matches($0, pattern) }) else {
        return nil
      }
      paths += matching
    }
    return paths
  }

  /// True if a path matches a pattern, in which one star stands for anything.
  private static func matches(_ path: String, _ pattern: String) -> Bool {
    guard let star = pattern.firstIndex(of: "*") else { return path == pattern }
    let (head, tail) = (pattern[..<star], pattern[pattern.index(after: star)...])
    return path.utf8.count >= head.utf8.count + tail.utf8.count && path.hasPrefix(head)
      && path.hasSuffix(tail)
  }

  private static func event(_ data: [String: JSONValue]) -> String {
    text(.object(["type": .string("event"), "data": .object(data)]))
  }

  private static func text(_ value: JSONValue) -> String {
    String(decoding: value.bytes, as: UTF8.self)
  }
}
