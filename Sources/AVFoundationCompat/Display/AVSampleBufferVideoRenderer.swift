public import Dispatch
import Foundation
public import MediaCore
import Synchronization

/// Hands pictures, each when its time has come, to the program that draws them: there is no window server here to do it.
///
/// ```swift
/// renderer.setPictureHandler(queue: .main) { picture in
///   if let picture { window.draw(picture) } else { window.clear() }
/// }
/// ```
///
/// A sample's time is ``MediaCore/SampleBuffer/outputPresentationTimeStamp``, on ``timebase``. One with
/// ``kCMSampleAttachmentKey_DisplayImmediately`` is shown at once, in place of all that wait; one with
/// ``kCMSampleAttachmentKey_DoNotDisplay`` is decoded alone. Compressed pictures are decoded when they are
/// handed over; one that is shown after others to come waits for these.
///
/// Of several pictures whose time has come the last is shown, and while a handler is at work none is: what is left
/// out so is counted in ``droppedPictureCount``.
public final class AVSampleBufferVideoRenderer: AVQueuedSampleBufferRendering, Sendable {
  /// Pictures that wait before no more are asked for.
  static let capacity = 8
  /// Seconds: a timeline may be set anew, and an earlier picture come, at any time.
  private static let longestWait = 0.01

  /// What programs gave (pictures, blocks) is let go outside of the lock: its end may call the renderer.
  private struct State: Sendable {
    var control: CMTimebase?
    var schedule = PictureSchedule()
    var displayed: CVPixelBuffer?
    var droppedPictureCount = 0
    /// Samples that are not decoded yet.
    var arrivingCount = 0
    /// With each flush, so that what is decoded after it is known to be from before.
    var flushCount = 0
    var status = AVQueuedSampleBufferRenderingStatus.unknown
    var error: AVError?
    var decoder: VTDecompressionSession?
    var drawer: Drawer?
    /// True while a handler draws.
    var isDrawing = false
    /// True while a look at the time is to come.
    var isTimed = false

    var waitingCount: Int { arrivingCount + schedule.count }
  }

  private struct Drawer: Sendable {
    let queue: DispatchQueue
    let draw: @Sendable (CVPixelBuffer?) -> Void
  }

  private let state = Mutex(State())
  private let requests = MediaDataRequests()
  let claim = TimelineClaim()
  /// Decodes, and looks at the time.
  private let queue = DispatchQueue(label: "display", qos: .userInteractive)
  private let hostTimebase = CMTimebase.ofHost()

  /// A renderer without samples.
  public init() {}

  // MARK: Time

  /// The timeline of ``controlTimebase``, else the host's clock.
  public var timebase: CMTimebase { controlTimebase ?? hostTimebase }

  /// The timeline that the program gave; nil for the host's clock.
  var controlTimebase: CMTimebase? {
    get { state.withLock { $0.control } }
    set {
      state.withLock { $0.control = newValue }
      queue.async { self.showWhatIsDue() }
    }
  }

  // MARK: State

  /// How it is getting on. A flush ends a failure.
  public var status: AVQueuedSampleBufferRenderingStatus { state.withLock { $0.status } }
  /// Why a sample could not be shown, an ``AVError``; nil if none failed.
  public var error: (any Error)? { state.withLock { $0.error } }
  /// False: no system takes a decoder away here.
  public var requiresFlushToResumeDecoding: Bool { false }
  /// True while fewer than eight pictures wait; false from a failure to the next flush, as nothing is taken.
  public var isReadyForMoreMediaData: Bool {
    state.withLock { $0.status != .failed && $0.waitingCount < Self.capacity }
  }
  /// True if a picture waits, or is shown.
  public var hasSufficientMediaDataForReliablePlaybackStart: Bool {
    state.withLock { $0.schedule.count > 0 || $0.displayed != nil }
  }
  /// Pictures that were not shown, for a later one's time had come or the drawer was at work. Apple's has no such number.
  public var droppedPictureCount: Int { state.withLock { $0.droppedPictureCount } }

