import AssetReader
import Foundation
import RawDevelop

extension RenderedPicture {
  /// The picture of a file of the program's memory, in 8 bits and not turned, taken as sRGB.
  ///
  /// The decoder reads files: the bytes are in one of the system's temporary folder for as long as this takes.
  ///
  /// - Parameter fileExtension: What such a file's name ends in, without the dot.
  init(decoding bytes: Data, fileExtension: String) throws(AVError) {
    let file = FileManager.default.temporaryDirectory
      .appending(path: "\(UUID().uuidString).\(fileExtension)")
    defer { try? FileManager.default.removeItem(at: file) }
    do { try bytes.write(to: file) } catch {
      throw AVError(
        .decodeFailed, "\(file.path) cannot be written: \(error.localizedDescription)",
        underlyingError: error)
    }
    do throws(AssetReaderError) {
      var generator = AssetImageGenerator(path: file.path)
      generator.maximumSide = .max
      let made = try generator.picture()
      self.init(
        width: made.width, height: made.height, samples: .uint8(made.samples), colorSpace: .sRGB)
    } catch { throw AVError(error) }
  }
}
