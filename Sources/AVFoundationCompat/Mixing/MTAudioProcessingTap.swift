// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A callback that changes a track's audio during mixing. It cannot be created: mixes support only volumes.
public final class MTAudioProcessingTap: Sendable {
  private init() {}
}

/// When a tap processes audio.
public typealias MTAudioProcessingTapCreationFlags = UInt32
/// State of a tap's audio.
public typealias MTAudioProcessingTapFlags = UInt32

/// The tap gets the audio as stored.
public let kMTAudioProcessingTapCreationFlag_PreEffects: MTAudioProcessingTapCreationFlags = 1
/// The tap gets the audio after the volumes are applied.
public let kMTAudioProcessingTapCreationFlag_PostEffects: MTAudioProcessingTapCreationFlags = 2
/// The track's first audio.
public let kMTAudioProcessingTapFlag_StartOfStream: MTAudioProcessingTapFlags = 256
/// The track's last audio.
public let kMTAudioProcessingTapFlag_EndOfStream: MTAudioProcessingTapFlags = 512
/// The only version of callbacks.
public let kMTAudioProcessingTapCallbacksVersion_0 = 0

/// Not implemented.
public let kAudio_UnimplementedError: OSStatus = -4

/// Called with the client's info and a pointer to the tap's storage. A Swift function rather than a C one.
public typealias MTAudioProcessingTapInitCallback = (
  MTAudioProcessingTap, UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>
) -> Void
/// Called when the tap is released.
public typealias MTAudioProcessingTapFinalizeCallback = (MTAudioProcessingTap) -> Void
/// Called with the largest number of frames and their format.
public typealias MTAudioProcessingTapPrepareCallback = (
  MTAudioProcessingTap, CMItemCount, UnsafePointer<AudioStreamBasicDescription>
) -> Void
/// Called after the last audio.
public typealias MTAudioProcessingTapUnprepareCallback = (MTAudioProcessingTap) -> Void
/// Fills buffers with processed audio.
public typealias MTAudioProcessingTapProcessCallback = (
  MTAudioProcessingTap, CMItemCount, MTAudioProcessingTapFlags,
  UnsafeMutablePointer<AudioBufferList>, UnsafeMutablePointer<CMItemCount>,
  UnsafeMutablePointer<MTAudioProcessingTapFlags>
) -> Void

/// The callbacks of a tap.
public struct MTAudioProcessingTapCallbacks {
  /// ``kMTAudioProcessingTapCallbacksVersion_0``.
  public var version: Int
  /// Passed to ``init``.
  public var clientInfo: UnsafeMutableRawPointer?
  /// Called first.
  public var `init`: MTAudioProcessingTapInitCallback?
  /// Called last.
  public var finalize: MTAudioProcessingTapFinalizeCallback?
  /// Called before processing.
  public var prepare: MTAudioProcessingTapPrepareCallback?
  /// Called after processing.
  public var unprepare: MTAudioProcessingTapUnprepareCallback?
  /// Called to process audio.
  public var process: MTAudioProcessingTapProcessCallback

  public init(
    version: Int, clientInfo: UnsafeMutableRawPointer?, `init`: MTAudioProcessingTapInitCallback?,
    finalize: MTAudioProcessingTapFinalizeCallback?,
    prepare: MTAudioProcessingTapPrepareCallback?,
    unprepare: MTAudioProcessingTapUnprepareCallback?,
    process: @escaping MTAudioProcessingTapProcessCallback
  ) {
    self.version = version
    self.clientInfo = clientInfo
    self.`init` = `init`
    self.finalize = finalize
    self.prepare = prepare
    self.unprepare = unprepare
    self.process = process
  }
}

/// Always fails: mixes support only volumes.
///
/// - Returns: ``kAudio_UnimplementedError``; the tap is nil.
@discardableResult
public func MTAudioProcessingTapCreate(
  _ allocator: CFAllocator?, _ callbacks: UnsafePointer<MTAudioProcessingTapCallbacks>,
  _ flags: MTAudioProcessingTapCreationFlags,
  _ tapOut: UnsafeMutablePointer<MTAudioProcessingTap?>
) -> OSStatus {
  tapOut.pointee = nil
  return kAudio_UnimplementedError
}

/// Same, for code written for older systems.
@discardableResult
public func MTAudioProcessingTapCreate(
  _ allocator: CFAllocator?, _ callbacks: UnsafePointer<MTAudioProcessingTapCallbacks>,
  _ flags: MTAudioProcessingTapCreationFlags,
  _ tapOut: UnsafeMutablePointer<Unmanaged<MTAudioProcessingTap>?>
) -> OSStatus {
  tapOut.pointee = nil
  return kAudio_UnimplementedError
}

/// A tap's storage. Never called, because there are no taps.
public func MTAudioProcessingTapGetStorage(
  _ tap: MTAudioProcessingTap
) -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(Unmanaged.passUnretained(tap).toOpaque()) }

/// The audio before the tap. Never called, because there are no taps.
///
/// - Returns: ``kAudio_UnimplementedError``.
@discardableResult
public func MTAudioProcessingTapGetSourceAudio(
  _ tap: MTAudioProcessingTap, _ numberFrames: CMItemCount,
  _ bufferListInOut: UnsafeMutablePointer<AudioBufferList>,
  _ flagsOut: UnsafeMutablePointer<MTAudioProcessingTapFlags>?,
  _ timeRangeOut: UnsafeMutablePointer<CMTimeRange>?,
  _ numberFramesOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus { kAudio_UnimplementedError }
