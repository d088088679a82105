import AssetReader
import Foundation
import RawDevelop

extension RenderedImage {
  /// Decodes a file in memory to 8 bits, without applying its orientation, and taken as sRGB.
  ///
  /// The decoder only reads files, so the bytes are written to a temporary file during the call.
  ///
  /// - Parameter fileExtension: The file name extension, without the dot.
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
      let made = try generator.image()
      self.init(
        width: made.width, height: made.height, samples: .uint8(made.samples), colorSpace: .sRGB)
    } catch { throw AVError(error) }
  }
}