  /// The picture that is shown; nil for none.
  public func copyDisplayedPixelBuffer() -> CVPixelBuffer? { state.withLock { $0.displayed } }

  // MARK: Samples

  /// Hands a picture over, uncompressed, or compressed in the order of decoding.
  ///
  /// A sample of something else is a failure, as a picture is that does not decode: ``error`` says why, and nothing
  /// more is taken until a flush.
  public func enqueue(_ sampleBuffer: CMSampleBuffer) {
    let notes = sampleBuffer.sampleAttachments[0]
    let entry = PictureSchedule.Entry(
      time: sampleBuffer.outputPresentationTimeStamp,
      isImmediate: notes[.displayImmediately] as? Bool == true,
      isHidden: notes[.doNotDisplay] as? Bool == true)
    let flushCount: Int? = state.withLock { state in
      guard state.status != .failed else { return nil }
      state.status = .rendering
      state.arrivingCount += 1
      return state.flushCount
    }
    guard let flushCount else { return }
    queue.async {
      self.take(sampleBuffer, entry, flushCount)
      self.state.withLock { $0.arrivingCount -= 1 }
      self.showWhatIsDue()
    }
  }

  private func take(
    _ sample: CMSampleBuffer, _ entry: PictureSchedule.Entry, _ flushCount: Int
  ) {
    guard state.withLock({ $0.flushCount == flushCount && $0.status != .failed }) else { return }
    guard let format = sample.compressedPicture.map({ CMFormatDescription.video($0.format) }) else {
      guard let picture = sample.imageBuffer else {
        return fail(
          AVError(.invalidSourceMedia, "the sample holds no picture to show"), flushCount)
      }
      return add(picture, entry, flushCount)
    }
    guard let decoder = decoder(for: format, flushCount) else {
      return fail(AVError(.decodeFailed, "no decoder for \(format.mediaSubType)"), flushCount)
    }
    // The decoder keeps the handler for as long as it holds the picture back: it may not keep the decoder.
    VTDecompressionSessionDecodeFrame(
      decoder, sampleBuffer: sample, flags: entry.isHidden ? ._DoNotOutputFrame : [],
      infoFlagsOut: nil
    ) { [weak self] _, _, picture, _, _ in
      if let picture { self?.add(picture, entry, flushCount) }
    }
    if let error = decoder.error {
      fail(AVError(.decodeFailed, "a picture does not decode", underlyingError: error), flushCount)
    }
  }

  private func decoder(
    for format: CMFormatDescription, _ flushCount: Int
  ) -> VTDecompressionSession? {
    if let present = state.withLock({ $0.decoder }) {
      if VTDecompressionSessionCanAcceptFormatDescription(present, formatDescription: format) {
        return present
      }
      // The last pictures of the other format may wait in it for their turn.
      VTDecompressionSessionFinishDelayedFrames(present)
    }
    var made: VTDecompressionSession?
    VTDecompressionSessionCreate(
      allocator: nil, formatDescription: format, decoderSpecification: nil,
      imageBufferAttributes: nil, outputCallback: nil, decompressionSessionOut: &made)
    let session = made
    state.withLock { if $0.flushCount == flushCount { $0.decoder = session } }
    return session
  }

  private func add(_ picture: CVPixelBuffer, _ entry: PictureSchedule.Entry, _ flushCount: Int) {
    guard !entry.isHidden else { return }
    _ = state.withLock { state -> [CVPixelBuffer] in
      guard state.flushCount == flushCount else { return [] }
      let replaced = state.schedule.add(picture, entry)
      state.droppedPictureCount += replaced.count
      return replaced
    }
  }

  /// Ends until a flush; nothing if there was one since the sample came.
  private func fail(_ error: AVError, _ flushCount: Int) {
    let isNew = state.withLock { state in
      guard state.flushCount == flushCount else { return false }
      (state.status, state.error, state.decoder) = (.failed, error, nil)
      return true
    }
    if isNew { failureHandler.withLock { $0 }?(error) }
  }

