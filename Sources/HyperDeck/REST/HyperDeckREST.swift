import MediaCore
import RecorderControl

/// The resources below `/control/api/v1`, in the shape of Blackmagic's API, as functions: an HTTP
/// server adds only the connection.
///
/// ```swift
/// switch HyperDeckREST.answer("POST", "/transports/0/record", body: body, deck: deck, identity) {
/// case .respond(let response): send(response)
/// case .perform(let order): send(HyperDeckREST.response(to: await carryOut(order)))
/// }
/// ```
public enum HyperDeckREST {
  /// A response for a client.
  public struct Response: Sendable, Hashable {
    /// The HTTP status.
    public var status: Int
    /// JSON; nil for none.
    public var body: [UInt8]?

    /// A response.
    public init(_ status: Int, _ value: JSONValue? = nil) {
      self.status = status
      body = value?.bytes
    }

    /// Success without a body.
    static let done = Response(204)

    static func failure(_ status: Int, _ message: String) -> Response {
      Response(status, .object(["error": .object(["message": .string(message)])]))
    }
  }

  /// The answer to a request.
  public enum Answer: Sendable, Hashable {
    case respond(Response)
    /// Carry this out, and respond with ``HyperDeckREST/response(to:of:)``.
    case perform(DeckOrder)
  }

  /// Paths of Blackmagic's API that are refused: playback, and harmful ones.
  private static let refused = [
    "/transports/0/playback", "/transports/0/play", "/transports/0/clip", "/transports/0/clipIndex",
    "/transports/0/record/spillToNextDevice", "/transports/0/record/spillOrder",
    "/transports/0/record/trigger", "/transports/0/record/filenameConfiguration",
    "/transports/0/timecode/source", "/system/identify", "/system/uptime", "/audio/recordFormat",
  ]
  private static let refusedFolders = [
    "/media/devices/", "/media/nas", "/monitoring/", "/timelines/",
  ]

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - method: `GET`, `PUT`, `POST`, `DELETE`.
  ///   - path: The part after `/control/api/v1`, without a query.
  ///   - body: JSON, or nothing.
  ///   - deck: The deck's present state.
  ///   - identity: The deck's names.
  ///   - uptime: How long it has served, in whole seconds; nil if unknown.
  public static func answer(
    _ method: String, _ path: String, body: [UInt8] = [], deck: DeckState, _ identity: DeckIdentity,
    uptime: Int? = nil
  ) -> Answer {
    if method == "GET" || method == "HEAD" {
      // Not among the resources, to which clients can subscribe, because it changes each second.
      if path == "/system/uptime", let uptime {
        return .respond(Response(200, .object(["uptimeSeconds": .int(uptime)])))
      }
      return .respond(read(path, deck, identity))
    }
    let value = JSONValue(body)
    guard value != nil || body.isEmpty else {
      return .respond(.failure(400, "the body is not JSON, or is too long"))
    }
    switch (method, path) {
    case ("POST", "/transports/0/stop"), ("PUT", "/transports/0/stop"):
      return steer(.stop, deck)
    case ("POST", "/transports/0/record"): return record(value, deck)
    case ("PUT", "/transports/0/record"):
      guard let isOn = value?["recording"]?.flag else {
        return .respond(.failure(400, "'recording' must be true or false"))
      }
      guard let name = value?["clipName"], !isOn, name != .null, name.text == nil else {
        return isOn ? record(value, deck) : steer(.stop, deck)
      }
      return .respond(.failure(400, "'clipName' must be a text"))
    case ("POST", "/transports/0/record/spillToNewFile"): return steer(.split, deck)
    default:
      let isKnown = isKnown(path)
      return .respond(
        isKnown
          ? .failure(501, "this recorder does not support \(method) for that")
          : .failure(404, "no such resource"))
    }
  }

  /// The response after an order was carried out.
  public static func response(to outcome: DeckOutcome, of order: DeckOrder) -> Response {
    guard case .refused(let error) = outcome else { return .done }
    let status =
      switch outcome.code(of: order) {
      case .ok: 204
      case .invalidValue: 400
      case .invalidState, .diskFull, .diskError, .noInput: 409
      case .noDisk: 503
      default: 500
      }
    guard status != 204 else { return .done }
    let reported = error.withoutFolders
    return Response(
      status,
      .object([
        "error": .object(["code": .string(reported.code), "message": .string(reported.message)])
      ]))
  }

  private static func read(
    _ path: String, _ deck: DeckState, _ identity: DeckIdentity
  ) -> Response {
    if let value = DeckResources(deck: deck, identity: identity).value(at: path) {
      return Response(200, value)
    }
    return isKnown(path)
      ? .failure(501, "this recorder has no such value")
      : .failure(404, "no such resource")
  }

  private static func isKnown(_ path: String) -> Bool {
    DeckResources.paths.contains(path) || refused.contains(path)
      || path == "/transports/0/record/spillToNewFile"
      || refusedFolders.contains { path.hasPrefix($0) }
  }

  private static func record(_ value: JSONValue?, _ deck: DeckState) -> Answer {
    if let value, !value.isObject {
      return .respond(.failure(400, "the body must be an object, or nothing"))
    }
    guard let name = value?["clipName"], name != .null else {
      return steer(.record(name: nil), deck)
    }
    guard let text = name.text, HyperDeckSession.isMovieName(text) else {
      return .respond(.failure(400, "'clipName' must be a movie's name without a folder"))
    }
    return steer(.record(name: text), deck)
  }

  private static func steer(_ order: DeckOrder, _ deck: DeckState) -> Answer {
    guard deck.isRemoteEnabled else {
      return .respond(.failure(409, "remote control is switched off"))
    }
    return .perform(order)
  }
}
