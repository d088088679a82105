// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore
public import VideoRecorder

/// Takes samples from devices to outputs.
public typealias AVCaptureSession = CaptureSession
/// A device as an input of a session; there is no other input.
public typealias AVCaptureInput = CaptureDeviceInput
/// A device as an input of a session.
public typealias AVCaptureDeviceInput = CaptureDeviceInput
/// A consumer of a session's samples.
public typealias AVCaptureOutput = any CaptureOutput
/// An output that records into a file.
public typealias AVCaptureFileOutput = any CaptureFileOutput
/// The way from an input's port to an output.
public typealias AVCaptureConnection = CaptureConnection
/// What a track, a port or a connection carries.
public typealias AVMediaType = MediaType
/// A container that a movie can be written to.
public typealias AVFileType = FileType
/// A codec.
public typealias AVVideoCodecType = VideoCodecType

extension CaptureDeviceInput {
  /// One stream of media that an input delivers.
  public typealias Port = CaptureInputPort

  /// An input from a device.
  ///
  /// - Throws: ``AVError``: the device is gone, or offers nothing.
  public convenience init(device: AVCaptureDevice) throws {
    do throws(CaptureError) { try self.init(device) } catch { throw AVError(error) }
  }
}

extension CaptureConnection {
  /// A connection from a port to an output, for `addConnection`.
  ///
  /// - Throws: ``AVError`` unless there is exactly one port: an output here takes one a connection.
  public convenience init(
    inputPorts: [CaptureInputPort], output: any CaptureOutput
  ) throws(AVError) {
    guard let port = inputPorts.first, inputPorts.count == 1 else {
      throw AVError(
        CaptureError(
          .invalidArgument,
          "a connection has one input port, not \(inputPorts.count); make one for each port"))
    }
    self.init(inputPort: port, output: output)
  }
}

extension VideoCodecType {
  /// HEVC: for photos alone.
  public static let hevc = VideoCodecType(rawValue: "hvc1")
  /// JPEG: for photos alone.
  public static let jpeg = VideoCodecType(rawValue: "jpeg")
  /// H.264: not made here. Settings with it are refused.
  public static let h264 = VideoCodecType(rawValue: "avc1")
  /// HEVC with alpha: not made here. Settings with it are refused.
  public static let hevcWithAlpha = VideoCodecType(rawValue: "muxa")
}

/// H.264, by its older name: see `AVVideoCodecType.h264`.
public let AVVideoCodecH264 = VideoCodecType.h264.rawValue
/// HEVC, by its older name: for photos alone.
public let AVVideoCodecHEVC = VideoCodecType.hevc.rawValue
/// JPEG, by its older name: for photos alone.
public let AVVideoCodecJPEG = VideoCodecType.jpeg.rawValue

/// True for the same output.
public func == (lhs: any CaptureOutput, rhs: any CaptureOutput) -> Bool { lhs === rhs }
/// True for different outputs.
public func != (lhs: any CaptureOutput, rhs: any CaptureOutput) -> Bool { lhs !== rhs }
