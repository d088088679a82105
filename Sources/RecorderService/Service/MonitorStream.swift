import MediaCore
import Monitor
import RecorderControl

/// The WebSocket of a channel's pictures, scopes and levels.
struct MonitorStream: Sendable {
  let channel: RecorderChannel

  /// What a client says: what it wants, or which picture it has shown.
  private struct Request: Decodable {
    var acknowledge: Int?
    var pictureRate: Double?
    var scopes: [String]?
    var levels: Bool?
  }

  private struct Failure: Encodable { var error: ErrorSummary }
  private struct Levels: Encodable {
    var levels: [LevelMeter.Level]
    var loudness: Loudness?
  }

  private static let scopes: [String: PictureScopes.Selection] = [
    "waveform": .waveform, "parade": .parade, "vectorscope": .vectorscope, "histogram": .histogram,
  ]

  /// Serves until the client is gone.
  func serve(_ connection: WebSocketConnection) async {
    var wish = PictureHub.Wish()
    let viewer = await channel.pictures.add(wish) { message in
      switch message {
      case .picture(let bytes): connection.send(bytes: bytes)
      case .levels(let levels, let loudness):
        connection.send(text: Levels(levels: levels, loudness: loudness))
      }
    }
    guard let viewer else {
      return refuse(connection, .tooMany, "\(PictureHub.viewerLimit) viewers watch already")
    }
    for await text in connection.texts {
      guard let request = JSONText.value(Request.self, Array(text.utf8)) else {
        refuse(connection, .invalidRequest, "a message is a JSON object")
        break
      }
      if let number = request.acknowledge {
        await channel.pictures.acknowledge(viewer, number)
        continue
      }
      guard let changed = Self.wish(wish, request) else {
        refuse(
          connection, .invalidRequest,
          "pictureRate is 0 to 60, and scopes are \(Self.scopes.keys.sorted().joined(separator: ", "))"
        )
        break
      }
      wish = changed
      await channel.pictures.change(viewer, wish)
    }
    await channel.pictures.remove(viewer)
  }

  private func refuse(
    _ connection: WebSocketConnection, _ code: ServiceError.Code, _ message: String
  ) {
    connection.send(text: Failure(error: ErrorSummary(ServiceError(code, message))))
  }

  /// What a client wants from now on; nil for what cannot be.
  private static func wish(_ wish: PictureHub.Wish, _ request: Request) -> PictureHub.Wish? {
    var wish = wish
    if let rate = request.pictureRate {
      guard (0...60).contains(rate) else { return nil }
      wish.pictureRate = rate
    }
    if let names = request.scopes {
      wish.scopes = []
      for name in names {
        guard let scope = scopes[name] else { return nil }
        wish.scopes.formUnion(scope)
      }
    }
    if let levels = request.levels { wish.levels = levels }
    return wish
  }
}
