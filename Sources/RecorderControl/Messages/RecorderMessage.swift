import FoundationEssentials
import MediaCore

/// A recorder's line, decoded in one pass, since levels come twenty times a second.
enum RecorderMessage: Sendable, Hashable {
  case reply(RecorderReply)
  case event(RecorderEvent)
  /// A line that is not a recorder's.
  case other

  /// Reads a line.
  ///
  /// - Throws: ``ControlError/Code/invalidMessage`` for a recorder's line with an unusable value.
  init(line: [UInt8]) throws(ControlError) {
    do { self = try JSONDecoder().decode(Self.self, from: Data(line)) } catch {
      guard let error = error as? DecodingError, !error.isOfWholeLine else {
        self = .other
        return
      }
      throw ControlError(.invalidMessage, "a message that cannot be read: \(error.reason)")
    }
  }
}

extension RecorderMessage: Decodable {
  private enum Keys: CodingKey { case schema }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Keys.self)
    let schema = try? members.decode(String.self, forKey: .schema)
    switch DocumentKind.allCases.first(where: { $0.schema == schema }) {
    case .recorderReply: self = .reply(try RecorderReply(from: decoder))
    case .recorderEvent: self = .event(try RecorderEvent(from: decoder))
    default: self = .other
    }
  }
}

extension DecodingError {
  /// True for a line that is no JSON, or no object.
  fileprivate var isOfWholeLine: Bool {
    switch self {
    case .dataCorrupted(let context), .typeMismatch(_, let context): context.codingPath.isEmpty
    default: false
    }
  }
}
