import Logging
import MediaCore
import RecorderControl

/// Takes: lists, movies, images of frames, markers, and work on them.
extension GatewayHandler {
  private static let path = "/api/v1/channels/{channel}/takes"

  static func takeRoutes(_ gateway: Gateway) -> [Route] {
    struct Takes: Encodable { var takes: [TakeRecord.Document] }
    // Ahead of those of a take's ID.
    let running = [
      Route("GET", path + "/running", .view) { call async throws(ServiceError) in
        .json(try await gateway.runningTakes.document(of: try channel(call, gateway)))
      },
      Route("GET", path + "/running/frames/{frame}", .view) { call async throws(ServiceError) in
        HTTPResponse(
          type: "image/jpeg",
          try await gateway.runningTakes.frame(
            Int(try number(call.parameters["frame"], below: Int64(Int32.max))),
            of: try channel(call, gateway), side: 960))
      },
    ]
    let list = [
      Route("GET", path, .view) { call throws(ServiceError) in
        .json(Takes(takes: try channel(call, gateway).shelf.all.map(TakeRecord.Document.init)))
      },
      Route("GET", path + "/{take}", .view) { call throws(ServiceError) in
        .json(TakeRecord.Document(record: try record(call, gateway)))
      },
    ]
    return running + list + movieRoutes(gateway) + imageRoutes(gateway) + markerRoutes(gateway)
      + jobRoutes(gateway)
  }

  // MARK: Files

  private static func movieRoutes(_ gateway: Gateway) -> [Route] {
    [
      // Viewers must not read whole movies from a disk that is being recorded to.
      Route("GET", path + "/{take}/movies/{movie}", .operate) {
        call async throws(ServiceError) in
        let path = try movie(call, gateway).path
        if call.request.method == "GET", call.request.headers["range"].isEmpty {
          gateway.log(try required(call.client), "downloads \(path.lastPathPart)")
        }
        return try await .file(
          path, type: "video/quicktime", for: call.request, savedAs: path.lastPathPart)
      },
      Route("GET", path + "/{take}/movies/{movie}/proxy.mp4", .view) {
        call async throws(ServiceError) in
        let (record, index, _) = try movie(call, gateway)
        guard record.proxy?.state == .done else {
          throw ServiceError(.notFound, "the take has no proxy yet; ask for one")
        }
        return try await .file(
          gateway.proxies.path(of: record.id, movie: index), type: "video/mp4", for: call.request)
      },
    ]
  }

  private static func imageRoutes(_ gateway: Gateway) -> [Route] {
    @Sendable func image(
      _ frame: Int64, _ record: TakeRecord, side: Int
    ) async throws(ServiceError) -> HTTPResponse {
      var response = HTTPResponse(
        type: "image/jpeg",
        try await gateway.takeImages.frame(frame, of: record, side: side))
      // Images of a completed take never change, so browsers may keep them.
      response.headers.removeAll { $0.name == "Cache-Control" }
      response.headers.append(("Cache-Control", "private, max-age=3600"))
      return response
    }
    return [
      Route("GET", path + "/{take}/poster.jpg", .view) { call async throws(ServiceError) in
        let take = try record(call, gateway)
        return try await image(take.timeline.slotCount / 3, take, side: 320)
      },
      Route("GET", path + "/{take}/strip/{picture}", .view) { call async throws(ServiceError) in
        let take = try record(call, gateway)
        let index = try number(call.parameters["picture"], below: Int64(TakeImages.stripCount))
        return try await image(
          TakeImages.frame(ofStrip: Int(index), of: take), take, side: 320)
      },
      Route("GET", path + "/{take}/frames/{frame}", .view) { call async throws(ServiceError) in
        let take = try record(call, gateway)
        let frame = try number(call.parameters["frame"], below: take.timeline.slotCount)
        return try await image(frame, take, side: 960)
      },
    ]
  }

  private static func markerRoutes(_ gateway: Gateway) -> [Route] {
    TakeMarkers.Format.allCases.map { format in
      Route("GET", path + "/{take}/markers.\(format.rawValue)", .view) {
        call throws(ServiceError) in
        let markers = TakeMarkers(try record(call, gateway).take)
        return HTTPResponse(
          type: format.mediaType, Array(markers.text(as: format).utf8),
          headers: [
            ("Content-Disposition", HTTPResponse.disposition(markers.fileName(as: format)))
          ])
      }
    }
  }

  // MARK: Jobs

  private static func jobRoutes(_ gateway: Gateway) -> [Route] {
    TakeJobs.Kind.allCases.map { kind in
      Route("POST", path + "/{take}/\(kind.rawValue)", .operate) { call throws(ServiceError) in
        let (owner, take) = (try channel(call, gateway), try record(call, gateway))
        try gateway.jobs.submit(kind, take.id, of: owner)
        gateway.log(
          try required(call.client), "\(kind.rawValue) of \(take.take.path.lastPathPart)")
        return .json(TakeRecord.Document(record: owner.shelf[take.id] ?? take), status: 202)
      }
    }
  }

  // MARK: Parts

  private static func record(
    _ call: Route.Call, _ gateway: Gateway
  ) throws(ServiceError) -> TakeRecord {
    guard let known = try channel(call, gateway).shelf[call.parameters["take"] ?? ""] else {
      throw ServiceError(.notFound, "no such take; the list of takes has the IDs")
    }
    return known
  }

  private static func movie(
    _ call: Route.Call, _ gateway: Gateway
  ) throws(ServiceError) -> (record: TakeRecord, index: Int, path: String) {
    let take = try record(call, gateway)
    let count = take.take.movies.count
    guard let number = Int(call.parameters["movie"] ?? ""), (1...max(1, count)).contains(number),
      count > 0
    else { throw ServiceError(.notFound, "the take has the movies 1 to \(count)") }
    return (take, number - 1, take.take.movies[number - 1])
  }

  /// The number in `12.jpg`.
  private static func number(_ text: String?, below end: Int64) throws(ServiceError) -> Int64 {
    guard let text, text.hasSuffix(".jpg"), let number = Int64(text.dropLast(4)),
      (0..<max(end, 0)).contains(number)
    else { throw ServiceError(.notFound, "images are 0.jpg to \(max(end, 1) - 1).jpg") }
    return number
  }
}
