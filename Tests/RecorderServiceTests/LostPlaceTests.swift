import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import RecorderService

/// Connections beyond the limit get a refusal before they are closed.
struct LostPlaceTests {
  /// A connection with its HTTP handler, which does not pass on a refused request.
  private func connection(_ connections: OpenConnections) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    try channel.pipeline.syncOperations.addHandler(
      HTTPConnectionHandler(isSecure: false, among: connections) { _ in .done })
    return channel
  }

  /// Every `EmbeddedChannel` must be closed.
  private func finish(_ channels: EmbeddedChannel...) {
    for channel in channels { _ = try? channel.finish(acceptAlreadyClosed: true) }
  }

  private func ask(_ channel: EmbeddedChannel, bodyOf count: Int = 0) throws {
    try channel.writeInbound(
      HTTPServerRequestPart.head(.init(version: .http1_1, method: .POST, uri: "/")))
    if count > 0 {
      try channel.writeInbound(
        HTTPServerRequestPart.body(ByteBuffer(repeating: 0x20, count: count)))
    }
    try channel.writeInbound(HTTPServerRequestPart.end(nil))
  }

  /// The status of the answer, and whether it announces the end of the connection.
  private func answer(_ channel: EmbeddedChannel) throws -> (status: UInt, isLast: Bool)? {
    guard case .head(let head)? = try channel.readOutbound(as: HTTPServerResponsePart.self) else {
      return nil
    }
    return (head.status.code, head.headers["Connection"] == ["close"])
  }

  @Test func a_connection_that_loses_its_place_is_refused_before_closing() throws {
    let connections = OpenConnections(limit: 1)
    let (first, second) = (try connection(connections), try connection(connections))
    defer { finish(first, second) }
    #expect(connections.add(first) == .served)
    #expect(connections.add(second) == .served)
    #expect(first.isActive, "its request may still be on its way")
    try ask(first)
    let refusal = try #require(try answer(first))
    #expect(refusal.status == 429 && refusal.isLast)
    first.embeddedEventLoop.run()
    #expect(!first.isActive && second.isActive)
  }

  @Test func new_connections_are_refused_while_all_places_are_busy() throws {
    let connections = OpenConnections(limit: 1)
    let busy = try connection(connections)
    #expect(connections.add(busy) == .served)
    connections.note(busy, isBusy: true)
    let newcomer = try connection(connections)
    defer { finish(busy, newcomer) }
    #expect(connections.add(newcomer) == .refused)
    #expect(!connections.beginStream(newcomer), "a connection without a place gets no stream")
    newcomer.pipeline.syncOperations.fireUserInboundEventTriggered(PlaceLost())
    try ask(newcomer)
    #expect(try answer(newcomer)?.status == 429)
    #expect(busy.isActive)
  }

  @Test func connections_without_a_place_are_few_and_soon_closed() throws {
    let connections = OpenConnections(limit: 1)
    let busy = try connection(connections)
    #expect(connections.add(busy) == .served)
    connections.note(busy, isBusy: true)
    let (first, second) = (try connection(connections), try connection(connections))
    defer { finish(busy, first, second) }
    for channel in [first, second] {
      #expect(connections.add(channel) == .refused)
      channel.pipeline.syncOperations.fireUserInboundEventTriggered(PlaceLost())
    }
    #expect(!first.isActive && second.isActive, "at most a quarter of the places, but at least one")
    second.embeddedEventLoop.advanceTime(by: .seconds(3))
    #expect(!second.isActive, "it sends no request")
  }

  @Test func an_answered_idle_connection_is_closed_immediately() throws {
    let connections = OpenConnections(limit: 1)
    let (first, second) = (try connection(connections), try connection(connections))
    defer { finish(first, second) }
    #expect(connections.add(first) == .served)
    try ask(first, bodyOf: HTTPRequest.bodyLimit + 1)
    #expect(try answer(first)?.status == 413)
    #expect(connections.add(second) == .served)
    #expect(!first.isActive)
  }
}
