// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

/// Consecutive packets of compressed audio.
public final class AVAudioCompressedBuffer: AVAudioBuffer {
  /// The most packets in the buffer.
  public let packetCapacity: AVAudioPacketCount
  /// The size of the largest packet in bytes.
  public let maximumPacketSize: Int
  /// The size of the buffer in bytes.
  public let byteCapacity: UInt32
  /// The packets. The pointer is valid as long as the buffer.
  public let data: UnsafeMutableRawPointer
  /// The range of each packet. The pointer is valid as long as the buffer.
  public let packetDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  /// The number of packets, 0 at first. Limited to ``packetCapacity``.
  public var packetCount: AVAudioPacketCount = 0 {
    didSet { packetCount = min(packetCount, packetCapacity) }
  }

  /// A buffer without packets.
  ///
  /// - Parameters:
  ///   - format: AAC or Apple Lossless; a buffer of another format has no capacity.
  ///   - packetCapacity: The most packets; reduced if they and their descriptions would take more than 1 GiB.
  ///   - maximumPacketSize: The size of the largest packet in bytes, above 0; see
  ///     ``AVAudioConverter/maximumOutputPacketSize``.
  public init(
    format: AVAudioFormat, packetCapacity: AVAudioPacketCount, maximumPacketSize: Int
  ) {
    let size = min(max(maximumPacketSize, 1), 1 << 20)
    let isCompressed = format.compression != nil
    let share = size + MemoryLayout<AudioStreamPacketDescription>.stride
    let count = isCompressed ? min(Int(packetCapacity), (1 << 30) / share) : 0
    (self.packetCapacity, self.maximumPacketSize) = (AVAudioPacketCount(count), size)
    byteCapacity = UInt32(count * size)
    data = .allocate(byteCount: max(count * size, 1), alignment: 16)
    data.initializeMemory(as: UInt8.self, repeating: 0, count: max(count * size, 1))
    let places = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(
      capacity: max(count, 1))
    places.initialize(
      repeating: AudioStreamPacketDescription(
        mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 0),
      count: max(count, 1))
    packetDescriptions = places
    let list = AudioBufferList.allocate(maximumBuffers: 1)
    list[0].mData = data
    list[0].mNumberChannels = format.channelCount
    list[0].mDataByteSize = 0
    super.init(format, list.unsafeMutablePointer)
  }

  /// A buffer with room for an encoder's largest packets.
  public convenience init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount) {
    self.init(
      format: format, packetCapacity: packetCapacity,
      maximumPacketSize: format.largestPacket)
  }

  deinit {
    data.deallocate()
    packetDescriptions?.deallocate()
    free(mutableAudioBufferList)
  }

  /// The number of bytes used. Limited to ``byteCapacity``.
  public var byteLength: UInt32 {
    get { mutableAudioBufferList.pointee.mBuffers.mDataByteSize }
    set { mutableAudioBufferList.pointee.mBuffers.mDataByteSize = min(newValue, byteCapacity) }
  }

  /// The packets' bytes; nil if a description exceeds the used bytes.
  var packets: [[UInt8]]? {
    guard let packetDescriptions else { return nil }
    var packets: [[UInt8]] = []
    for index in 0..<Int(packetCount) {
      let place = packetDescriptions[index]
      let (start, count) = (Int(clamping: place.mStartOffset), Int(place.mDataByteSize))
      guard start >= 0, count > 0, start <= Int(byteLength), count <= Int(byteLength) - start
      else { return nil }
      packets.append(
        Array(UnsafeRawBufferPointer(start: data + start, count: count)))
    }
    return packets
  }

  /// Fills the buffer with as many packets as fit.
  ///
  /// - Returns: Their number; nil if a packet exceeds the buffer's largest packet size.
  func fill(_ packets: [[UInt8]]) -> Int? {
    (packetCount, byteLength) = (0, 0)
    let taken = packets.prefix(Int(packetCapacity))
    guard taken.allSatisfy({ $0.count <= maximumPacketSize }) else { return nil }
    var place = 0
    for (index, packet) in taken.enumerated() {
      packet.withUnsafeBytes { bytes in
        if let base = bytes.baseAddress {
          (data + place).copyMemory(from: base, byteCount: bytes.count)
        }
      }
      packetDescriptions?[index] = AudioStreamPacketDescription(
        mStartOffset: Int64(place), mVariableFramesInPacket: 0,
        mDataByteSize: UInt32(packet.count))
      place += packet.count
    }
    (packetCount, byteLength) = (AVAudioPacketCount(taken.count), UInt32(place))
    return taken.count
  }
}
