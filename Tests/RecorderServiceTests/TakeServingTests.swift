import Foundation
import RecorderControl
import TestSupport
import Testing

@testable import RecorderService

/// Takes that a running gateway serves over the network.
@Suite(.timeLimit(.minutes(10))) struct TakeServingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
  func a_take_is_downloaded_viewed_and_verified() async throws {
    let gateway = try ServeProcess(channels: ["a"], in: folder)
    defer { gateway.end() }
    let (client, viewer) = (gateway.client(), gateway.client(ServeProcess.view))
    let channel = "/api/v1/channels/a"
    _ = try client.ask("POST", channel + "/start", "{}")
    try await eventually("frames are recorded") {
      let progress = try gateway.recorder("a")["progress"] as? [String: Any]
      return (progress?["frames"] as? Int ?? 0) > 12
    }
    #expect(try client.ask("POST", channel + "/marker", #"{"note":"good"}"#).status == 200)
    #expect(try client.ask("POST", channel + "/stop", "{}").status == 200)
    func takes() throws -> [[String: Any]] {
      try viewer.ask("GET", channel + "/takes").json["takes"] as? [[String: Any]] ?? []
    }
    try await eventually("the take is listed") { try takes().count == 1 }
    let take = try #require(try takes().first?["id"] as? String)
    let path = "\(channel)/takes/\(take)"
    let file = try Data(contentsOf: folder.url("a-001.mov"))

    #expect(try viewer.ask("GET", path + "/movies/1").status == 403)
    let movie = try client.ask("GET", path + "/movies/1")
    #expect(movie.status == 200 && movie.body == file)
    #expect(movie.headers["content-disposition"]?.contains("filename=\"a-001.mov\"") == true)
    let tag = try #require(movie.headers["etag"])
    let part = try client.ask(
      "GET", path + "/movies/1", headers: ["Range": "bytes=1000-1999", "If-Range": tag])
    #expect(part.status == 206 && part.body == file[1000..<2000])
    #expect(part.headers["content-range"] == "bytes 1000-1999/\(file.count)")
    #expect(
      try client.ask("GET", path + "/movies/1", headers: ["Range": "bytes=\(file.count)-"]).status
        == 416)
    #expect(
      try client.ask("GET", path + "/movies/1", headers: ["If-None-Match": tag]).status == 304)
    for wrong in ["/movies/0", "/movies/2", "/movies/..", "/movies/%2e%2e%2fa", "/frames/x.jpg"] {
      #expect(try client.ask("GET", path + wrong).status == 404, "\(wrong)")
    }
    #expect(try client.ask("GET", "\(channel)/takes/0123456789abcdef").status == 404)

    let frame = try viewer.ask("GET", path + "/frames/7.jpg")
    #expect(frame.status == 200 && frame.headers["content-type"] == "image/jpeg")
    for image in ["/poster.jpg", "/strip/0.jpg", "/strip/9.jpg"] {
      let answer = try viewer.ask("GET", path + image)
      #expect(answer.status == 200 && answer.body.prefix(2) == Data([0xFF, 0xD8]), "\(image)")
    }
    #expect(try viewer.ask("GET", path + "/strip/10.jpg").status == 404)
    #expect(try viewer.ask("GET", path + "/frames/99999.jpg").status == 404)
    try frame.body.write(to: folder.url("7.jpg"))
    let likeness = try (6...8).map { try self.likeness(of: "7.jpg", toFrame: $0) }
    #expect(likeness[1] > likeness[0] && likeness[1] > likeness[2], "\(likeness)")
    let markers = try viewer.ask("GET", path + "/markers.csv")
    #expect(String(decoding: markers.body, as: UTF8.self).contains("\"good\""))

    // Jobs.
    #expect(try viewer.ask("POST", path + "/verify", "{}").status == 403)
    #expect(try client.ask("POST", path + "/verify", "{}").status == 202)
    let verification = try await end(of: "verification", path, gateway)
    #expect(verification["isValid"] as? Bool == true, "\(verification)")
    #expect(try client.ask("POST", path + "/proxy", "{}").status == 202)
    _ = try await end(of: "proxy", path, gateway)
    let proxy = try viewer.ask(
      "GET", path + "/movies/1/proxy.mp4", headers: ["Range": "bytes=4-7"])
    let listed = try takes()
    #expect(proxy.status == 206 && proxy.body == Data("ftyp".utf8), "\(listed)")
    // The next gateway still has the results.
    try gateway.restart()
    let known = try gateway.client().ask("GET", path).json
    #expect((known["verification"] as? [String: Any])?["isValid"] as? Bool == true)
  }

  @Test(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
  func a_take_can_be_viewed_frame_by_frame_while_recording() async throws {
    let gateway = try ServeProcess(channels: ["a"], in: folder)
    defer { gateway.end() }
    let (client, viewer) = (gateway.client(), gateway.client(ServeProcess.view))
    let running = "/api/v1/channels/a/takes/running"
    #expect(try viewer.ask("GET", running).status == 404)
    #expect(try viewer.ask("GET", running + "/frames/0.jpg").status == 404)
    _ = try client.ask("POST", "/api/v1/channels/a/start", "{}")
    try await eventually("frames are in the movie") {
      try viewer.ask("GET", running).json["frameCount"] as? Int ?? 0 > 12
    }
    let take = try viewer.ask("GET", running).json
    #expect(take["path"] as? String == "a-001.mov" && take["frameRate"] as? String == "25")
    let frame = try viewer.ask("GET", running + "/frames/7.jpg")
    #expect(frame.status == 200 && frame.headers["content-type"] == "image/jpeg")
    #expect(frame.headers["cache-control"]?.contains("no-store") == true)
    try frame.body.write(to: folder.url("7.jpg"))
    // The take grows, and earlier frames are unchanged.
    let count = try #require(take["frameCount"] as? Int)
    try await eventually("the movie grows") {
      try viewer.ask("GET", running).json["frameCount"] as? Int ?? 0 > count
    }
    #expect(try viewer.ask("GET", running + "/frames/7.jpg").body == frame.body)
    #expect(try viewer.ask("GET", running + "/frames/\(count).jpg").status == 200)
    #expect(try viewer.ask("GET", running + "/frames/999999.jpg").status == 404)
    #expect(try client.ask("POST", "/api/v1/channels/a/stop", "{}").status == 200)
    try await eventually("the take is listed with the same ID") {
      let id = try #require(take["id"] as? String)
      return try viewer.ask("GET", "/api/v1/channels/a/takes/\(id)").status == 200
    }
    #expect(try viewer.ask("GET", running).status == 404)
    let likeness = try (6...8).map { try self.likeness(of: "7.jpg", toFrame: $0) }
    #expect(likeness[1] > likeness[0] && likeness[1] > likeness[2], "\(likeness)")
  }

  @Test func a_segmented_take_keeps_one_id_until_it_is_listed() async throws {
    let gateway = try ServeProcess(
      channels: ["a"], in: folder, preset: "[file]\nsegment = \"40f\"")
    defer { gateway.end() }
    let (client, channel) = (gateway.client(), "/api/v1/channels/a")
    _ = try client.ask("POST", channel + "/start", "{}")
    var take: [String: Any] = [:]
    try await eventually("a second movie is being written") {
      take = try client.ask("GET", channel + "/takes/running").json
      return (take["movie"] as? String).map { $0 != "a-001-001.mov" } ?? false
    }
    #expect(take["path"] as? String == "a-001.mov")
    _ = try client.ask("POST", channel + "/stop", "{}")
    let id = try #require(take["id"] as? String)
    try await eventually("the take is listed with the same ID") {
      try client.ask("GET", "\(channel)/takes/\(id)").status == 200
    }
    #expect(try client.ask("GET", channel + "/takes/running").status == 404)
  }

  @Test func a_take_moved_to_the_library_is_served_from_there() async throws {
    let gateway = try ServeProcess(
      channels: ["a"], in: folder, keys: "library = \"\(folder.path("library"))\"")
    defer { gateway.end() }
    let (client, channel) = (gateway.client(), "/api/v1/channels/a")
    _ = try client.ask("POST", channel + "/start", "{}")
    try await eventually("frames are recorded") {
      let progress = try gateway.recorder("a")["progress"] as? [String: Any]
      return (progress?["frames"] as? Int ?? 0) > 5
    }
    _ = try client.ask("POST", channel + "/stop", "{}")
    try await eventually("the movie is in the library") {
      !folder.contents.contains("a-001.mov")
    }
    try await eventually("it is downloaded from there") {
      let takes = try client.ask("GET", channel + "/takes").json["takes"] as? [[String: Any]]
      guard let id = takes?.first?["id"] as? String else { return false }
      return try client.ask("GET", "\(channel)/takes/\(id)/movies/1").status == 200
        && client.ask("GET", "\(channel)/takes/\(id)/frames/3.jpg").status == 200
    }
  }

  /// Waits until a job on a take has ended, however long that takes: without normal priority, until other
  /// processes stop computing.
  ///
  /// - Returns: The job's result; empty if it was forgotten.
  private func end(
    of job: String, _ path: String, _ gateway: ServeProcess
  ) async throws -> [String: Any] {
    let events = try gateway.client(ServeProcess.view).webSocket("/api/v1/events")
    while true {
      let take = try gateway.client(ServeProcess.view).ask("GET", path).json
      let known = take[job] as? [String: Any] ?? [:]
      guard let state = known["state"] as? String, state != "done", state != "failed" else {
        return known
      }
      gateway.lendPriority()
      // The gateway sends something at least every five seconds.
      guard case .text = try events.next() else { return known }
    }
  }

  /// The peak signal-to-noise ratio of an image relative to a frame of the movie.
  private func likeness(of image: String, toFrame number: Int) throws -> Double {
    let result = try Command.run(
      "ffmpeg",
      [
        "-hide_banner", "-nostdin", "-i", folder.path("a-001.mov"), "-i", folder.path(image),
        "-lavfi",
        "[0:v]select=eq(n\\,\(number)),setpts=0,scale=640:360:out_range=full,format=yuvj420p[a];"
          + "[1:v]setpts=0,format=yuvj420p[b];[a][b]psnr",
        "-frames:v", "1", "-f", "null", "-",
      ])
    let match = try #require(
      result.errors.firstMatch(of: /average:([0-9.]+|inf)/), "\(result.errors)")
    return Double(match.1) ?? .infinity
  }
}
