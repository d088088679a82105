import AssetWriter
import CaptureTestSupport
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import VideoRecorder

/// Reports about movies from their beginning to their end.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct BegunMovieTests {
  @Test func each_movie_is_reported_before_its_first_fragment() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.segmentPolicy.maximumFrameCount = 10
    rig.output.maxRecordedFrameCount = 30
    let reported = Mutex<[(path: String, hasFragment: Bool?)]>([])
    let open = Mutex<[[String]]>([[]])
    rig.output.openMovieHandler = { step in
      open.withLock { states in
        let others = states[states.count - 1].filter { $0 != step.before }
        states.append(others + [step.after].compactMap { $0 })
      }
      guard step.before == nil, let path = step.after else { return }
      let movie = try? Data(contentsOf: URL(filePath: path))
      let hasFragment = movie.map { $0.range(of: Data("moof".utf8)) != nil }
      reported.withLock { $0.append((path, hasFragment)) }
    }
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<32, camera, microphone)
    }
    await rig.session.stop()
    let all = reported.withLock { $0 }
    #expect(all.map(\.path) == report.segments.map(\.path) && all.count == 3)
    #expect(all.allSatisfy { $0.hasFragment == false })
    // Each movie is open until it is complete, even while the next one is written.
    let states = open.withLock { $0 }
    #expect(states.count == 7 && states.last == [], "\(states)")
    #expect(Set(states.joined()) == Set(all.map(\.path)))
  }
}
