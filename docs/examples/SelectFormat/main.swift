// Prints the format a device would record with, or why none fits: select-format [DEVICE [WIDTH HEIGHT]]
import MediaCore
import VideoRecorder

let arguments = Array(CommandLine.arguments.dropFirst())

for device in CaptureDevice.DiscoverySession(mediaType: .video).devices {
  print(device.uniqueID, device.localizedName)
}

let device = try CaptureDevice.device(identifier: arguments.first ?? "pattern")
for format in FormatSelector.ordered(device.formats) {
  print(format.tier?.rawValue ?? 0, format)
}

var criteria = FormatCriteria(frameRate: .fps25, codec: .proRes422HQ)
if arguments.count == 3, let width = Int(arguments[1]), let height = Int(arguments[2]) {
  criteria.dimensions = VideoDimensions(width: width, height: height)
}

do throws(CaptureError) {
  let format = try device.findFormat(where: criteria)
  try device.configure { device throws(CaptureError) in
    try device.setActiveFormat(format)
    try device.setActiveFrameRate(.fps25)
  }
  print("chosen:", format)
} catch {
  print("none fits:", error.message)
}
