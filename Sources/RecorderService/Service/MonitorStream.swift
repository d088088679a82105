import MediaCore
import Monitor
import RecorderControl

/// The WebSocket of a channel's frames, scopes and levels.
struct MonitorStream: Sendable {
  let channel: RecorderChannel

  /// A client's message: the frame that it has shown, its wishes, or both. Missing wishes stay as they are.
  private struct Request: Decodable {
    var acknowledge: Int?
    var pictureRate: Double?
    var scopes: [String]?
    var levels: Bool?
    /// `.some(nil)` for the whole frame.
    var region: FrameRegion??

    /// True if it contains a wish.
    var isWish: Bool { pictureRate != nil || scopes != nil || levels != nil || region != nil }

    fileprivate enum CodingKeys: String, CodingKey, CaseIterable {
      case acknowledge, pictureRate, scopes, levels, region
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      acknowledge = try values.decodeIfPresent(Int.self, forKey: .acknowledge)
      pictureRate = try values.decodeIfPresent(Double.self, forKey: .pictureRate)
      scopes = try values.decodeIfPresent([String].self, forKey: .scopes)
      levels = try values.decodeIfPresent(Bool.self, forKey: .levels)
      if values.contains(.region) {
        region = .some(try values.decodeIfPresent(FrameRegion.self, forKey: .region))
      }
    }
  }

  private struct Failure: Encodable { var error: ErrorSummary }

  /// The maximum number of frames per second for a region of the source.
  private static let regionRate = 15.0

  private static let scopes: [String: VideoScopes.Selection] = [
    "waveform": .waveform, "parade": .parade, "vectorscope": .vectorscope, "histogram": .histogram,
  ]

  /// Serves until the client is gone.
  func serve(_ connection: WebSocketConnection) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await connection.beat() }
      await watch(connection)
      group.cancelAll()
    }
  }

  private func watch(_ connection: WebSocketConnection) async {
    var wish = FrameHub.Wish()
    let viewer = await channel.frames.add(wish) { message in
      switch message {
      case .picture(let bytes): connection.send(bytes: bytes)
      // The next levels follow shortly, and will be current then.
      case .levels where connection.isBehind: break
      case .levels(let text): connection.send(utf8: text)
      }
    }
    guard let viewer else {
      return refuse(connection, .tooMany, "\(FrameHub.viewerLimit) viewers are already watching")
    }
    var detail: Detail?
    for await text in connection.texts {
      guard let request = JSONText.value(Request.self, Array(text.utf8)) else {
        refuse(connection, .invalidRequest, "a message must be a JSON object")
        break
      }
      if let fault = Self.fault(inKeysOf: text) {
        refuse(connection, .invalidRequest, fault)
        break
      }
      if let number = request.acknowledge {
        await detail?.stream.acknowledge(number)
        await channel.frames.acknowledge(viewer, number)
      }
      guard request.isWish else { continue }
      guard let changed = Self.wish(wish, request) else {
        refuse(
          connection, .invalidRequest,
          "pictureRate is 0, or \(MonitorSubscription.slowestRate) to \(Int(MonitorSubscription.rateLimit)), "
            + "a region has at most \(FrameRegion.limit) pixels, and scopes are "
            + Self.scopes.keys.sorted().joined(separator: ", "))
        break
      }
      wish = changed
      if await show(&detail, &wish, on: connection) == false {
        refuse(
          connection, .tooMany,
          "\(FrameHub.regionLimit) viewers are already viewing source pixels")
      }
      await channel.frames.change(viewer, wish)
    }
    if let detail { await end(detail) }
    await channel.frames.remove(viewer)
  }

  /// The error for unknown keys of a message; nil for none.
  static func fault(inKeysOf text: String) -> String? {
    BodyKeys(Array(text.utf8))?.fault(
      except: Request.CodingKeys.allCases.map(\.rawValue), of: "a message to the monitor")
  }

  // MARK: Source pixels

  /// A stretch that the viewer sees pixel for pixel.
  private struct Detail {
    var stream: RegionStream
    var task: Task<Void, Never>
  }

  /// Starts, changes or ends the region as the viewer wishes.
  ///
  /// - Returns: False if the limit of regions is reached. The wish is then changed to the whole frame.
  private func show(
    _ detail: inout Detail?, _ wish: inout FrameHub.Wish, on connection: WebSocketConnection
  ) async -> Bool {
    guard let region = wish.region else {
      if let old = detail.take() { await end(old) }
      return true
    }
    let wanted = MonitorSubscription(
      pictureRate: min(wish.pictureRate, Self.regionRate), region: region, scopes: wish.scopes)
    if let detail {
      await detail.stream.want(wanted)
      return true
    }
    guard await channel.frames.admitRegion() else {
      wish.region = nil
      return false
    }
    let stream = RegionStream(
      socketPath: channel.socketPath, wish: wanted,
      failed: { [channel] in channel.tell(notice: $0) }
    ) { connection.send(bytes: $0) }
    detail = Detail(stream: stream, task: Task { await stream.run() })
    return true
  }

  private func end(_ detail: Detail) async {
    detail.task.cancel()
    await detail.task.value
    await channel.frames.dismissRegion()
  }

  private func refuse(
    _ connection: WebSocketConnection, _ code: ServiceError.Code, _ message: String
  ) {
    connection.send(text: Failure(error: ErrorSummary(ServiceError(code, message))))
  }

  /// The wishes after a message; nil if they are not possible.
  private static func wish(_ wish: FrameHub.Wish, _ request: Request) -> FrameHub.Wish? {
    var wish = wish
    if let rate = request.pictureRate {
      guard MonitorSubscription.isPictureRate(rate) else { return nil }
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
    if let region = request.region {
      guard region.map(isServed) ?? true else { return nil }
      wish.region = region
    }
    return wish
  }

  private static func isServed(_ region: FrameRegion) -> Bool {
    (2...FrameRegion.limit.width).contains(region.width)
      && (1...FrameRegion.limit.height).contains(region.height)
      && (0...65_535).contains(region.x) && (0...65_535).contains(region.y)
  }
}
