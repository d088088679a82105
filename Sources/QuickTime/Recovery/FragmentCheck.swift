import MediaCore

/// Decides whether the media of a fragment reached the disk.
///
/// After a power cut a file may have its full size, but zeros instead of data that had not been written.
/// ProRes frames begin with their size and `icpf`, and never contain a page of zeros. A page with only the last few
/// bytes of a frame proves nothing, because those may be zeros and silence may follow them. After a
/// frame that begins on a page boundary there is nonzero padding.
struct FragmentCheck {
  let scan: MovieScan
  let source: any MovieByteSource
  /// The smallest unit that a disk leaves out.
  private static let page: UInt64 = 4096
  /// Bytes of a frame that are surely not all zero.
  private static let least: UInt64 = 64

  /// True where each ProRes frame at `start` or beyond looks whole, and no two of them share bytes:
  /// so no byte is read twice, whatever the table says.
  func isWhole(from start: UInt64) throws(QuickTimeError) -> Bool {
    for track in scan.movie.tracks where isProRes(track) {
      var index = track.samples.count - 1
      var next = UInt64.max
      while let sample = track.samples[index], sample.offset >= start {
        guard sample.size >= 8, sample.offset + UInt64(sample.size) <= next,
          try isWhole(sample)
        else { return false }
        next = sample.offset
        index -= 1
      }
    }
    return true
  }

  private func isProRes(_ track: TrackRecord) -> Bool {
    guard track.handler == "vide", track.sampleEntry.count >= 8 else { return false }
    let type = String(decoding: track.sampleEntry[4..<8], as: UTF8.self)
    return VideoCodecType(rawValue: type).isProRes
  }

  private func isWhole(_ sample: SampleTable.Sample) throws(QuickTimeError) -> Bool {
    let header = try source.bytes(at: sample.offset, count: 8)
    guard header.count == 8, header.suffix(4).elementsEqual("icpf".utf8),
      header.prefix(4).reduce(0, { $0 << 8 | UInt32($1) }) == sample.size
    else { return false }
    var offset = (sample.offset + Self.page - 1) & ~(Self.page - 1)
    let end = sample.offset + UInt64(sample.size)
    let least = sample.offset % Self.page == 0 ? 1 : Self.least
    while offset + least <= end {
      let pages = (end - offset + Self.page - least) / Self.page
      let count = min(pages, 256) * Self.page
      let bytes = try source.bytes(at: offset, count: Int(count))
      // The file may end in the last page.
      guard bytes.count >= min(count, end - offset), !hasEmptyPage(bytes) else { return false }
      offset += count
    }
    return true
  }

  private func hasEmptyPage(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      stride(from: 0, to: buffer.count, by: Int(Self.page)).contains { page in
        let end = min(page + Int(Self.page), buffer.count)
        let words = page + (end - page) / 8 * 8
        return stride(from: page, to: words, by: 8).allSatisfy {
          buffer.loadUnaligned(fromByteOffset: $0, as: UInt64.self) == 0
        } && buffer[words..<end].allSatisfy { $0 == 0 }
      }
    }
  }
}
