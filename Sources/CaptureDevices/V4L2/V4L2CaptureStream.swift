import CVideo4Linux
import Dispatch
package import MediaCore
import Synchronization
import SystemPackage

/// A V4L2 device that was taken.
package final class V4L2CaptureStream: CaptureStream {
  let handle: V4L2Handle
  let agreement: V4L2Agreement
  let queue: V4L2BufferQueue
  let options: V4L2StreamOptions
  /// The number of frames that buffers were requested for.
  let frameCount: Int
  let control: V4L2StreamControl
  /// Called on the stream's thread where the device is gone, before the stream's handler hears of it.
  let whenGone: @Sendable () -> Void
  private let threads: ThreadOptions
  private let lifecycle = Mutex(Lifecycle())

  private struct Lifecycle {
    var hasStarted = false
    var hasStopped = false
    var thread: MediaThread?
  }

  /// What the device agreed to deliver.
  package var formatDescription: FormatDescription { .video(agreement.description.format) }
  /// The rate that the device agreed to; nil where it does not say.
  package var frameRate: FrameRate? { agreement.frameRate }
  /// HDR10 metadata of an HDMI receiver.
  package let metadata: CaptureStreamMetadata
  /// What the stream has done so far.
  package var statistics: V4L2CaptureStatistics { control.counters.withLock { $0 } }
  /// The input in use, where the device has inputs.
  package var input: V4L2Input? { agreement.input }
  /// The signal that the device is set to, where it has one.
  package var timings: V4L2Timings? { agreement.timings }

  init(
    _ handle: V4L2Handle, agreement: V4L2Agreement, bufferCount: Int, options: V4L2StreamOptions,
    threads: ThreadOptions, whenGone: @escaping @Sendable () -> Void = {}
  ) throws(CaptureError) {
    self.handle = handle
    self.whenGone = whenGone
    self.agreement = agreement
    self.options = options
    self.threads = threads
    self.metadata = try handle.highRangeMetadata(of: agreement.description.format.color)
    self.frameCount = bufferCount
    // With one field per buffer, each frame takes two.
    let bufferCount = agreement.assembly == .woven ? bufferCount * 2 : bufferCount
    // A compressed frame has no fixed size: the device's is the most it takes.
    let sizes = agreement.frame.blocks.indices.map {
      agreement.layout?.leastBytes(ofBlock: $0) ?? agreement.frame.blocks[$0].size
    }
    guard sizes.count <= 4, !sizes.isEmpty else {
      throw CaptureError(
        .formatUnavailable,
        "\(handle.node) delivers frames in \(sizes.count) planes, which is unsupported; choose another of the device's formats"
      )
    }
    self.queue = try V4L2BufferQueue(
      handle, type: agreement.frame.type, count: bufferCount, sizes: sizes)
    do throws(CaptureError) {
      self.control = try V4L2StreamControl(handle)
    } catch {
      queue.stop()
      throw error
    }
  }

  deinit { stop() }

  /// Starts delivery. A stream starts once.
  ///
  /// - Throws: ``CaptureError/Code/invalidState`` where it was started before, and the device's errors.
  package func start(_ handler: @escaping @Sendable (CaptureEvent) -> Void) throws(CaptureError) {
    let mayStart = lifecycle.withLock { state in
      defer { state.hasStarted = true }
      return !state.hasStarted && !state.hasStopped
    }
    guard mayStart else {
      throw CaptureError(
        .invalidState, "the stream of \(handle.node) has already run; open another one")
    }
    let pump = try V4L2StreamPump(self, handler: handler)
    do {
      try queue.start()
    } catch {
      queue.stop()
      throw error
    }
    let handover = Handover(pump)
    do throws(CaptureError) {
      try lifecycle.withLock { state throws(CaptureError) in
        state.thread = try .capture(name: "v4l2-capture", options: threads) {
          // Taken out: once `stop` returns, no thread holds on to the device.
          handover.take()?.run()
        }
      }
    } catch {
      queue.stop()
      throw error
    }
  }

  /// Ends delivery and releases the device. Frames that are still held keep their memory.
  package func stop() {
    control.stop()
    let thread = lifecycle.withLock { state in
      state.hasStopped = true
      return state.thread
    }
    // From inside the handler there is nothing to wait for: the thread ends when it returns.
    thread?.join()
    queue.stop()
  }
}

/// What a stream and its thread share.
final class V4L2StreamControl: Sendable {
  let counters = Mutex(V4L2CaptureStatistics())
  let wakeup: Int32
  private let flag = Atomic<Bool>(false)
  private let calls: any V4L2SystemCalls

  init(_ handle: V4L2Handle) throws(CaptureError) {
    self.calls = handle.calls
    do {
      self.wakeup = try handle.calls.makeWakeup()
    } catch {
      throw CaptureError(
        .deviceFailed, "no event descriptor for \(handle.node): \(error)", errno: error)
    }
  }

  deinit { calls.close(wakeup) }

  var isStopped: Bool { flag.load(ordering: .acquiring) }

  func stop() {
    flag.store(true, ordering: .releasing)
    calls.signal(wakeup)
  }
}

/// How a stream watches its device.
struct V4L2StreamOptions: Sendable {
  /// Milliseconds between two looks at the input's signal.
  var signalInterval: Int64 = 500
  /// Milliseconds without a frame, with a signal, after which the device counts as stalled.
  var stallTimeout: Int64 = 5000
  /// Makes the converter of a compressed or odd format.
  var converter:
    @Sendable (V4L2Handle, V4L2FrameFormat, V4L2Emulation) throws(CaptureError) ->
      any V4L2Converter =
      { (handle, frame, emulation) throws(CaptureError) in
        try LibV4LConverter(handle, agreed: frame, emulation: emulation)
      }
}
