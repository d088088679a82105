import MediaCore
import Monitor
import RecorderControl

/// Frames and levels of a channel, for any number of viewers.
///
/// The recorder sends frames only while somebody watches. A frame is compressed once for all viewers, and
/// only if one of them is ready for it: a slow viewer gets fewer frames, never older ones. Messages, too,
/// are made once for all viewers who get the same.
package actor FrameHub {
  /// What a viewer wants to receive.
  struct Wish: Sendable, Hashable {
    /// Frames per second; 0 for none.
    var pictureRate = 15.0
    var scopes: VideoScopes.Selection = []
    var levels = true
    /// The region of the source to show pixel for pixel; nil for all of it.
    var region: FrameRegion?
  }

  /// A message for a viewer.
  enum Message: Sendable {
    /// As ``ServedFrame/message(_:)`` makes it.
    case picture([UInt8])
    /// JSON, with `levels` and `loudness`.
    case levels([UInt8])
  }

  private struct Viewer {
    var wish: Wish
    var send: @Sendable (Message) -> Void
    /// The number of the last frame sent.
    var sent = 0
    var isReady = true
    /// When the next frame may be sent.
    var due = 0.0
  }

  private var viewers: [Int: Viewer] = [:]
  private var nextViewer = 1
  private var client: ControlClient?
  private var subscription = MonitorSubscription()
  /// The last subscription that the recorder was sent.
  private var asked = MonitorSubscription()
  /// True while a subscription is being sent. One at a time, because the last one counts.
  private var isAsking = false
  private var alarmsEnd: @Sendable () -> Void = {}
  private var failed: @Sendable (String) -> Void = { _ in }
  /// The last error that was reported.
  private var reported: String?
  private var newest: MonitorFrame?
  /// When it arrived.
  private var newestAt = 0.0
  private var served: (picture: ServedFrame, scopes: VideoScopes.Selection)?
  /// When scopes may be computed next.
  private var scopesDue = 0.0
  private var regionCount = 0
  /// Callers that wait for a current frame.
  private var waiting: [Int: CheckedContinuation<[UInt8]?, Never>] = [:]
  private var nextSnapshot = 1

  /// The maximum number of viewers of a channel.
  static let viewerLimit = 32
  /// The maximum number of viewers with a region of their own.
  static let regionLimit = 8
  /// The maximum number of frames per second.
  private static let rateLimit = 30.0
  /// Seconds between two frames with scopes: a little less than a tenth, because frames arrive at their
  /// own times.
  private static let scopeInterval = 0.09
  /// Seconds after which a frame is outdated. A viewer who joins later waits for the next one.
  private static let freshness = 1.0

  /// Nanoseconds of the monotonic clock.
  private let clock: @Sendable () -> Int64

  init(clock: @escaping @Sendable () -> Int64 = { MonotonicClock.now }) { self.clock = clock }

  private var now: Double { Double(clock()) * 1e-9 }

  // MARK: Viewers

  /// Adds a viewer; nil if the limit is reached.
  func add(_ wish: Wish, send: @escaping @Sendable (Message) -> Void) -> Int? {
    guard viewers.count < Self.viewerLimit else { return nil }
    defer { nextViewer += 1 }
    viewers[nextViewer] = Viewer(wish: wish, send: send)
    demand()
    serve()
    return nextViewer
  }

  func remove(_ viewer: Int) {
    viewers[viewer] = nil
    demand()
  }

  /// Changes the wishes of a viewer.
  func change(_ viewer: Int, _ wish: Wish) {
    viewers[viewer]?.wish = wish
    demand()
    serve()
  }

  /// Notes that a viewer has shown a frame.
  func acknowledge(_ viewer: Int, _ number: Int) {
    guard viewers[viewer]?.sent == number else { return }
    viewers[viewer]?.isReady = true
    serve()
  }

  /// Counts a viewer of a region; false if the limit is reached.
  func admitRegion() -> Bool {
    guard regionCount < Self.regionLimit else { return false }
    regionCount += 1
    return true
  }

  /// Notes that a viewer no longer watches a region.
  func dismissRegion() { regionCount -= 1 }

  /// How many watch.
  var viewerCount: Int { viewers.count }

  /// A current frame as JPEG; nil if none arrives within so many seconds.
  func snapshot(within seconds: Double = 2) async -> [UInt8]? {
    let number = nextSnapshot
    nextSnapshot += 1
    let timer = Task {
      try await Task.sleep(for: .seconds(seconds))
      giveUp(number)
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { continuation in
      waiting[number] = continuation
      demand()
    }
  }

  private func giveUp(_ number: Int) {
    waiting.removeValue(forKey: number)?.resume(returning: nil)
    demand()
  }

  /// How many callers wait for a current frame.
  var snapshotCount: Int { waiting.count }

  // MARK: The recorder

  /// - Parameters:
  ///   - failed: Called with the reason if viewers get no frames, once for each reason in a row.
  ///   - alarmsEnd: Called when alarms are no longer subscribed to.
  func connect(
    _ client: ControlClient, failed: @escaping @Sendable (String) -> Void = { _ in },
    alarmsEnd: @escaping @Sendable () -> Void
  ) {
    self.client = client
    (self.alarmsEnd, self.failed, reported) = (alarmsEnd, failed, nil)
    (newest, served) = (nil, nil)
    (subscription, asked) = (MonitorSubscription(), MonitorSubscription())
    // Numbers start again, so earlier frames count as shown.
    for viewer in viewers.keys {
      viewers[viewer]?.isReady = true
      viewers[viewer]?.sent = 0
    }
    demand()
  }

  func disconnect() {
    client = nil
    newest = nil
  }

  /// Updates the subscription at the recorder.
  private func demand() {
    let wishes = viewers.values.map(\.wish)
    let whole = wishes.filter { $0.region == nil }
    var wanted = MonitorSubscription()
    wanted.pictureRate = min(whole.map(\.pictureRate).max() ?? 0, Self.rateLimit)
    if !waiting.isEmpty { wanted.pictureRate = max(wanted.pictureRate, 10) }
    wanted.levels = wishes.contains { $0.levels }
    wanted.alarms = !wishes.isEmpty
    guard client != nil, wanted != subscription else { return }
    // Without a subscription the ends of alarms will not be reported: end them now.
    if subscription.alarms, !wanted.alarms { alarmsEnd() }
    subscription = wanted
    guard !isAsking else { return }
    isAsking = true
    Task { await ask() }
  }

  private func ask() async {
    while let client, asked != subscription {
      asked = subscription
      // If the connection has ended, the channel reports that.
      let refusal = (try? await client.send(.monitor(asked)))?.error
      if let refusal { fail(refusal.message) }
    }
    isAsking = false
  }

  private func fail(_ reason: String) {
    guard reported != reason else { return }
    reported = reason
    failed("no frames for viewers: \(reason)")
  }

  func take(_ frame: MonitorFrame, from client: ControlClient) {
    client.acknowledge(frame)
    (newest, newestAt) = (frame, now)
    if !waiting.isEmpty, let served = makeServed(frame, []) {
      for continuation in waiting.values { continuation.resume(returning: served.jpeg) }
      waiting = [:]
      demand()
    }
    serve()
  }

  private struct Levels: Encodable {
    var levels: [LevelMeter.Level]
    var loudness: Loudness?
  }

  func tell(levels: [LevelMeter.Level], loudness: Loudness?) {
    let wanting = viewers.values.filter(\.wish.levels)
    guard !wanting.isEmpty else { return }
    let text = JSONText.bytes(Levels(levels: levels, loudness: loudness))
    for viewer in wanting { viewer.send(.levels(text)) }
  }

  /// Sends the newest frame to viewers that are ready and have not had it.
  private func serve() {
    guard let newest else { return }
    let number = newest.header.number
    let now = now
    guard now - newestAt <= Self.freshness else { return }
    let ready = viewers.filter {
      $0.value.isReady && $0.value.sent != number && $0.value.wish.pictureRate > 0
        && $0.value.due <= now && $0.value.wish.region == nil
    }
    guard !ready.isEmpty else { return }
    var scopes = ready.values.reduce(into: VideoScopes.Selection()) {
      $0.formUnion($1.wish.scopes)
    }
    if now < scopesDue { scopes = [] } else { scopesDue = now + Self.scopeInterval }
    guard let frame = makeServed(newest, scopes) else { return }
    var messages: [VideoScopes.Selection: [UInt8]] = [:]
    for (key, viewer) in ready {
      // A little earlier than the interval, because frames arrive at their own times.
      viewers[key]?.due = now + 0.8 / viewer.wish.pictureRate
      viewers[key]?.sent = number
      viewers[key]?.isReady = false
      let message = messages[viewer.wish.scopes] ?? frame.message(viewer.wish.scopes)
      messages[viewer.wish.scopes] = message
      viewer.send(.picture(message))
    }
  }

  private func makeServed(
    _ frame: MonitorFrame, _ scopes: VideoScopes.Selection
  ) -> ServedFrame? {
    if let served, served.picture.number == frame.header.number,
      served.scopes.isSuperset(of: scopes)
    {
      return served.picture
    }
    do throws(ServiceError) {
      let made = try ServedFrame(frame, scopes)
      served = (made, scopes)
      return made
    } catch {
      fail(error.message)
      return nil
    }
  }
}
