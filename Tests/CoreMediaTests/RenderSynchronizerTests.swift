import AVFoundationCompat
import Synchronization
import Testing

/// Audio and video on one timeline.
@Suite(.timeLimit(.minutes(5))) struct RenderSynchronizerTests {
  private final class Reported<Value: Sendable>: Sendable {
    private let all = Mutex<[Value]>([])
    func add(_ value: Value) { all.withLock { $0.append(value) } }
    var values: [Value] { all.withLock { $0 } }
  }

  private struct Heard: Sendable, Equatable {
    /// Nil if playback has ended.
    let time: CMTime?
    let volume: Float
  }

  private let synchronizer = AVSampleBufferRenderSynchronizer()
  private let renderer = AVSampleBufferAudioRenderer()
  private let heard = Reported<Heard>()

  init() {
    let heard = heard
    renderer.setAudioHandler(queue: DispatchQueue(label: "playback")) { audio, volume in
      heard.add(Heard(time: audio?.presentationTimeStamp, volume: volume))
    }
  }

  private func at(_ seconds: Int64) -> CMTime { CMTime(value: seconds, timescale: 1) }

  /// A tenth of a second of audio.
  private func audio(_ time: CMTime) throws -> CMSampleBuffer {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4800))
    buffer.frameLength = 4800
    return try #require(buffer.sampleBuffer(at: time))
  }

  private func frame(_ width: Int, _ time: CMTime) throws -> CMSampleBuffer {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, 48, kCVPixelFormatType_32BGRA, nil, &made)
    return CMSampleBuffer(.video(try #require(made)), presentationTimeStamp: time)
  }

  /// True as soon as the condition holds, false after half a minute.
  private func holds(_ condition: () -> Bool) async throws -> Bool {
    for _ in 0..<3000 where !condition() { try await Task.sleep(for: .milliseconds(10)) }
    return condition()
  }

  @Test func audio_is_delivered_when_due() async throws {
    synchronizer.addRenderer(renderer)
    #expect(renderer.timebase === synchronizer.timebase && renderer.status == .unknown)
    let later = [1, 2].map { at(1) + CMTime(value: $0, timescale: 100) }
    for time in [at(1)] + later { renderer.enqueue(try audio(time)) }
    #expect(
      renderer.status == .rendering && renderer.hasSufficientMediaDataForReliablePlaybackStart)
    try await Task.sleep(for: .milliseconds(50))
    #expect(heard.values.isEmpty)
    synchronizer.setRate(0, time: at(1))
    #expect(try await holds { heard.values == [Heard(time: at(1), volume: 1)] })
    renderer.volume = 0.5
    // So slow that audio is late only if the machine stalls for seconds.
    synchronizer.setRate(0.125, time: at(1))
    #expect(try await holds { heard.values.count == 3 })
    #expect(heard.values.map(\.time) == [at(1)] + later)
    #expect(heard.values.last?.volume == 0.5 && synchronizer.currentTime() >= later[1])
    #expect(synchronizer.rate == 0.125 && renderer.volume == 0.5)
    renderer.isMuted = true
    renderer.enqueue(try audio(synchronizer.currentTime()))
    #expect(try await holds { heard.values.count == 4 })
    #expect(heard.values.last?.volume == 0 && renderer.isMuted)
    renderer.audioOutputDeviceUniqueID = "hw:0"
    #expect(renderer.audioOutputDeviceUniqueID == nil)
  }

  @Test func late_audio_is_dropped_and_counted() async throws {
    synchronizer.addRenderer(renderer)
    for second in 1...3 { renderer.enqueue(try audio(at(Int64(second)))) }
    synchronizer.setRate(0, time: at(3))
    #expect(try await holds { heard.values == [Heard(time: at(3), volume: 1)] })
    #expect(renderer.droppedSampleBufferCount == 2)
  }

  @Test func a_flush_discards_waiting_audio() async throws {
    synchronizer.addRenderer(renderer)
    for second in 1...4 { renderer.enqueue(try audio(at(Int64(second)))) }
    await withCheckedContinuation { done in
      renderer.flush(fromSourceTime: at(3)) { isFlushed in
        #expect(isFlushed)
        done.resume()
      }
    }
    synchronizer.setRate(0, time: at(2))
    #expect(try await holds { heard.values.count == 1 })
    synchronizer.setRate(0, time: at(4))
    try await Task.sleep(for: .milliseconds(50))
    #expect(heard.values.map(\.time) == [at(2)])
    renderer.enqueue(try frame(64, at(5)))
    #expect(renderer.status == .failed)
    #expect((renderer.error as? AVError)?.code == .invalidSourceMedia)
    #expect(!renderer.isReadyForMoreMediaData)
    renderer.enqueue(try audio(at(4)))
    renderer.flush()
    #expect(renderer.status == .unknown && renderer.error == nil)
    #expect(renderer.isReadyForMoreMediaData)
    #expect(try await holds { heard.values.count == 2 })
    #expect(heard.values.last?.time == nil)
  }

  @Test func audio_without_a_duration_lasts_as_long_as_its_frames() async throws {
    synchronizer.addRenderer(renderer)
    let whole = try #require(try audio(at(1)).audioBuffer)
    for _ in 0..<10 {
      #expect(renderer.isReadyForMoreMediaData)
      renderer.enqueue(CMSampleBuffer(.audio(whole), presentationTimeStamp: at(1)))
    }
    #expect(!renderer.isReadyForMoreMediaData)
    synchronizer.setRate(0, time: at(1))
    #expect(try await holds { heard.values.count == 10 })
    #expect(renderer.droppedSampleBufferCount == 0)
  }

  @Test func a_nan_volume_is_ignored() {
    renderer.volume = 0.5
    renderer.volume = .nan
    #expect(renderer.volume == 0.5)
    renderer.volume = -1
    #expect(renderer.volume == 0)
  }

  /// Calls a renderer from its deinit.
  private final class Last: Sendable {
    let renderer: AVSampleBufferAudioRenderer
    let ended: Reported<Int>
    init(_ renderer: AVSampleBufferAudioRenderer, _ ended: Reported<Int>) {
      (self.renderer, self.ended) = (renderer, ended)
    }
    deinit {
      renderer.flush()
      ended.add(1)
    }
  }

  @Test func objects_released_by_a_renderer_may_call_it() async throws {
    let ended = Reported<Int>()
    let queue = DispatchQueue(label: "source")
    func request(_ last: Last) {
      renderer.requestMediaDataWhenReady(on: queue) { withExtendedLifetime(last) {} }
    }
    func handle(_ last: Last) {
      renderer.setAudioHandler(queue: queue) { _, _ in withExtendedLifetime(last) {} }
    }
    request(Last(renderer, ended))
    request(Last(renderer, ended))
    renderer.stopRequestingMediaData()
    handle(Last(renderer, ended))
    renderer.setAudioHandler(queue: queue, nil)
    #expect(try await holds { ended.values.count == 3 })
  }

  @Test func an_observer_with_a_busy_queue_is_called_later() async throws {
    let queue = DispatchQueue(label: "observers")
    let boundary = Reported<Int>()
    let periodic = Reported<CMTime>()
    let never = Reported<CMTime>()
    let observers = [
      synchronizer.addBoundaryTimeObserver(forTimes: [NSValue(time: at(1))], queue: queue) {
        boundary.add(1)
      },
      synchronizer.addPeriodicTimeObserver(forInterval: at(1), queue: queue) { periodic.add($0) },
      synchronizer.addPeriodicTimeObserver(forInterval: .indefinite, queue: queue) {
        never.add($0)
      },
    ]
    synchronizer.setRate(1, time: .zero)
    #expect(try await holds { synchronizer.currentTime() > CMTime(value: 1, timescale: 20) })
    queue.suspend()
    let isBefore = synchronizer.currentTime() < at(1)
    #expect(try await holds { synchronizer.currentTime() > at(2) })
    queue.resume()
    #expect(try await holds { boundary.values == [1] || !isBefore })
    #expect(try await holds { !periodic.values.isEmpty } && never.values.isEmpty)
    for observer in observers { synchronizer.removeTimeObserver(observer) }
  }

  @Test func audio_is_requested_until_one_second_is_queued() async throws {
    synchronizer.addRenderer(renderer)
    let samples = try (0..<40).map { try audio(CMTime(value: 10 + Int64($0), timescale: 10)) }
    let given = Mutex(0)
    renderer.requestMediaDataWhenReady(on: DispatchQueue(label: "source")) { [renderer] in
      while renderer.isReadyForMoreMediaData {
        let next = given.withLock { count in
          defer { count += 1 }
          return count
        }
        guard next < samples.count else { return renderer.stopRequestingMediaData() }
        renderer.enqueue(samples[next])
      }
    }
    #expect(try await holds { given.withLock { $0 } == 10 })
    try await Task.sleep(for: .milliseconds(50))
    #expect(given.withLock { $0 } == 10 && !renderer.isReadyForMoreMediaData)
    synchronizer.setRate(0, time: at(1))
    #expect(try await holds { given.withLock { $0 } == 11 })
    renderer.stopRequestingMediaData()
  }

  @Test func renderers_follow_the_synchronizer_until_removed() async throws {
    let layer = AVSampleBufferDisplayLayer()
    let frames = AVSampleBufferVideoRenderer()
    for other in [layer, frames, renderer, layer] as [any AVQueuedSampleBufferRendering] {
      synchronizer.addRenderer(other)
    }
    #expect(synchronizer.renderers.count == 3)
    #expect(layer.timebase === synchronizer.timebase && frames.timebase === layer.timebase)
    let shown = Reported<Int?>()
    layer.setFrameHandler(queue: DispatchQueue(label: "screen")) {
      shown.add($0.map(CVPixelBufferGetWidth))
    }
    layer.enqueue(try frame(66, at(7)))
    synchronizer.setRate(0, time: at(7))
    #expect(try await holds { shown.values == [66] })
    #expect(await synchronizer.removeRenderer(layer, at: .invalid))
    #expect(await !synchronizer.removeRenderer(layer, at: .zero))
    #expect(layer.timebase !== synchronizer.timebase && layer.timebase.rate == 1)
    let removals = Reported<Bool>()
    synchronizer.removeRenderer(frames, at: at(9)) { removals.add($0) }
    try await Task.sleep(for: .milliseconds(50))
    #expect(synchronizer.renderers.count == 2 && removals.values.isEmpty)
    synchronizer.setRate(0, time: at(10))
    #expect(try await holds { removals.values == [true] })
    #expect(synchronizer.renderers.count == 1)
  }

  @Test func a_renderer_belongs_to_one_synchronizer_at_a_time() async {
    let other = AVSampleBufferRenderSynchronizer()
    let layer = AVSampleBufferDisplayLayer()
    synchronizer.addRenderer(layer)
    #expect(synchronizer.error == nil && other.error == nil)
    // A layer and its renderer count as the same renderer.
    for twice in [layer, layer.sampleBufferRenderer] as [any AVQueuedSampleBufferRendering] {
      other.addRenderer(twice)
      #expect(other.error?.code == .operationNotAllowed && other.renderers.isEmpty)
      synchronizer.addRenderer(twice)
      #expect(synchronizer.error?.message.contains("already") == true)
    }
    #expect(synchronizer.renderers.count == 1 && layer.timebase === synchronizer.timebase)
    #expect(await !other.removeRenderer(layer, at: .invalid))
    #expect(await synchronizer.removeRenderer(layer, at: .invalid))
    other.addRenderer(layer)
    #expect(other.error == nil && layer.timebase === other.timebase)
  }

  @Test func a_deallocated_synchronizer_releases_its_renderers() {
    let removals = Reported<Bool>()
    do {
      let short = AVSampleBufferRenderSynchronizer()
      short.addRenderer(renderer)
      short.removeRenderer(renderer, at: at(9)) { removals.add($0) }
      #expect(removals.values.isEmpty && renderer.timebase === short.timebase)
    }
    #expect(removals.values == [false] && renderer.timebase.rate == 1)
    synchronizer.addRenderer(renderer)
    #expect(synchronizer.error == nil && renderer.timebase === synchronizer.timebase)
  }

  @Test func a_later_removal_replaces_a_pending_one() async throws {
    synchronizer.addRenderer(renderer)
    let first = Reported<Bool>()
    let second = Reported<Bool>()
    let third = Reported<Bool>()
    synchronizer.removeRenderer(renderer, at: at(5)) { first.add($0) }
    synchronizer.removeRenderer(renderer, at: at(9)) { second.add($0) }
    #expect(first.values == [false] && second.values.isEmpty)
    synchronizer.setRate(0, time: at(7))
    try await Task.sleep(for: .milliseconds(50))
    #expect(second.values.isEmpty && synchronizer.renderers.count == 1)
    synchronizer.setRate(0, time: at(10))
    #expect(try await holds { second.values == [true] })
    #expect(synchronizer.renderers.isEmpty && first.values == [false])
    synchronizer.addRenderer(renderer)
    synchronizer.removeRenderer(renderer, at: at(20)) { first.add($0) }
    synchronizer.removeRenderer(renderer, at: .invalid) { third.add($0) }
    #expect(first.values == [false, false] && third.values == [true])
    synchronizer.removeRenderer(renderer, at: at(20)) { third.add($0) }
    #expect(third.values == [true, false])
  }

  @Test func time_observers_are_called() async throws {
    let periodic = Reported<CMTime>()
    let queue = DispatchQueue(label: "observers")
    let first = synchronizer.addPeriodicTimeObserver(forInterval: at(1), queue: queue) {
      periodic.add($0)
    }
    let boundary = Reported<Int>()
    let second = synchronizer.addBoundaryTimeObserver(
      forTimes: [NSValue(time: at(2)), NSValue(time: at(1000))], queue: queue
    ) { boundary.add(1) }
    try await Task.sleep(for: .milliseconds(50))
    #expect(periodic.values.isEmpty)
    synchronizer.rate = 10
    #expect(try await holds { periodic.values.count >= 3 })
    #expect(try await holds { boundary.values.count == 1 })
    synchronizer.removeTimeObserver(first)
    synchronizer.removeTimeObserver(second)
    let count = periodic.values.count
    try await Task.sleep(for: .milliseconds(250))
    #expect(periodic.values.count <= count + 1)
  }

  @Test func rate_changes_are_posted() async throws {
    let posted = Reported<Int>()
    let token = NotificationCenter.default.addObserver(
      forName: AVSampleBufferRenderSynchronizer.rateDidChangeNotification, object: synchronizer,
      queue: nil
    ) { _ in posted.add(1) }
    defer { NotificationCenter.default.removeObserver(token) }
    synchronizer.setRate(2, time: .zero)
    synchronizer.setRate(2, time: at(5))
    #expect(posted.values.count == 1 && synchronizer.currentTime() >= at(5))
    let now = CMClockGetTime(CMClockGetHostTimeClock())
    synchronizer.setRate(1, time: at(50), atHostTime: now - at(10))
    #expect(posted.values.count == 2 && synchronizer.currentTime() >= at(60))
    synchronizer.delaysRateChangeUntilHasSufficientMediaData = true
    #expect(!synchronizer.delaysRateChangeUntilHasSufficientMediaData)
  }
}