  /// Told of each failure.
  let failureHandler = Mutex<(@Sendable (AVError) -> Void)?>(nil)

  // MARK: Showing

  /// Has each picture handed to a function on a serial queue when its time has come, and nil when none is to be seen
  /// any more; nil for no more calls. Apple's has no such function.
  public func setPictureHandler(
    queue: DispatchQueue, _ handler: (@Sendable (_ picture: CVPixelBuffer?) -> Void)?
  ) {
    let drawer = handler.map { Drawer(queue: queue, draw: $0) }
    _ = state.withLock { state in
      defer { state.drawer = drawer }
      return state.drawer
    }
  }

  /// Shows the picture whose time has come, and sees to the next look at the time.
  private func showWhatIsDue() {
    let now = timebase.time
    let rate = timebase.rate
    let look = state.withLock { state -> (wait: Double?, gone: [CVPixelBuffer?]) in
      guard !state.isDrawing else { return (nil, []) }
      var gone: [CVPixelBuffer?] = []
      if let due = state.schedule.takeDue(at: now) {
        state.droppedPictureCount += due.passedOver.count
        gone = due.passedOver + [state.displayed]
        state.displayed = due.picture
        draw(due.picture, &state)
      }
      guard !state.isDrawing, !state.isTimed, let next = state.schedule.firstTime else {
        return (nil, gone)
      }
      state.isTimed = true
      let seconds = rate > 0 ? (next - now).seconds / rate : Self.longestWait
      return (min(max(seconds, 0.001), Self.longestWait), gone)
    }
    if let wait = look.wait {
      queue.asyncAfter(deadline: .now() + wait) { [weak self] in
        self?.state.withLock { $0.isTimed = false }
        self?.showWhatIsDue()
      }
    }
    askForMore()
  }

  private func draw(_ picture: CVPixelBuffer?, _ state: inout State) {
    guard let drawer = state.drawer else { return }
    state.isDrawing = true
    drawer.queue.async { [weak self] in
      drawer.draw(picture)
      guard let self else { return }
      self.state.withLock { $0.isDrawing = false }
      self.queue.async { [weak self] in self?.showWhatIsDue() }
    }
  }

  // MARK: Flushing

  /// Forgets the samples that wait, and a failure; the picture that is shown stays.
  public func flush() {
    _ = state.withLock { state in
      defer { (state.schedule, state.decoder) = (PictureSchedule(), nil) }
      state.flushCount += 1
      (state.status, state.error) = (.unknown, nil)
      return (state.schedule, state.decoder)
    }
    queue.async { self.askForMore() }
  }

  /// Forgets the samples that wait, and a failure.
  ///
  /// - Parameters:
  ///   - removesDisplayedImage: True to show no picture any more: the drawer is given nil.
  ///   - handler: Called when it is done.
  public func flush(
    removingDisplayedImage removesDisplayedImage: Bool,
    completionHandler handler: (@Sendable () -> Void)? = nil
  ) {
    flush()
    queue.async {
      if removesDisplayedImage {
        _ = self.state.withLock { state in
          defer { state.displayed = nil }
          let drawer = state.drawer
          drawer?.queue.async { drawer?.draw(nil) }
          return state.displayed
        }
      }
      handler?()
    }
  }

  // MARK: Asking for samples

  /// Calls `block` on a queue whenever ``isReadyForMoreMediaData`` is true, until ``stopRequestingMediaData()``. One
  /// that returns before that is called again, after a few milliseconds.
  public func requestMediaDataWhenReady(
    on queue: DispatchQueue, using block: @escaping @Sendable () -> Void
  ) {
    requests.begin(on: queue, block)
    askForMore()
  }

  /// Ends the calls.
  public func stopRequestingMediaData() { requests.end() }

  private func askForMore() {
    requests.ask(again: queue) { [weak self] in self?.isReadyForMoreMediaData == true }
  }
}
