import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// The order of change blocks and their handlers, and of the callers that wait for them.
@Suite(.timeLimit(.minutes(2))) struct ChangeOrderTests {
  private let folder: TemporaryFolder
  private let library: PHPhotoLibrary

  init() throws {
    folder = try TemporaryFolder()
    library = PHPhotoLibrary(at: folder.url("library"))
    library.hookSelection = .none
  }

  @Test func change_blocks_and_handlers_run_in_call_order() async throws {
    let log = Mutex<[String]>([])
    await withCheckedContinuation { continuation in
      for number in 0..<20 {
        library.performChanges {
          log.withLock { $0.append("begin \(number)") }
          usleep(500)
          log.withLock { $0.append("end \(number)") }
        } completionHandler: { isDone, error in
          #expect(isDone && error == nil)
          log.withLock { $0.append("told \(number)") }
          if number == 19 { continuation.resume() }
        }
      }
    }
    let wanted = (0..<20).flatMap { ["begin \($0)", "end \($0)", "told \($0)"] }
    #expect(log.withLock { $0 } == wanted)
  }

  @Test func a_second_library_object_waits_for_earlier_changes() throws {
    let log = Mutex<[Int]>([])
    library.performChanges({
      usleep(20_000)
      log.withLock { $0.append(1) }
    })
    try PHPhotoLibrary(at: folder.url("library")).performChangesAndWait {
      log.withLock { $0.append(2) }
    }
    #expect(log.withLock { $0 } == [1, 2])
  }

  /// On one processor, a single waiting task takes all of the pool's threads.
  @Test func waiting_callers_may_outnumber_the_task_threads() async throws {
    let callers = ProcessInfo.processInfo.activeProcessorCount * 2 + 2
    final class Count: Sendable { let value = Atomic(0) }
    let count = Count()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<callers {
        group.addTask { [library] in
          try library.performChangesAndWait { count.value.add(1, ordering: .relaxed) }
        }
      }
      try await group.waitForAll()
    }
    #expect(count.value.load(ordering: .relaxed) == callers)
  }

  @Test func change_blocks_and_handlers_may_wait_for_nested_changes() async throws {
    @Sendable func make(_ title: String) {
      PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
    }
    let isDone = await withCheckedContinuation { continuation in
      library.performChanges {
        #expect(throws: Never.self) { try library.performChangesAndWait { make("within") } }
        make("outer")
      } completionHandler: { isDone, _ in
        #expect(throws: Never.self) { try library.performChangesAndWait { make("after") } }
        continuation.resume(returning: isDone)
      }
    }
    #expect(isDone)
    #expect(Set(try library.userAlbums().map(\.title)) == ["within", "outer", "after"])
  }
}
