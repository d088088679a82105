// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore
public import VideoRecorder

/// Takes samples from devices to outputs.
public typealias AVCaptureSession = CaptureSession
/// What a session takes samples from: devices alone.
public typealias AVCaptureInput = CaptureInput
/// A device as an input of a session.
public typealias AVCaptureDeviceInput = CaptureDeviceInput
/// A consumer of a session's samples.
public typealias AVCaptureOutput = CaptureOutput
/// An output that records into a file.
public typealias AVCaptureFileOutput = CaptureFileOutput
/// The way from an input's port to an output.
public typealias AVCaptureConnection = CaptureConnection
/// What a track, a port or a connection carries.
public typealias AVMediaType = MediaType
/// A codec.
public typealias AVVideoCodecType = VideoCodecType

extension MediaType {
  /// A type from its characters.
  public init(_ rawValue: String) { self.init(rawValue: rawValue) }
}

extension CaptureInput {
  /// One stream of media that an input delivers.
  public typealias Port = CaptureInputPort
}

extension CaptureInputPort {
  /// The clock that the samples' times are on.
  public var clock: CMClock? { .hostTimeClock }
}

extension CaptureSession {
  /// The clock that the samples' times are on; nil before there is an input.
  public var synchronizationClock: CMClock? { inputs.isEmpty ? nil : .hostTimeClock }
  /// As ``synchronizationClock``, by its older name.
  public var masterClock: CMClock? { synchronizationClock }
}

extension CaptureDeviceInput {
  /// An input from a device.
  ///
  /// - Throws: ``AVError``: the device is gone, or offers nothing.
  public convenience init(device: AVCaptureDevice) throws {
    do throws(CaptureError) { try self.init(device) } catch { throw AVError(error) }
  }
}

extension CaptureConnection {
  /// A connection from a port to an output, for `addConnection`. A session refuses one of no port or of
  /// several: an output here takes one a connection.
  public convenience init(inputPorts: [AVCaptureInput.Port], output: AVCaptureOutput) {
    self.init(ports: inputPorts, to: output)
  }
}

extension VideoCodecType {
  /// JPEG: for photos alone.
  public static let jpeg = VideoCodecType(rawValue: "jpeg")
  /// HEVC with alpha: not made here. Settings with it are refused.
  public static let hevcWithAlpha = VideoCodecType(rawValue: "muxa")
}

/// H.264, by its older name: see `AVVideoCodecType.h264`.
public let AVVideoCodecH264 = VideoCodecType.h264.rawValue
/// HEVC, by its older name: see `AVVideoCodecType.hevc`.
public let AVVideoCodecHEVC = VideoCodecType.hevc.rawValue
/// JPEG, by its older name: for photos alone.
public let AVVideoCodecJPEG = VideoCodecType.jpeg.rawValue
