import AssetReader
import MediaCore
import QuickTime
import RecorderControl
import Synchronization
import TakeReports

/// Takes during their recording, read frame by frame from the growing movie. Recorders are not involved: the
/// file is opened for reading, and what was added since the last time is read.
final class RunningTakes: Sendable {
  /// The state of a take.
  struct Document: Encodable {
    /// The name that the take will have in addresses.
    var id: String
    /// Its number in the recorder's session.
    var number: Int
    /// The take's name: its first movie's.
    var path: String
    /// The movie that is being written. Frames are counted in this movie.
    var movie: String
    var frameCount: Int
    /// Seconds.
    var duration: Double
    var frameRate: String?
    /// Of the take's first frame.
    var startTimecode: String?
  }

  private let images: TakeImages
  /// The movies that were looked at last, by channel.
  private let movies = Mutex<[String: GrowingMovie]>([:])

  init(images: TakeImages) { self.images = images }

  /// The state of a channel's present take.
  ///
  /// - Throws: ``ServiceError/Code/notFound`` if none is recorded, or its movie cannot be read yet;
  ///   ``ServiceError/Code/tooFast``.
  func document(of channel: RecorderChannel) async throws(ServiceError) -> Document {
    let (recorder, take, path) = try running(channel)
    let movie = try await images.work(on: path) { [self] () throws(QuickTimeError) in
      try look(at: path, of: channel.name)
    }
    return Document(
      id: TakeRecord.id(ofTake: take.number, of: recorder), number: take.number,
      path: take.path.lastPathPart, movie: path.lastPathPart, frameCount: movie.frameCount,
      duration: movie.duration, frameRate: movie.frameRate?.fraction,
      startTimecode: recorder.progress?.startTimecode)
  }

  /// A frame of the movie that a channel is writing, as JPEG.
  ///
  /// - Parameters:
  ///   - number: Its number in the movie, from 0.
  ///   - side: The longest side of the image in pixels.
  /// - Throws: ``ServiceError/Code/notFound`` if there is no such frame yet; ``ServiceError/Code/tooFast``.
  func frame(
    _ number: Int, of channel: RecorderChannel, side: Int
  ) async throws(ServiceError) -> [UInt8] {
    let (_, _, path) = try running(channel)
    let frame = try await images.work(on: path) { [self] () throws(QuickTimeError) in
      // Frames that are known already do not move.
      let known = movies.withLock { $0[channel.name] }
      if let known, known.path == path, number < known.frameCount {
        return try known.frame(number)
      }
      return try look(at: path, of: channel.name).frame(number)
    }
    return try await images.work(on: path) { () throws(AssetReaderError) in
      var generator = AssetImageGenerator(path: path)
      generator.maximumSide = side
      return try generator.jpeg(
        of: frame.bytes, frame.codec, frame.dimensions, pixelAspectRatio: frame.pixelAspectRatio)
    }
  }

  /// The take that is being recorded.
  private func running(
    _ channel: RecorderChannel
  ) throws(ServiceError) -> (RecorderStatus, RecorderStatus.Take, path: String) {
    let recorder = channel.status.recorder
    guard let recorder, recorder.state == .recording, let take = recorder.take,
      let path = recorder.progress?.path
    else { throw ServiceError(.notFound, "channel \(channel.name) is not recording a take") }
    return (recorder, take, path)
  }

  private func look(at path: String, of channel: String) throws(QuickTimeError) -> GrowingMovie {
    // Removed meanwhile, so that growing it copies nothing.
    let known = movies.withLock { $0.removeValue(forKey: channel) }
    var movie: GrowingMovie
    if let known, known.path == path {
      movie = known
      try movie.readOn()
    } else {
      movie = try GrowingMovie(path: path)
    }
    movies.withLock { $0[channel] = movie }
    return movie
  }
}
